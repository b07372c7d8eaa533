/** Runs each unit of work in its own transaction. */

import { isDatabaseUnreachable } from 'cuadra-storage/storage-faults.ts'
import type { Kysely } from 'kysely'
import { type Trace, wasCommitted } from './commit-outcome.ts'
import { Notes } from './count-changes.ts'
import { writeNotes } from './counts.ts'
import { type Commit, Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

export type Work<T> = (tx: Transaction) => Promise<T>

/** The database on which transactions run, with its properties. */
export interface TransactionTarget {
  readonly write: Kysely<Tables>
  /** Whether rows can be locked. The embedded database has no row locks: it runs one transaction at a time. */
  readonly locks: boolean
  /** Throws if the database is known to be damaged. */
  readonly refuseDamaged: () => void
  /** Called after the commit with the number of pending count changes by company. The caller does not await it. */
  readonly onCommitted: (notes: ReadonlyMap<string, number>) => void
}

/** Collects the work that a unit of work defers until after the commit, and the trace of its writes. */
export class UnitOfWork implements Commit {
  readonly notes = new Notes()
  readonly after: (() => Promise<void>)[] = []
  trace: Trace | undefined

  constructor(
    readonly locks: boolean,
    readonly isShared: boolean,
  ) {}

  readonly afterCommit = (work: () => Promise<void>): void => {
    this.after.push(work)
  }

  readonly setTrace = (trace: Trace): void => {
    this.trace = trace
  }

  /** Runs the after-commit work. */
  async finish(): Promise<void> {
    for (const one of this.after) await one().catch(() => undefined)
  }
}

/** The result of a committed unit of work, before its after-commit work has run. */
export interface Committed<T> {
  readonly unit: UnitOfWork
  readonly result: T
}

/** Runs a transaction that writes. It is rolled back if damage of the database becomes known meanwhile. */
export const runTransaction = <T>(
  { write, refuseDamaged }: TransactionTarget,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  write.transaction().execute(async (db) => {
    refuseDamaged()
    const result = await work(db)
    refuseDamaged()
    return result
  })

/** Runs work in its own transaction. Rejects with `outcome_unknown` if it is unknown whether the work was committed. */
export async function runInOwnTransaction<T>(
  target: TransactionTarget,
  work: Work<T>,
): Promise<Committed<T>> {
  const { write, locks, onCommitted } = target
  const unit = new UnitOfWork(locks, false)
  let done: (Committed<T> & { readonly notes: ReadonlyMap<string, number> }) | undefined
  try {
    await runTransaction(target, async (db) => {
      const all = new Transaction(db, unit)
      const result = await work(all)
      done = { unit, result, notes: await writeNotes(all, unit.notes) }
    })
  } catch (error) {
    // An error response, even to COMMIT, means that nothing was written. Only a lost connection leaves this unknown.
    if (!done || !isDatabaseUnreachable(error) || !(await wasCommitted(write, unit.trace, error))) throw error
  }
  onCommitted(done!.notes)
  return done!
}
