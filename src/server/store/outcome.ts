/**
 * What became of a transaction whose connection was lost after COMMIT was sent: it may have been written or not, and
 * only the database knows. It is asked on a new connection, by a row that this transaction alone can have written.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { CuadraError } from '../../errors/index.ts'
import type { Tables } from './tables.ts'

/**
 * Answers whether something is there that the lost transaction alone can have written. That one may still be running:
 * so it begins with what waits for its end, an insert of the same row or a lock, all of which is undone again.
 */
export type Trace = (db: Kysely<Tables>) => Promise<boolean>

/** Nobody can tell whether it was written: the database did not come back in time, or there is no trace to look for. */
export class OutcomeUnknown extends CuadraError {
  override readonly kind = 'unknown'
  constructor(override readonly cause: unknown) {
    super('the connection was lost while committing')
  }
}

/** Milliseconds: for the database to come back, between two tries, and for one of them to wait for a lock. */
const PATIENCE = { whole: 6000, pause: 200, lock: 2000 }

/** Thrown to undo what a look has inserted. */
class Seen extends Error {
  constructor(readonly wasThere: boolean) {
    super()
  }
}

async function look(db: Kysely<Tables>, trace: Trace): Promise<boolean> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', ${String(PATIENCE.lock)}, true)`.execute(tx)
      throw new Seen(await trace(tx))
    })
  } catch (error) {
    if (error instanceof Seen) return error.wasThere
    throw error
  }
}

/** Whether the transaction that leaves `trace` was written. Throws an `OutcomeUnknown` where that cannot be told. */
export async function wasWritten(
  db: Kysely<Tables>,
  trace: Trace | undefined,
  lost: unknown,
): Promise<boolean> {
  if (!trace) throw new OutcomeUnknown(lost)
  const until = performance.now() + PATIENCE.whole
  for (;;) {
    try {
      return await look(db, trace)
    } catch {
      if (performance.now() > until) throw new OutcomeUnknown(lost)
      await sleep(PATIENCE.pause)
    }
  }
}
