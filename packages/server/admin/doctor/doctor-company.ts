/** Checks one company: certificates, chains, pending records and mails, invoices that need attention. */
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../../src/app/app.ts'
import { hasEnded } from '../../src/environment/process-owner.ts'
import { checkCertificates, validCertificate } from '../../src/service/company/certificates.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { type Blocked, blockedMessage, isTransient } from '../../src/service/transmission/blocked.ts'
import {
  type SendingCertificate,
  sendingCertificateFor,
} from '../../src/service/transmission/company-certificate.ts'
import { openAnomalies } from '../../src/service/verifactu/anomalies.ts'
import {
  type InvoiceNeedingAttention,
  invoicesNeedingAttention,
} from '../../src/service/verifactu/attention.ts'
import { producerIdOf } from '../../src/service/verifactu/company-chains.ts'
import { countPending } from '../../src/service/verifactu/queries.ts'
import { systemDifference } from '../../src/service/verifactu/system-change.ts'
import {
  environmentNow,
  openPeriodOf,
  type VerifactuPeriod,
} from '../../src/service/verifactu/verifactu-period.ts'
import { checkChain } from '../../src/service/verifactu/watch/check-chains.ts'
import { countClosedGaps, countNotSent } from '../../src/store/missing-records.ts'
import type { CompanyStore } from '../../src/store/store.ts'
import { ENVIRONMENTS, type Environment, type Row } from '../../src/store/tables.ts'
import { PARTS } from '../generated/texts/doctor.ts'
import {
  type BilingualFinding,
  durationText,
  fillPlaceholders,
  finding,
  levelFor,
  localDateText,
  timestampText,
} from './doctor-finding.ts'
import { periodFindings, territoryFindings } from './doctor-periods.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const atOf = (stamp: string): number => Date.parse(`${stamp}Z`)

/** Returns the identity with which the company sends: to VeriFactu while a period is open, otherwise to the SII. */
async function senderOf(
  app: App,
  store: CompanyStore,
  company: CompanyRecord,
  period: VerifactuPeriod | null,
): Promise<SendingCertificate> {
  if (period)
    return sendingCertificateFor(app, store, company, {
      preferred: period.certificate_id,
      purpose: 'verifactu',
    })
  const sii = await store.select('sii_config').select('certificate_id').executeTakeFirst()
  return sendingCertificateFor(app, store, company, {
    preferred: sii?.certificate_id ?? null,
    purpose: 'general',
  })
}

