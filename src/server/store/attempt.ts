/** One run of a piece of work in a transaction, and what became of it. */
import type { Kysely } from 'kysely'
import { Counts } from './counts.ts'
import { isAway } from './faults.ts'
import { writeCounts } from './invoices.ts'
import { type Trace, wasWritten } from './outcome.ts'
import { type Commit, Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

export type Work<T> = (tx: Transaction) => Promise<T>

/** What a piece of work leaves to be done, and how to find what it wrote. */
export class Piece implements Commit {
  readonly counts = new Counts()
  readonly after: (() => Promise<void>)[] = []
  trace: Trace | undefined

  constructor(
    readonly locks: boolean,
    readonly isShared: boolean,
  ) {}

  readonly afterCommit = (work: () => Promise<void>): void => {
    this.after.push(work)
  }

  readonly leaves = (trace: Trace): void => {
    this.trace = trace
  }

  /** Does what waited for the commit. */
  async finish(): Promise<void> {
    for (const one of this.after) await one().catch(() => undefined)
  }
}

/** The last statement of a transaction. */
export const writeCountsOf = (db: Kysely<Tables>, piece: Commit): Promise<void> => {
  const all = new Transaction(db, piece)
  return writeCounts((companyId) => all.of(companyId), piece.counts)
}

/** What a piece of work answered once it is on the disk, and what is to be done before anybody is told. */
export interface Done<T> {
  readonly piece: Piece
  readonly answer: T
}

/** Runs work in a transaction of its own. Rejects with an `OutcomeUnknown` where it may have been written. */
export async function runAlone<T>(write: Kysely<Tables>, locks: boolean, work: Work<T>): Promise<Done<T>> {
  const piece = new Piece(locks, false)
  let done: Done<T> | undefined
  try {
    await write.transaction().execute(async (db) => {
      const answer = await work(new Transaction(db, piece))
      await writeCountsOf(db, piece)
      done = { piece, answer }
    })
  } catch (error) {
    // Until COMMIT is sent nothing is written, and a database that answers it with an error has written nothing.
    if (!done || !isAway(error) || !(await wasWritten(write, piece.trace, error))) throw error
  }
  return done as Done<T>
}
