/**
 * Replies to a request of the authority with the signed records of a period without VERI*FACTU, up to a thousand per
 * message. The reply is stored and does not change the chain. Each record is sent until a response mentions it, and
 * then never again under the same reference.
 */
import { sql } from 'kysely'
import { CuadraError, isCondition } from '#core/errors/index.ts'
import type { CompanyStore, Rows } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import type { SubmissionResponse } from '../../transmission/channel.ts'
import type { SendingCertificate } from '../../transmission/company-certificate.ts'
import { idFor, type Submission } from '../../transmission/ledger.ts'
import type { Lease } from '../../transmission/queue.ts'
import { match } from '../../transmission/transmission-outcome.ts'
import { blockedByFailedCall, type FailedCall } from '../../transmission/transmission-response.ts'
import { recordsGeneratedBetween, type SequenceRange } from '../exported.ts'
import { flowControlEndOf } from './pacing.ts'
import { submitRecords, VERIFACTU } from './verifactu-channel.ts'
import { LEDGER, STATUSES } from './verifactu-ledger.ts'
import { messageXml } from './verifactu-message.ts'
import { MAX_RECORDS, QUEUES, type Sending, type Verifactu } from './verifactu-queue-types.ts'
import { addLines, COLUMNS, type PendingRecord, withKey } from './verifactu-records.ts'
import { certificateForCalls, FAULTS } from './verifactu-response.ts'
import { outcomeOf, STATUS_LITERALS } from './verifactu-results.ts'

const ON_REQUEST = 'requerimiento'

export interface Request {
  readonly environment: Environment
  readonly reference: string
  readonly from: string
  readonly to: string
}

export interface RequestResult {
  /** Number of the period's records that responses with the request's reference mention, including earlier runs. */
  readonly records: number
  /** Number of these records that this run sent. */
  readonly sent: number
  readonly messages: number
  readonly accepted: number
  readonly with_errors: number
  readonly rejected: number
  readonly csv: readonly string[]
  /** Why the remaining records were not sent; null if all were sent. */
  readonly blocked: Blocked | null
}

/** Waits until the authority accepts the next message, or until another process has sent its own message. */
export type WaitForNextMessage = (milliseconds: number, reason: 'flow_control' | 'busy') => Promise<void>

interface Reply {
  readonly sending: Sending
  readonly store: CompanyStore
  readonly company: CompanyRecord
  readonly request: Request
  readonly part: SequenceRange
}

/**
 * Selects the records of the period that can answer a request. The authority already has records made with VERI*FACTU.
 */
const recordsOf = ({ store, request, part }: Omit<Reply, 'sending'>) =>
  store
    .find('verifactu_records', { environment: request.environment, mode: 'no_verifactu' })
    .where('sequence', '>=', part.from)
    .where('sequence', '<=', part.to)

/** Selects the response lines, under the reference of the request, about records of the period. */
const linesOf = ({ store, request, part }: Omit<Reply, 'sending'>) =>
  store
    .select('verifactu_submission_lines', { verifactu_submissions: 'submission_id' })
    .where('verifactu_submissions.environment', '=', request.environment)
    .where('verifactu_submissions.submission_type', '=', ON_REQUEST)
    .where('verifactu_submissions.ref_requerimiento', '=', request.reference)
    .where('verifactu_submission_lines.sequence', '>=', part.from)
    .where('verifactu_submission_lines.sequence', '<=', part.to)

/** Returns the first records without a response: one more than a message holds, to detect the last message. */
async function nextRecords(reply: Reply): Promise<readonly PendingRecord[]> {
  const rows = await recordsOf(reply)
    .select(COLUMNS)
    .where(
      'sequence',
      'not in',
      linesOf(reply).select('verifactu_submission_lines.sequence').$castTo<Pick<PendingRecord, 'sequence'>>(),
    )
    .orderBy('sequence')
    .limit(MAX_RECORDS + 1)
    .execute()
  return rows.map(withKey)
}

const submissionsUnder = (db: Rows, { environment, reference }: Request) =>
  db.find('verifactu_submissions', { environment, submission_type: ON_REQUEST, ref_requerimiento: reference })

/** Returns the submission without a response that contains some of these records. A new message replaces it. */
async function unanswered(
  db: Rows,
  request: Request,
  rows: readonly PendingRecord[],
): Promise<Submission | undefined> {
  const found = await submissionsUnder(db, request)
    .select('submission_id')
    .where('xml_response', 'is', null)
    .where('first_sequence', '>=', rows.at(0)?.sequence ?? 0)
    .where('first_sequence', '<=', rows.at(-1)?.sequence ?? 0)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found && LEDGER.find(db, found.submission_id)
}