/** Returns a finding about the certificate that is used for sending now. */
async function certificateFindings(
  app: App,
  store: CompanyStore,
  company: CompanyRecord,
  period: VerifactuPeriod | null,
): Promise<BilingualFinding[]> {
  const { clock, config } = app
  const { id: company_id, data } = company
  const all = await checkCertificates(store, app, data)
  if (all.length === 0 && (!period || data.delegated_signature)) return []
  const identity = await senderOf(app, store, company, period)
  const used = 'certificateId' in identity && all.find(({ id }) => id === identity.certificateId)
  if (used) {
    const left = atOf(used.valid_to) - clock.now()
    return [
      finding(left < 7 * DAY ? 'error' : left < 30 * DAY ? 'warning' : 'ok', 'certificate', {
        name: used.name,
        left: durationText(left),
        until: localDateText(used.valid_to.slice(0, 10)),
      }),
    ]
  }
  const first = await validCertificate(store, app, clock.now())
  const valid = all.find(({ id }) => id === first?.id)
  if (valid?.owner)
    return [
      finding('error', 'certificate_owner', { holder: valid.owner, tax_id: data.tax_id, id: company_id }),
    ]
  if (valid) {
    const message = valid.findings.map((one) => one.message.en).join(' ')
    return [finding('error', 'certificate.closed', { id: valid.id, message, folder: config.dataDir })]
  }
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

async function chainFindings(app: App, store: CompanyStore): Promise<BilingualFinding[]> {
  const heads = await store.select('verifactu_chains').select(['environment', 'chain', 'sequence']).execute()
  const findings: BilingualFinding[] = []
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
      signatures: signatures > 0 ? fillPlaceholders(PARTS.signatures, { count: signatures }) : '',
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

/** Returns findings about the pending records and the lease of the queue. */
async function sendingFindings(app: App, store: CompanyStore): Promise<BilingualFinding[]> {
  const findings: BilingualFinding[] = []
  for (const environment of ENVIRONMENTS) {
    const queue = await store.find('verifactu_queues', { environment }).selectAll().executeTakeFirst()
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
): Promise<BilingualFinding[]> {
  const { n, oldest } = await store
    .find('verifactu_records', { environment, estado: 'pending' })
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  if (!oldest) return []
  const age = clock.now() - atOf(oldest)
  const failures = queue?.failures ?? 0
  const blocked = await blockedOf(store, queue?.submission_id ?? null)
  const values = {
    environment: PARTS[environment],
    count: n,
    age: durationText(age),
    failures: failures > 0 ? fillPlaceholders(PARTS.failures, { count: failures }) : '',
    reason: blocked
      ? { en: blockedMessage(blocked, 'en'), es: blockedMessage(blocked, 'es') }
      : PARTS.sent_at_once,
  }
  const level = levelFor(age, HOUR, DAY)
  if (!blocked) return [finding(level, 'pending', values)]
  if (isTransient(blocked)) return [finding(level, 'pending.authority', values)]
  // A blocked queue is at least a warning, because waiting does not help.
  return [finding(level === 'ok' ? 'warning' : level, 'pending.blocked', values)]
}

function leaseFindings(
  { clock }: App,
  name: Environment,
  queue: Row<'verifactu_queues'> | undefined,
): BilingualFinding[] {
  if (!queue?.owner) return []
  const environment = PARTS[name]
  const left = Number(queue.lease_ms) - clock.now()
  if (left > 10 * MINUTE)
    return [finding('warning', 'lease', { environment, until: timestampText(Number(queue.lease_ms)) })]
  return left > 0 && hasEnded(queue.owner)
    ? [finding('ok', 'lease.ended', { environment, owner: queue.owner })]
    : []
}

/** Returns the reason why the queue is blocked; null if it is not blocked. */
async function blockedOf(store: CompanyStore, submission_id: string | null): Promise<Blocked | null> {
  if (submission_id === null) return null
  const row = await store
    .find('verifactu_submissions', { submission_id })
    .select('error_message')
    .executeTakeFirst()
  return row?.error_message?.startsWith('{"reason":') ? JSON.parse(row.error_message) : null
}

async function overdueFindings(app: App, store: CompanyStore): Promise<BilingualFinding[]> {
  const findings: BilingualFinding[] = []
  const overdue = await store
    .find('sii_records', { status: 'pending' })
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('deadline').as('first')])
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

/** Returns the finding about an invoice that needs attention. */
const attentionFinding = ({
  tipo,
  estado,
  num_serie,
  codigo_error,
  descripcion_error,
  instruction,
}: InvoiceNeedingAttention) =>
  estado === 'missing'
    ? finding('warning', 'cancellation_missing', {
        number: num_serie,
        gap: descripcion_error ?? '',
        reason: instruction,
      })
    : finding(
        'warning',
        estado !== 'rejected' ? 'remarked' : tipo === 'alta' ? 'rejected' : 'rejected.cancellation',
        {
          number: num_serie,
          code: codigo_error === null ? '' : ` (${codigo_error})`,
          reason: instruction,
        },
      )

/**
 * Returns a finding for each cancelled invoice without a cancellation record, and for each invoice whose last record
 * was rejected or accepted with errors.
 */
async function attentionFindings(
  { clock }: App,
  store: CompanyStore,
  period: VerifactuPeriod | null,
  locale: Locale,
): Promise<BilingualFinding[]> {
  const all = await invoicesNeedingAttention(store, clock, locale)
  const closed = await countClosedGaps(store)
  const environment = await environmentNow(store, clock)
  const notSent =
    environment === null || period?.mode === 'verifactu' ? 0 : await countNotSent(store, environment)
  const findings = [
    ...(closed ? [finding('ok', 'cancellations', closed)] : []),
    ...(notSent > 0 ? [finding('ok', 'cancellations.not_sent', { count: notSent })] : []),
    ...all.slice(0, MAX_LISTED).map(attentionFinding),
  ]
  const rest = all.length - MAX_LISTED
  return rest > 0 ? [...findings, finding('warning', 'rejected.more', { count: rest })] : findings
}

/** Returns a finding about pending records of an inactive company, for which the metrics raise no alert. */
async function inactiveFindings(store: CompanyStore, { data }: CompanyRecord): Promise<BilingualFinding[]> {
  if (data.is_active) return []
  let count = 0
  for (const environment of ENVIRONMENTS) count += await countPending(store, environment)
  return count === 0 ? [] : [finding('warning', 'inactive', { count })]
}

/** Returns findings about problems that a change of the company's data can cause. */
export const changeFindings = async (
  app: App,
  store: CompanyStore,
  company: CompanyRecord,
): Promise<BilingualFinding[]> => {
  const period = await openPeriodOf(store, app.clock)
  const certificates = await certificateFindings(app, store, company, period)
  return [
    ...certificates.filter(({ check }) => check === 'certificate_owner'),
    ...territoryFindings(app, company, period),
    ...(await inactiveFindings(store, company)),
  ]
}

async function systemFindings(app: App, store: CompanyStore): Promise<BilingualFinding[]> {
  const found = await systemDifference(store, app)
  if (!found) return []
  const { chain, configured, isOtherProducer, environment, wasUsed } = found
  const values = {
    environment: PARTS[environment],
    company: store.companyId,
    producer: producerIdOf(chain),
    system: chain.IdSistemaInformatico,
    number: chain.NumeroInstalacion,
    configured_producer: producerIdOf(configured),
    configured_system: configured.IdSistemaInformatico,
    configured_number: configured.NumeroInstalacion,
  }
  return [
    isOtherProducer
      ? finding('error', wasUsed ? 'system.producer_used' : 'system.producer', values)
      : finding('warning', wasUsed ? 'system.used' : 'system', values),
  ]
}

/** Returns all findings about a company. */
export async function companyFindings(
  app: App,
  company: CompanyRecord,
  locale: Locale,
): Promise<BilingualFinding[]> {
  const store = app.store.of(company.id)
  const period = await openPeriodOf(store, app.clock)
  const sending = await sendingFindings(app, store)
  // An inactive company needs a certificate only if it has pending records.
  const isSending = company.data.is_active || sending.length > 0
  const findings = [
    ...(isSending ? await certificateFindings(app, store, company, period) : []),
    ...(await periodFindings(app, store, company, period)),
    ...territoryFindings(app, company, period),
    ...(await inactiveFindings(store, company)),
    ...(await systemFindings(app, store)),
    ...(await chainFindings(app, store)),
    ...sending,
    ...(await attentionFindings(app, store, period, locale)),
    ...(await overdueFindings(app, store)),
  ]
  return findings.map((one) => ({ ...one, company_id: company.id }))
}
