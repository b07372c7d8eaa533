/** One company: its certificates, its chain, and what waits for somebody. */
import { CertificateError } from '../../aeat/certificate-error.ts'
import type { App } from '../../app/app.ts'
import { hasEnded } from '../../environment/owner.ts'
import { SecretError } from '../../environment/secrets.ts'
import { listCertificates, openCertificate, validCertificate } from '../../service/company/certificates.ts'
import type { CompanyRecord } from '../../service/company/company.ts'
import { type Stopped, sentenceOf } from '../../service/sending/stops.ts'
import { openAnomalies } from '../../service/verifactu/anomalies.ts'
import { attentionOf } from '../../service/verifactu/attention.ts'
import { environmentOf, openPeriodOf } from '../../service/verifactu/period.ts'
import { checkChain } from '../../service/verifactu/watch/check.ts'
import type { CompanyStore } from '../../store/store.ts'
import { ENVIRONMENTS } from '../../store/tables.ts'
import { bad, type Finding, lasting, ok, warning } from './finding.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

const atOf = (stamp: string): number => Date.parse(`${stamp}Z`)

async function certificatesOf(app: App, store: CompanyStore, { data }: CompanyRecord): Promise<Finding[]> {
  const { clock, config } = app
  const period = await openPeriodOf(store)
  const all = await listCertificates(store)
  if (all.length === 0 && (!period || data.delegated_signature)) return []
  const best = await validCertificate(store, clock.stamp(), period?.certificate_id ?? null)
  const add = 'cuadra-admin certificate add --company ID --p12 FILE --password-file FILE --purpose verifactu'
  if (!best) {
    const last = all
      .map(({ valid_to }) => valid_to)
      .sort()
      .at(-1)
    const what = last
      ? `No certificate is valid: the last one ended on ${last.slice(0, 10)}`
      : 'There is no certificate'
    return [
      (period ? bad : warning)(
        'certificate',
        what,
        'Nothing is sent to the tax authority, and without VERI*FACTU nothing can be issued.',
        add,
      ),
    ]
  }
  try {
    await openCertificate(store, app, best.id)
  } catch (error) {
    if (!(error instanceof SecretError || error instanceof CertificateError)) throw error
    return [
      bad(
        'certificate',
        `Certificate ${best.id} cannot be opened`,
        error.message,
        `Put the key back (secret.key in ${config.dataDir}, or CUADRA_SECRET), or add it again: ${add}`,
      ),
    ]
  }
  const left = atOf(best.valid_to) - clock.now()
  const what = `${best.name} is valid for ${lasting(left)}, until ${best.valid_to.slice(0, 10)}`
  const why =
    'Without one nothing is sent, and without VERI*FACTU nothing can be issued. Renewing takes days.'
  const mend = `Renew it and add the new one; it takes over by itself: ${add}`
  if (left < 7 * DAY) return [bad('certificate', what, why, mend)]
  return [left < 30 * DAY ? warning('certificate', what, why, mend) : ok('certificate', what)]
}

async function chainsOf(app: App, store: CompanyStore): Promise<Finding[]> {
  const heads = await store.select('verifactu_chains').select(['environment', 'chain', 'sequence']).execute()
  const findings: Finding[] = []
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
    const name = `${environment} ${chain}`
    const what = `${name}: ${hashes} of ${end} checked${signatures > 0 ? `, ${signatures} signatures` : ''}`
    findings.push(
      found.length === 0
        ? ok('chain', what)
        : bad(
            'chain',
            `${what}; something is wrong in ${found.length}, first in ${found[0]?.sequence}`,
            'A record was changed, removed or damaged after it was made.',
            'Run `cuadra-admin verify`: it says what. Keep the database as it is, and a copy.',
          ),
    )
  }
  const open = await openAnomalies(store, 'en', 100)
  if (open.length > 0 && findings.every(({ level }) => level === 'ok'))
    findings.push(
      warning(
        'anomalies',
        `${open.length} recorded, and not mended`,
        'A check has found them in the chains.',
        'Run `cuadra-admin verify`.',
      ),
    )
  return findings
}

async function sendingOf(app: App, store: CompanyStore): Promise<Finding[]> {
  const { clock } = app
  const findings: Finding[] = []
  for (const environment of ENVIRONMENTS) {
    const queue = await store
      .select('verifactu_queues')
      .selectAll()
      .where('environment', '=', environment)
      .executeTakeFirst()
    const { n, oldest } = await store
      .select('verifactu_records')
      .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
      .where('environment', '=', environment)
      .where('estado', '=', 'pending')
      .executeTakeFirstOrThrow()
    const stopped = await reasonOf(store, queue?.submission_id ?? null)
    if (oldest) {
      const age = clock.now() - atOf(oldest)
      const what = `${environment}: ${n} waiting, the oldest for ${lasting(age)}${queue && queue.failures > 0 ? `, ${queue.failures} tries failed` : ''}`
      const why = stopped ?? 'Records are to be sent as soon as they are made, one after the other.'
      const mend = 'See GET /verifactu/incidents or /status; `cuadra-admin verifactu send-now` tries at once.'
      findings.push(
        age > DAY
          ? bad('pending', what, why, mend)
          : age > HOUR
            ? warning('pending', what, why, mend)
            : ok('pending', what),
      )
    }
    if (queue?.owner && Number(queue.lease_ms) > clock.now() + 10 * MINUTE)
      findings.push(
        warning(
          'lease',
          `${environment}: the line to the authority is held until ${new Date(Number(queue.lease_ms)).toISOString().slice(0, 16)} UTC`,
          'A clock that was ahead has given it. It is taken over by itself.',
          'Check the clocks of all machines.',
        ),
      )
    else if (queue?.owner && Number(queue.lease_ms) > clock.now() && hasEnded(queue.owner))
      findings.push(
        ok(
          'lease',
          `${environment}: held by a process that has ended (${queue.owner}); it is taken over by itself`,
        ),
      )
  }
  return findings
}

