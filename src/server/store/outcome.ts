/**
 * What became of a transaction whose connection was lost after COMMIT was sent: it may have been written or not, and
 * only the database knows. It is asked on a new connection, by a row that this transaction alone can have written.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ConditionError } from '../../errors/conditions.ts'
import type { Tables } from './tables.ts'

/**
 * Answers whether something is there that the lost transaction alone can have written. That one may still be running:
 * so it begins with what waits for its end, an insert of the same row or a lock, all of which is undone again.
 */
export type Trace = (db: Kysely<Tables>) => Promise<boolean>

/** Nobody can tell whether it was written: the database did not come back in time, or there is no trace to look for. */
export const outcomeUnknown = (cause: unknown): ConditionError =>
  new ConditionError('outcome_unknown', 'the connection was lost while committing', { cause })

/** Milliseconds: for the database to come back, between two tries, and for one of them to wait for a lock. */
const PATIENCE = { whole: 6000, pause: 200, lock: 2000 }

async function probe(db: Kysely<Tables>, trace: Trace): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    await sql`select set_config('lock_timeout', ${String(PATIENCE.lock)}, true)`.execute(tx)
    return await trace(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/** Whether the transaction that leaves `trace` was written. Throws `outcome_unknown` where that cannot be told. */
export async function wasWritten(
  db: Kysely<Tables>,
  trace: Trace | undefined,
  lost: unknown,
): Promise<boolean> {
  if (!trace) throw outcomeUnknown(lost)
  const until = performance.now() + PATIENCE.whole
  for (;;) {
    try {
      return await probe(db, trace)
    } catch {
      if (performance.now() > until) throw outcomeUnknown(lost)
      await sleep(PATIENCE.pause)
    }
  }
}