/** Returns why a message has no response. The message is sent again only if the command is run again. */
function blockedReply(response: FailedCall): Blocked {
  if (response.is !== 'fault') return blockedByFailedCall(FAULTS, response)
  const reason = response.resend ? 'request_fault_service' : 'request_fault'
  return { reason, code: response.code, values: { reason: response.reason } }
}

/** Returns the reason with the message for replies, which does not mention the records of the queue. */
const inReply = (blocked: Blocked): Blocked =>
  blocked.reason === 'no_certificate' ? { reason: 'request_no_certificate' } : blocked

interface MessageResult {
  readonly is: 'sent'
  /** Number of records of the message that the response mentions. */
  readonly records: number
  readonly blocked: Blocked | null
}

/** Stores a response with a line for each record that it mentions. The status of the records does not change. */
async function storeResponse(
  { sending, store }: Reply,
  lease: Lease,
  id: string,
  entries: readonly PendingRecord[],
  { status, csv, text, lines, wait_seconds }: SubmissionResponse<Verifactu>,
): Promise<MessageResult> {
  const { clock } = sending.app
  const matched = match<Verifactu>(VERIFACTU, entries, lines)
  const missing = entries.length - matched.length
  const blocked: Blocked | null =
    missing === 0
      ? null
      : { reason: 'request_incomplete', values: { missing: String(missing), sent: String(entries.length) } }
  await QUEUES.asHolder(store, clock, lease, async (tx) => {
    await addLines(
      tx,
      id,
      matched.map(({ entry, line }) => ({
        num_serie: entry.num_serie,
        fecha_expedicion: entry.fecha_expedicion,
        estado_registro: STATUS_LITERALS[outcomeOf(line.state) ?? 'rejected'],
        codigo_error: line.code === null ? null : String(line.code),
        descripcion_error: line.description,
        sequence: entry.sequence,
        // Replies never require a correction.
        next_step: null,
        next_options: null,
      })),
    )
    const stamp = clock.stamp()
    await LEDGER.update(tx, id, { status, csv, submitted_at: stamp, xml_response: text, blocked })
    const wait = wait_seconds ?? 0
    await QUEUES.update(tx, lease, stamp, { wait_seconds: wait, flow_ms: clock.now() + wait * 1000 })
  })
  return { is: 'sent', records: matched.length, blocked }
}

/** Sends one message while holding the queue. */
async function sendMessage(
  reply: Reply,
  identity: Exclude<SendingCertificate, Blocked>,
  lease: Lease,
  found: readonly PendingRecord[],
): Promise<MessageResult> {
  const { sending, store, company, request } = reply
  const { environment, reference } = request
  const { clock } = sending.app
  const entries = found.slice(0, MAX_RECORDS)
  const { legal_name, tax_id } = company.data
  const header = {
    ObligadoEmision: { NombreRazon: legal_name, NIF: tax_id },
    RemisionRequerimiento: {
      RefRequerimiento: reference,
      FinRequerimiento: found.length > MAX_RECORDS ? ('N' as const) : ('S' as const),
    },
  }
  const xml = messageXml(
    header,
    entries.map(({ xml_sent }) => xml_sent ?? ''),
  )
  const before = await unanswered(store, request, entries)
  const id = idFor(before)
  const opening = { environment, channel: ON_REQUEST, entries, xml, status: STATUSES.sending }
  await QUEUES.asHolder(store, clock, lease, async (tx) => {
    await LEDGER.open(tx, id, before, { ...opening, stamp: clock.stamp() })
    await tx.change('verifactu_submissions', { ref_requerimiento: reference }, { submission_id: id })
  })
  const response = await submitRecords(
    'requirement',
    { sending, store, company, environment, ...identity },
    xml,
  )
  if (response.is === 'answered') return storeResponse(reply, lease, id, entries, response.value)
  const blocked = blockedReply(response)
  const status = response.is === 'unknown' ? STATUSES.unknown : STATUSES.failed
  await QUEUES.asHolder(store, clock, lease, (tx) => LEDGER.update(tx, id, { blocked, status }))
  return { is: 'sent', records: 0, blocked }
}

/** Returns the results of the period's records, from the responses under the reference. */
async function resultOf(reply: Omit<Reply, 'sending'>): Promise<Omit<RequestResult, 'sent' | 'blocked'>> {
  const lines = await linesOf(reply)
    .select(['verifactu_submission_lines.estado_registro as state'])
    .select(({ fn }) => fn.countAll().as('n'))
    .groupBy('verifactu_submission_lines.estado_registro')
    .execute()
  const messages = await linesOf(reply)
    .select(['verifactu_submission_lines.submission_id', 'verifactu_submissions.aeat_csv as csv'])
    .select('verifactu_submissions.submitted_at')
    .distinct()
    .orderBy('verifactu_submissions.submitted_at')
    .execute()
  const countOf = (state: string) => Number(lines.find((line) => line.state === state)?.n ?? 0)
  const records = lines.reduce((sum, { n }) => sum + Number(n), 0)
  const [accepted, with_errors] = [countOf('Correcto'), countOf('AceptadoConErrores')]
  return {
    records,
    messages: messages.length,
    accepted,
    with_errors,
    rejected: records - accepted - with_errors,
    csv: messages.flatMap(({ csv }) => csv ?? []),
  }
}

