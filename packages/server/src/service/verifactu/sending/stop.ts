/** Ends the sending of records that the authority can never accept. The records stay in their chain. */
import { sql } from 'kysely'
import { CuadraError } from '#core/errors/index.ts'
import type { App } from '../../../app/app.ts'
import type { CompanyStore, Rows } from '../../../store/store.ts'
import { fromJson, type Json } from '../../../store/stored-json.ts'
import { ENVIRONMENTS, type Environment } from '../../../store/tables.ts'
import { type Blocked, blockedMessage, isTransient } from '../../transmission/blocked.ts'
import { isOpen, lastSubmission } from '../../transmission/ledger.ts'
import type { Lease } from '../../transmission/queue.ts'
import { lockChain } from '../company-chains.ts'
import { countPending } from '../queries.ts'
import { openPeriodOf } from '../verifactu-period.ts'
import { LEDGER, STATUSES } from './verifactu-ledger.ts'
import { QUEUES } from './verifactu-queue-types.ts'

export interface StoppedSending {
  readonly environment: Environment
  /** Number of records that are no longer sent. */
  readonly records: number
  /** Why they were not sent. */
  readonly reason: string
}

type Context = Pick<App, 'store' | 'clock' | 'owner' | 'config' | 'system'>

/** Returns the submission that is blocked permanently. Throws if its records may still be sent, or may have arrived. */
async function requireBlocked(store: CompanyStore, environment: Environment) {
  const queue = await QUEUES.read(store, environment)
  const submission = await lastSubmission(LEDGER, store, queue)
  if (!submission)
    throw new CuadraError(
      'Sending the records has not failed yet. Run `cuadra-admin verifactu send-now`, which reports why they wait.',
    )
  if (isOpen(LEDGER, submission))
    throw new CuadraError(
      'The tax authority may have received some of the records: it must be queried first. Run `cuadra-admin verifactu send-now`.',
    )
  const { id } = submission
  const { error_message } = await store
    .find('verifactu_submissions', { submission_id: id })
    .select('error_message')
    .executeTakeFirstOrThrow()
  const blocked = fromJson<Json<Blocked>>(error_message ?? 'null')
  const reason = blockedMessage(blocked, 'en')
  if (isTransient(blocked))
    throw new CuadraError(`The records are sent automatically when this has ended: ${reason}`)
  return { id, reason }
}

/** Throws if a pending registration belongs to an invoice in force. */
async function requireCancelled(store: Rows, environment: Environment): Promise<void> {
  const { first, last } = await store
    .select('verifactu_records', { invoices: 'invoice_id' })
    .select(({ fn }) => [fn.min('invoices.issue_date').as('first'), fn.max('invoices.issue_date').as('last')])
    .where('verifactu_records.environment', '=', environment)
    .where('verifactu_records.estado', '=', sql.lit('pending'))
    .where('verifactu_records.tipo', '=', 'alta')
    .where('invoices.status', '!=', 'cancelled')
    .executeTakeFirstOrThrow()
  if (first)
    throw new CuadraError(
      `Invoices whose records are waiting are still in force. Cancel them first: \`cuadra-admin invoice cancel --company ${store.companyId} --from ${first} --to ${last}\`.`,
    )
}

async function stopQueue(
  store: CompanyStore,
  context: Context,
  environment: Environment,
  lease: Lease,
): Promise<StoppedSending> {
  const { clock } = context
  const { id, reason } = await requireBlocked(store, environment)
  return QUEUES.asHolder(store, clock, lease, async (tx) => {
    // The lock waits for transactions that are issuing an invoice.
    await lockChain(tx, context, environment, 'records')
    await requireCancelled(tx, environment)
    const open = await openPeriodOf(tx, clock)
    if (open)
      throw new CuadraError(
        `The period in mode ${open.mode} is open since ${open.start_date}. Close it first: \`cuadra-admin verifactu period close --company ${store.companyId} --anyway\`.`,
      )
    const stamp = clock.stamp()
    const { first, last, records } = await tx
      .find('verifactu_records', { environment })
      .select(({ fn }) => [
        fn.min('sequence').as('first'),
        fn.max('sequence').as('last'),
        fn.countAll().as('records'),
      ])
      .where('estado', '=', sql.lit('pending'))
      .executeTakeFirstOrThrow()
    await tx
      .update('verifactu_records', { estado: 'rejected', submission_id: id, updated_at: stamp })
      .where('environment', '=', environment)
      .where('estado', '=', sql.lit('pending'))
      .execute()
    await tx.change(
      'verifactu_submissions',
      {
        estado_envio: STATUSES.stopped,
        record_count: Number(records),
        first_sequence: first,
        last_sequence: last,
      },
      { submission_id: id },
    )
    const idle = { submission_id: null, failures: 0, retry_ms: 0, isolation: null, skew_ms: 0 }
    await QUEUES.update(tx, lease, stamp, idle)
    return { environment, records: Number(records), reason }
  })
}

/**
 * Ends the sending of all pending records of a company without an open period, if the authority rejects them
 * permanently. They become `rejected`, because the authority does not have them. Returns the number of records for each
 * environment. Throws if nothing is pending, if the records may still be sent, or if one of their invoices is still in
 * force.
 */
export async function stopSending(context: Context, companyId: string): Promise<readonly StoppedSending[]> {
  const store = context.store.of(companyId)
  const stopped: StoppedSending[] = []
  for (const environment of ENVIRONMENTS) {
    if ((await countPending(store, environment)) === 0) continue
    const lease = await QUEUES.take(store, context.clock, context.owner, environment)
    if (!lease) throw new CuadraError('A server is sending now. Try again in a minute.')
    try {
      stopped.push(await stopQueue(store, context, environment, lease))
    } finally {
      await QUEUES.leave(store, lease)
    }
  }
  if (stopped.length === 0)
    throw new CuadraError(
      'No record is waiting to be sent, and rejected records are not sent again, so there is nothing to stop. If the tax id of the company is wrong, continue with the next step of docs/operations.md, "The company\'s tax id is wrong".',
    )
  return stopped
}