/** Why what waits could not be sent, in words. */
async function reasonOf(store: CompanyStore, id: string | null): Promise<string | null> {
  const query = store.select('verifactu_submissions').select(['error_message', 'estado_envio'])
  const row = await (id === null
    ? query.orderBy('created_at', 'desc').limit(1)
    : query.where('submission_id', '=', id)
  ).executeTakeFirst()
  return row?.error_message?.startsWith('{"stop":')
    ? sentenceOf(JSON.parse(row.error_message) as Stopped, 'en')
    : null
}

async function openOf(app: App, store: CompanyStore): Promise<Finding[]> {
  const findings: Finding[] = []
  const overdue = await store
    .select('sii_records')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('deadline').as('first')])
    .where('status', '=', 'pending')
    .where('deadline', '<', app.clock.today())
    .executeTakeFirstOrThrow()
  if (overdue.first)
    findings.push(
      bad(
        'sii_overdue',
        `${overdue.n} of the SII are overdue, the first since ${overdue.first}`,
        'Records of the SII have a last day; the tax authority fines late ones.',
        'See GET /sii/pending or /status; `cuadra-admin sii send-now --company ID`.',
      ),
    )
  const mails = await store
    .select('mails')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('state', 'in', ['pending', 'sending'])
    .executeTakeFirstOrThrow()
  if (mails.oldest && app.clock.now() - atOf(mails.oldest) > HOUR)
    findings.push(
      warning(
        'mails',
        `${mails.n} mails wait, the oldest for ${lasting(app.clock.now() - atOf(mails.oldest))}`,
        'The mail server has not taken them; it is tried for some twenty hours.',
        'Look at CUADRA_SMTP_URL and the log of the server.',
      ),
    )
  return findings
}

/** So many invoices are named one by one. */
const NAMED = 5

/** Invoices whose last record was rejected or remarked on, each with what to do. */
async function attentionFindings(store: CompanyStore): Promise<Finding[]> {
  const all = await attentionOf(store, 'en')
  const findings = all.slice(0, NAMED).map((one) => {
    const isRejected = one.estado === 'rejected'
    const said = one.codigo_error === null ? '' : ` (${one.codigo_error})`
    return warning(
      isRejected ? 'rejected' : 'remarked',
      `${one.num_serie} ${isRejected ? 'was rejected by the tax authority' : 'was accepted with errors'}${said}`,
      isRejected
        ? 'A rejected record is not registered: the invoice is missing at the authority until a further record is accepted.'
        : 'The authority has the record, and asks for a correction.',
      one.instruction,
    )
  })
  const rest = all.length - NAMED
  if (rest <= 0) return findings
  return [
    ...findings,
    warning(
      'rejected',
      `${rest} more are rejected or accepted with errors`,
      'As above.',
      'See GET /verifactu/chain or /status.',
    ),
  ]
}

async function periodOf({ config }: App, store: CompanyStore): Promise<Finding[]> {
  const period = await openPeriodOf(store)
  if (!period) return []
  const environment = environmentOf(period)
  const isEarnest = config.aeat === 'production'
  const own = config.aeatVerifactuUrl !== undefined
  if (period.mode !== 'verifactu' || own || isEarnest === (environment === 'production')) return []
  const what = `The period of the company is ${environment}, CUADRA_AEAT is ${config.aeat}`
  if (isEarnest)
    return [
      warning(
        'environment',
        what,
        'Its records go to the service for trying out: its invoices are not registered in earnest.',
        'If they are meant in earnest, `cuadra-admin verifactu period close`, then `period open --production`.',
      ),
    ]
  return [
    bad(
      'environment',
      what,
      'Records in earnest go to a service for trying out: the tax authority does not have them.',
      'Set CUADRA_AEAT=production, with CUADRA_DECLARATION.',
    ),
  ]
}

/** Everything that is to be said of a company. */
export async function companyFindings(app: App, company: CompanyRecord): Promise<Finding[]> {
  const store = app.store.of(company.id)
  const findings = [
    ...(await certificatesOf(app, store, company)),
    ...(await periodOf(app, store)),
    ...(await chainsOf(app, store)),
    ...(await sendingOf(app, store)),
    ...(await attentionFindings(store)),
    ...(await openOf(app, store)),
  ]
  return findings.map((one) => ({ ...one, company_id: company.id }))
}