/** Throws if no record of the period can answer a request. */
async function requireRecords(reply: Omit<Reply, 'sending'>): Promise<void> {
  if (await recordsOf(reply).select('sequence').limit(1).executeTakeFirst()) return
  const { store, request, part } = reply
  const { environment, from, to } = request
  const all = store.find('verifactu_records', { environment, mode: 'no_verifactu' })
  const { first, last } = await all
    .select(({ fn }) => [fn.min('ts_gen').as('first'), fn.max('ts_gen').as('last')])
    .executeTakeFirstOrThrow()
  const others = part.to - part.from + 1
  const found =
    others > 0
      ? `All ${others} records generated from ${from} to ${to} belong to VERI*FACTU, which sends them without a request`
      : `No record was generated from ${from} to ${to}`
  const check =
    first === null
      ? `The company has no records without VERI*FACTU in the ${environment} environment.`
      : `The records without VERI*FACTU in the ${environment} environment are from ${first.slice(0, 10)} to ${last.slice(0, 10)}: check --from and --to.`
  throw new CuadraError(`${found}: nothing was sent, and the request is still unanswered. ${check}`)
}

/** Throws if earlier runs sent all records, but none of their messages was marked as the last one. */
async function requireEnd({ store, request }: Reply): Promise<void> {
  const { reference, from, to } = request
  const last = await submissionsUnder(store, request)
    .select(sql<unknown>`xml like '%FinRequerimiento>S<%'`.as('is_end'))
    .where('xml_response', 'is not', null)
    .orderBy('submitted_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last?.is_end)
    throw new CuadraError(
      `All records from ${from} to ${to} were sent earlier, but the last message for ${reference} announces more (FinRequerimiento N). Nothing was sent. Run the command with the whole period of the request.`,
    )
}

type Step =
  | { readonly is: 'done' }
  | { readonly is: 'later'; readonly milliseconds: number; readonly reason: 'flow_control' | 'busy' }
  | MessageResult

const BUSY: Step = { is: 'later', milliseconds: 1000, reason: 'busy' }

/** Sends the next message, while no other process sends for the company. */
async function step(reply: Reply, identity: Exclude<SendingCertificate, Blocked>): Promise<Step> {
  const { sending, store, request } = reply
  const { clock } = sending.app
  const lease = await QUEUES.take(store, clock, sending.owner, request.environment)
  if (!lease) return BUSY
  try {
    const found = await nextRecords(reply)
    if (found.length === 0) return { is: 'done' }
    const queue = await QUEUES.read(store, request.environment)
    const wait = found.length < MAX_RECORDS ? flowControlEndOf(queue, clock.now()) - clock.now() : 0
    if (wait > 0) return { is: 'later', milliseconds: wait, reason: 'flow_control' }
    return await sendMessage(reply, identity, lease, found)
  } catch (error) {
    if (isCondition(error, 'lease_lost')) return BUSY
    throw error
  } finally {
    await QUEUES.leave(store, lease)
  }
}

/**
 * Sends the requested records, message by message, in the order of the chain. Full messages are sent immediately; the
 * last one waits as long as the authority requires. Stops at the first message without a complete response. Another
 * call continues with the records that have no response. Throws if nothing can be sent.
 */
export async function answerRequest(
  sending: Sending,
  company: CompanyRecord,
  request: Request,
  pause: WaitForNextMessage,
): Promise<RequestResult> {
  const { app } = sending
  const store = app.store.of(company.id)
  const { environment, from, to } = request
  const part = await recordsGeneratedBetween(store, 'verifactu_records', environment, from, to)
  const reply: Reply = { sending, store, company, request, part }
  await requireRecords(reply)
  const identity = await certificateForCalls(app, store, company)
  if ('reason' in identity) return { ...(await resultOf(reply)), sent: 0, blocked: inReply(identity) }
  let sent = 0
  for (;;) {
    const next = await step(reply, identity)
    if (next.is === 'later') await pause(next.milliseconds, next.reason)
    if (next.is === 'sent') sent += next.records
    const blocked = next.is === 'sent' ? next.blocked : null
    if (next.is === 'done' && sent === 0) await requireEnd(reply)
    if (next.is === 'done' || blocked) return { ...(await resultOf(reply)), sent, blocked }
  }
}
