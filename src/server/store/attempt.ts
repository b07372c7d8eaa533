/** One run of a piece of work in a transaction, and what became of it. */
import type { Kysely } from 'kysely'
import { isAway } from '../../storage/faults.ts'
import { writeNotes } from './counts.ts'
import { Notes } from './notes.ts'
import { type Trace, wasWritten } from './outcome.ts'
import { type Commit, Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

export type Work<T> = (tx: Transaction) => Promise<T>

/** Where transactions run. */
export interface TransactionTarget {
  readonly write: Kysely<Tables>
  /** Whether rows can be locked. Where the file is, only one transaction runs at a time. */
  readonly locks: boolean
  /** Is told how many notes of each company were committed. Nobody waits for what follows from it. */
  readonly onCommitted: (notes: ReadonlyMap<string, number>) => void
}

/** What a piece of work leaves to be done, and how to find what it wrote. */
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

  /** Does what waited for the commit. */
  async finish(): Promise<void> {
    for (const one of this.after) await one().catch(() => undefined)
  }
}

/** What a piece of work answered once it is on the disk, and what is to be done before anybody is told. */
export interface Committed<T> {
  readonly unit: UnitOfWork
  readonly result: T
}

/** Runs work in a transaction of its own. Rejects with `outcome_unknown` where it may have been written. */
export async function runInOwnTransaction<T>({ write, locks, onCommitted }: TransactionTarget, work: Work<T>): Promise<Committed<T>> {
  const unit = new UnitOfWork(locks, false)
  let done: (Committed<T> & { readonly notes: ReadonlyMap<string, number> }) | undefined
  try {
    await write.transaction().execute(async (db) => {
      const all = new Transaction(db, unit)
      const result = await work(all)
      done = { unit, result, notes: await writeNotes(all, unit.notes) }
    })
  } catch (error) {
    // Until COMMIT is sent nothing is written, and a database that answers it with an error has written nothing.
    if (!done || !isAway(error) || !(await wasWritten(write, unit.trace, error))) throw error
  }
  onCommitted(done!.notes)
  return done!
}
