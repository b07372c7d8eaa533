/**
 * Determines whether a transaction was committed, if the connection was lost after COMMIT was sent. A new connection
 * looks for a row that only this transaction can have written.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { ConditionError } from '#core/errors/index.ts'
import type { Tables } from './tables.ts'

/**
 * Returns whether the lost transaction was committed: whether the row exists that only this transaction can have
 * written. The transaction may still be running. To wait for its end, the function inserts the same row or takes a
 * lock. Its own changes are rolled back.
 */
export type Trace = (db: Kysely<Tables>) => Promise<boolean>

/** Returns the error that is thrown if the database was not available in time, or if there is no trace. */
export const outcomeUnknownError = (cause: unknown): ConditionError =>
  new ConditionError('outcome_unknown', 'the connection was lost while committing', { cause })

/** Milliseconds: total time to wait for the database, pause between two attempts, and lock timeout of one attempt. */
const TIMEOUT_MS = { whole: 6000, pause: 200, lock: 2000 }

async function probe(db: Kysely<Tables>, trace: Trace): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    const setting = ['lock_timeout', String(TIMEOUT_MS.lock), true]
    await tx.selectNoFrom(({ fn, val }) => fn('set_config', setting.map(val)).as('timeout')).execute()
    return await trace(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/**
 * Returns whether the transaction with this `trace` was committed. Throws `outcome_unknown` if that cannot be
 * determined.
 */
export async function wasCommitted(
  db: Kysely<Tables>,
  trace: Trace | undefined,
  lost: unknown,
): Promise<boolean> {
  if (!trace) throw outcomeUnknownError(lost)
  const until = performance.now() + TIMEOUT_MS.whole
  for (;;) {
    try {
      return await probe(db, trace)
    } catch {
      if (performance.now() > until) throw outcomeUnknownError(lost)
      await sleep(TIMEOUT_MS.pause)
    }
  }
}
