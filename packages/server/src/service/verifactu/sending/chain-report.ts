/** The current state of a chain: its end, its pending records with the reason, and the invoices that need attention. */
import type { Locale } from '#core/invoice/index.ts'
import { timestampOfMicroseconds } from '../../../environment/clock.ts'
import { WAITING_REASONS } from '../../../generated/texts/verifactu.ts'
import type { VerifactuChain } from '../../../shapes/schemas.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { Call } from '../../access/call.ts'
import { storedMessage } from '../../transmission/blocked.ts'
import { retryAt } from '../../transmission/queue.ts'
import { invoicesNeedingAttention } from '../attention.ts'
import { countPending } from '../queries.ts'
import { environmentNow } from '../verifactu-period.ts'
import { flowControlEndOf } from './pacing.ts'
import { MAX_RECORDS, QUEUES } from './verifactu-queue-types.ts'
import { firstPendingRecords } from './verifactu-records.ts'

const LATEST = [
  'sequence',
  'invoice_id',
  'num_serie',
  'tipo',
  'estado',
  'huella',
  'huella_anterior',
  'aeat_csv',
  'ts_gen',
] as const

const NOTHING: VerifactuChain['waiting'] = {
  records: 0,
  since: null,
  next_attempt_at: null,
  reason_code: null,
  reason: null,
}

/**
 * Returns the number of pending records of a chain, since when they wait, when the next message may be sent, and the
 * reason for the wait.
 */
export async function pendingRecordsOf(
  store: CompanyStore,
  environment: Environment,
  now: number,
  locale: Locale,
): Promise<VerifactuChain['waiting']> {
  const records = await countPending(store, environment)
  if (records === 0) return NOTHING
  const [first] = await firstPendingRecords(store, environment, { most: 1 })
  const queue = await QUEUES.read(store, environment)
  const retry = retryAt(queue, now)
  const waiting = { records, since: first?.created_at ?? null }
  const because = (at: number, code: string | null, reason: string | null) => ({
    ...waiting,
    next_attempt_at: at > now ? timestampOfMicroseconds(at * 1000) : null,
    reason_code: code,
    reason,
  })
  // A full message need not wait for the authority's flow control.
  const flows = records < MAX_RECORDS ? flowControlEndOf(queue, now) : 0
  if (retry > now && queue.submission_id !== null) {
    const submission = await store
      .find('verifactu_submissions', { submission_id: queue.submission_id })
      .select(['error_code', 'error_message'])
      .executeTakeFirst()
    const { error_code = null, error_message = null } = submission ?? {}
    return because(Math.max(retry, flows), error_code, storedMessage(error_message, locale))
  }
  if (flows > now) {
    const reason = WAITING_REASONS.waiting_time[locale].replace('{seconds}', String(queue.wait_seconds))
    return because(flows, 'waiting_time', reason)
  }
  return because(0, 'due', WAITING_REASONS.due[locale])
}

export async function chainReport({ app, store, locale }: Call, limit: number): Promise<VerifactuChain> {
  const environment = await environmentNow(store, app.clock)
  if (environment === null)
    return { environment, records: 0, last_hash: null, latest: [], waiting: NOTHING, attention: [] }
  const rows = await store
    .find('verifactu_records', { environment })
    .select(LATEST)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  const latest = rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    huella_anterior: row.huella_anterior || null,
  }))
  return {
    environment,
    records: latest[0]?.sequence ?? 0,
    last_hash: latest[0]?.huella ?? null,
    latest,
    waiting: await pendingRecordsOf(store, environment, app.clock.now(), locale),
    attention: [...(await invoicesNeedingAttention(store, app.clock, locale))],
  }
}
