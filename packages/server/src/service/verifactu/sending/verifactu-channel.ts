/**
 * VeriFactu as a system of the transmission engine: one channel, whose records are sent in the order of their chain.
 */
import { sql } from 'kysely'
import { readResponse } from '#records/verifactu/index.ts'
import { ENVIRONMENTS } from '../../../store/tables.ts'
import { collectFromReachable } from '../../company/company.ts'
import type { Channel, Connection, QueueRef, SubmissionResponse, System } from '../../transmission/channel.ts'
import { keysOf } from '../../transmission/ledger.ts'
import type { Response } from '../../transmission/transmission-response.ts'
import { flowControlEndOf, PACING } from './pacing.ts'
import { queryAuthority } from './query-records.ts'
import { LEDGER } from './verifactu-ledger.ts'
import { voluntaryXml } from './verifactu-message.ts'
import { MAX_RECORDS, QUEUES, type Sending, type Verifactu, VOLUNTARY } from './verifactu-queue-types.ts'
import { countWaiting, firstPendingRecords, settleRecords, waitingSequences } from './verifactu-records.ts'
import { callService, certificateForCalls as certificateOf, FAULTS } from './verifactu-response.ts'
import {
  identityOf,
  interpretAuthorityRecords,
  interpretLine,
  isSchemaValid,
  outcomeOf,
  rejectedResultOf,
} from './verifactu-results.ts'

/** Error code: the authority already has a record of this invoice and operation. */
const DUPLICATE = 3000

const OUTCOMES = ['accepted', 'accepted_with_errors', 'rejected'] as const

type Caller = Pick<Connection<Verifactu>, 'sending' | 'store' | 'company' | 'environment' | 'certificateId'>

/**
 * Sends a message with records: voluntarily (`submission`), or as a reply to a request of the authority
 * (`requirement`).
 */
export async function submitRecords(
  operation: 'submission' | 'requirement',
  { sending, store, company, environment, certificateId }: Caller,
  xml: string,
): Promise<Response<SubmissionResponse<Verifactu>>> {
  const { wire, signal } = sending
  const taxpayer = company.data.tax_id
  const response = await callService(wire, xml, {
    companyId: store.companyId,
    environment,
    certificateId,
    operation,
    taxpayer,
    ...(signal ? { signal } : {}),
  })
  if (response.is !== 'answered') return response
  const { document, text } = response.value
  const { csv, presented_at, wait_seconds, lines } = readResponse(document, 'es')
  // Several companies may use the same number, so lines of another issuer are ignored.
  const isOwn = (index: number): boolean => {
    const issuer = document.RespuestaLinea?.[index]?.IDFactura.IDEmisorFactura?.trim()
    return !issuer || issuer === taxpayer
  }
  const value = {
    status: document.EstadoEnvio.trim(),
    csv,
    presented_at,
    wait_seconds,
    text,
    lines: lines.map((line, index) => ({
      ...line,
      identity: isOwn(index) ? identityOf(line, line.operation) : '',
      isKnown: outcomeOf(line.state) !== null,
      isDuplicate: line.code === DUPLICATE,
    })),
  }
  return { is: 'answered', value }
}

/** The channel of records. They stay `pending` until they have a result, so no other mark is needed. */
export const RECORDS: Channel<Verifactu> = {
  name: VOLUNTARY,
  waiting: async (db, { environment, most }) =>
    (await waitingSequences(db, environment, most)).map(({ sequence }) => ({ key: String(sequence) })),
  markInFlight: async (_, entries) => new Set(keysOf(entries)),
  requeue: async () => undefined,
  submit: (connection, _, xml) => submitRecords('submission', connection, xml),
  queryAuthority,
  async settle(tx, { outbox, submission, stamp }, results) {
    const { id: submission_id, submitted_at, csv } = submission
    for (const estado of OUTCOMES) {
      const own = results.filter(({ outcome }) => outcome === estado)
      await settleRecords(
        tx,
        outbox.environment,
        own.map(({ entry }) => entry.sequence),
        {
          estado,
          submission_id,
          submitted_at,
          aeat_csv: estado === 'rejected' ? null : csv,
          updated_at: stamp,
        },
      )
    }
  },
}

/** Lists the queues company by company, so that an unreachable shard does not block the others. */
const pendingQueuesOneByOne = (app: Sending['app']): Promise<QueueRef[]> =>
  collectFromReachable(app, async (own) => {
    const pendingQueues: QueueRef[] = []
    for (const environment of ENVIRONMENTS)
      if ((await countWaiting(own, environment, 1)) > 0)
        pendingQueues.push({ companyId: own.companyId, environment })
    return pendingQueues
  })

async function pendingQueues(app: Sending['app']): Promise<readonly QueueRef[]> {
  try {
    const rows = await app.store
      .acrossCompanies('the sender looks after every company; it sends one by one')
      .selectFrom('verifactu_records')
      .select(['company_id', 'environment'])
      .distinct()
      .where('estado', '=', sql.lit('pending'))
      .execute()
    return rows.map(({ company_id, environment }) => ({ companyId: company_id, environment }))
  } catch {
    return pendingQueuesOneByOne(app)
  }
}

export const VERIFACTU: System<Verifactu> = {
  ...FAULTS,
  waitMessage: 'records wait for the tax authority',
  queues: QUEUES,
  ledger: LEDGER,
  channels: [RECORDS],
  maxRecords: MAX_RECORDS,
  narrowsSubmission: true,
  pacing: PACING,
  pendingQueues,
  locate: async ({ queueRef }) => queueRef.environment ?? { is: 'idle' },
  identify: ({ sending, store, company }) => certificateOf(sending.app, store, company),
  async due({ store, environment, sending }, queue, retry) {
    const now = sending.app.clock.now()
    const waiting = await countWaiting(store, environment, MAX_RECORDS)
    if (waiting === 0) return null
    if (retry > now) return retry
    // A full message need not wait for the authority's flow control.
    return waiting < MAX_RECORDS ? flowControlEndOf(queue, now) : 0
  },
  async next(outbox, isolation) {
    const { store, environment } = outbox
    const entries = await firstPendingRecords(store, environment, {
      except: isolation?.aside?.sequence ?? null,
      most: isolation?.limit ?? MAX_RECORDS,
    })
    if (entries.length === 0) return { is: 'none' }
    return { is: 'message', channel: RECORDS, entries, xml: () => voluntaryXml(outbox, entries) }
  },
  identityOf: (entry) => identityOf(entry, entry.tipo),
  interpret: interpretLine,
  interpretAuthorityRecords,
  reject: rejectedResultOf,
  malformed: (entries) => entries.findIndex(({ xml_sent }) => !isSchemaValid(xml_sent)),
  setAside: (_, { sequence }, refusal) => ({ sequence, ...refusal }),
  async findAside({ store, environment }, { sequence, ...refusal }) {
    const [entry] = await firstPendingRecords(store, environment, { from: sequence, to: sequence })
    return entry ? { channel: RECORDS, entry, ...refusal } : null
  },
  asideSubmittedAt: ({ submitted_at }) => submitted_at,
  count({ metrics }, results) {
    for (const outcome of OUTCOMES)
      metrics.countResults(outcome, results.filter((one) => one.outcome === outcome).length)
  },
}
