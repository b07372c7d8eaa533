/** Checks one company: certificates, chains, pending records and mails, invoices that need attention. */
import type { Locale, Text } from '../../invoice/index.ts'
import type { App } from '../../server/app/app.ts'
import { hasEnded } from '../../server/environment/owner.ts'
import {
  isUnusable,
  listCertificates,
  openCertificate,
  validCertificate,
} from '../../server/service/company/certificates.ts'
import type { CompanyRecord } from '../../server/service/company/company.ts'
import { type Blocked, blockedMessage } from '../../server/service/transmission/blocked.ts'
import { openAnomalies } from '../../server/service/verifactu/anomalies.ts'
import { attentionOf } from '../../server/service/verifactu/attention.ts'
import { environmentOf, openPeriodOf } from '../../server/service/verifactu/period.ts'
import { checkChain } from '../../server/service/verifactu/watch/check.ts'
import type { CompanyStore } from '../../server/store/store.ts'
import { ENVIRONMENTS, type Environment, type Row } from '../../server/store/tables.ts'
import {
  durationText,
  filledText,
  finding,
  type LocalizedFinding,
  levelFor,
  localDateText,
  timestampText,
} from './finding.ts'
import { PARTS } from './messages.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const atOf = (stamp: string): number => Date.parse(`${stamp}Z`)

async function certificateFindings(
  app: App,
  store: CompanyStore,
  { data }: CompanyRecord,
): Promise<LocalizedFinding[]> {
  const { clock, config } = app
  const period = await openPeriodOf(store)
  const all = await listCertificates(store)
  if (all.length === 0 && (!period || data.delegated_signature)) return []
  const best = await validCertificate(store, clock.stamp(), period?.certificate_id ?? null)
  if (!best) {
    const level = period ? 'error' : 'warning'
    const last = all
      .map(({ valid_to }) => valid_to)
      .sort()
      .at(-1)
    return [
      last
        ? finding(level, 'certificate.ended', { until: localDateText(last.slice(0, 10)) })
        : finding(level, 'certificate.none'),
    ]
  }
  try {
    await openCertificate(store, app, best.id)
  } catch (error) {
    if (!isUnusable(error)) throw error
    const { message } = error
    return [finding('error', 'certificate.closed', { id: best.id, message, folder: config.dataDir })]
  }
  const left = atOf(best.valid_to) - clock.now()
  return [
    finding(left < 7 * DAY ? 'error' : left < 30 * DAY ? 'warning' : 'ok', 'certificate', {
      name: best.name,
      left: durationText(left),
      until: localDateText(best.valid_to.slice(0, 10)),
    }),
  ]
}

async function chainFindings(app: App, store: CompanyStore): Promise<LocalizedFinding[]> {
  const heads = await store.select('verifactu_chains').select(['environment', 'chain', 'sequence']).execute()
  const findings: LocalizedFinding[] = []
  for (const { environment, chain, sequence } of heads) {
    const end = Number(sequence)
    if (end === 0) continue
    const { hashes, signatures, found } = await checkChain(store, app, {
      environment,
      chain,
      round: 0,
      before: 0,
      end,
    })
    const values = {
      chain: PARTS[`${environment}_${chain}`],
      hashes,
      end,
      signatures: signatures > 0 ? filledText(PARTS.signatures, { count: signatures }) : '',
    }
    const [first] = found
    findings.push(
      first
        ? finding('error', 'chain.broken', { ...values, count: found.length, first: first.sequence })
        : finding('ok', 'chain', values),
    )
  }
  const open = await openAnomalies(store, 'en', 100)
  if (open.length > 0 && findings.every(({ level }) => level === 'ok'))
    findings.push(finding('warning', 'anomalies', { count: open.length }))
  return findings
}

/** Returns findings about the records to send and the lease of the queue. */
async function sendingFindings(app: App, store: CompanyStore): Promise<LocalizedFinding[]> {
  const findings: LocalizedFinding[] = []
  for (const environment of ENVIRONMENTS) {
    const queue = await store
      .select('verifactu_queues')
      .selectAll()
      .where('environment', '=', environment)
      .executeTakeFirst()
    findings.push(
      ...(await pendingFindings(app, store, environment, queue)),
      ...leaseFindings(app, environment, queue),
    )
  }
  return findings
}

async function pendingFindings(
  { clock }: App,
  store: CompanyStore,
  environment: Environment,
  queue: Row<'verifactu_queues'> | undefined,
): Promise<LocalizedFinding[]> {
  const { n, oldest } = await store
    .select('verifactu_records')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('environment', '=', environment)
    .where('estado', '=', 'pending')
    .executeTakeFirstOrThrow()
  if (!oldest) return []
  const age = clock.now() - atOf(oldest)
  const failures = queue?.failures ?? 0
  const values = {
    environment: PARTS[environment],
    count: n,
    age: durationText(age),
    failures: failures > 0 ? filledText(PARTS.failures, { count: failures }) : '',
    reason: (await reasonOf(store, queue?.submission_id ?? null)) ?? PARTS.sent_at_once,
  }
  return [finding(levelFor(age, HOUR, DAY), 'pending', values)]
}

function leaseFindings(
  { clock }: App,
  name: Environment,
  queue: Row<'verifactu_queues'> | undefined,
): LocalizedFinding[] {
  if (!queue?.owner) return []
  const environment = PARTS[name]
  const left = Number(queue.lease_ms) - clock.now()
  if (left > 10 * MINUTE)
    return [finding('warning', 'lease', { environment, until: timestampText(Number(queue.lease_ms)) })]
  return left > 0 && hasEnded(queue.owner)
    ? [finding('ok', 'lease.ended', { environment, owner: queue.owner })]
    : []
}

/** Returns why the last submission was blocked; null if it was not. */
async function reasonOf(store: CompanyStore, id: string | null): Promise<Text | null> {
  const query = store.select('verifactu_submissions').select(['error_message', 'estado_envio'])
  const row = await (id === null
    ? query.orderBy('created_at', 'desc').limit(1)
    : query.where('submission_id', '=', id)
  ).executeTakeFirst()
  if (!row?.error_message?.startsWith('{"reason":')) return null
  const blocked = JSON.parse(row.error_message) as Blocked
  return { en: blockedMessage(blocked, 'en'), es: blockedMessage(blocked, 'es') }
}

async function overdueFindings(app: App, store: CompanyStore): Promise<LocalizedFinding[]> {
  const findings: LocalizedFinding[] = []
  const overdue = await store
    .select('sii_records')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('deadline').as('first')])
    .where('status', '=', 'pending')
    .where('deadline', '<', app.clock.today())
    .executeTakeFirstOrThrow()
  if (overdue.first)
    findings.push(finding('error', 'sii_overdue', { count: overdue.n, first: localDateText(overdue.first) }))
  const mails = await store
    .select('mails')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('state', 'in', ['pending', 'sending'])
    .executeTakeFirstOrThrow()
  if (mails.oldest && app.clock.now() - atOf(mails.oldest) > HOUR)
    findings.push(
      finding('warning', 'mails', {
        count: mails.n,
        age: durationText(app.clock.now() - atOf(mails.oldest)),
      }),
    )
  return findings
}

/** Maximum number of invoices that get separate findings. */
const MAX_LISTED = 5

/** Returns a finding for each invoice whose last record was rejected or accepted with errors. */
async function attentionFindings(store: CompanyStore, locale: Locale): Promise<LocalizedFinding[]> {
  const all = await attentionOf(store, locale)
  const findings = all.slice(0, MAX_LISTED).map(({ estado, num_serie, codigo_error, instruction }) =>
    finding('warning', estado === 'rejected' ? 'rejected' : 'remarked', {
      number: num_serie,
      code: codigo_error === null ? '' : ` (${codigo_error})`,
      reason: instruction,
    }),
  )
  const rest = all.length - MAX_LISTED
  return rest > 0 ? [...findings, finding('warning', 'rejected.more', { count: rest })] : findings
}

async function periodFindings({ config }: App, store: CompanyStore): Promise<LocalizedFinding[]> {
  const period = await openPeriodOf(store)
  if (!period) return []
  const environment = environmentOf(period)
  const isProduction = config.aeat === 'production'
  const own = config.aeatVerifactuUrl !== undefined
  if (period.mode !== 'verifactu' || own || isProduction === (environment === 'production')) return []
  const values = { environment: PARTS[environment], aeat: config.aeat }
  return [finding(isProduction ? 'warning' : 'error', `environment.${environment}`, values)]
}

/** Returns all findings about a company. */
export async function companyFindings(
  app: App,
  company: CompanyRecord,
  locale: Locale,
): Promise<LocalizedFinding[]> {
  const store = app.store.of(company.id)
  const findings = [
    ...(await certificateFindings(app, store, company)),
    ...(await periodFindings(app, store)),
    ...(await chainFindings(app, store)),
    ...(await sendingFindings(app, store)),
    ...(await attentionFindings(store, locale)),
    ...(await overdueFindings(app, store)),
  ]
  return findings.map((one) => ({ ...one, company_id: company.id }))
}
