/**
 * Work that would wait for each other shares one transaction, and so one wait for the disk. Each piece has a savepoint,
 * sees what those before it did, and is undone alone. All are answered after the one commit, those that were refused
 * too: what stood in their way may be the work of another.
 *
 * What is no piece's own fault is nobody's: where the transaction as a whole is lost (a full disk takes all of it back),
 * each is done again in a transaction of its own, and is told how it fared there.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import { isCondition } from '../../errors/conditions.ts'
import { isAway, isLockTimeout } from '../../storage/faults.ts'
import { type Committed, UnitOfWork, type TransactionTarget, runInOwnTransaction, type Work } from './attempt.ts'
import { writeNotes } from './counts.ts'
import { wasWritten } from './outcome.ts'
import { Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

/** Somebody who waits for the answer to a piece of work. */
export interface Member {
  readonly work: Work<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How a piece of work fared: told after the commit. */
type MemberOutcome =
  | { readonly member: Member; readonly unit: UnitOfWork; readonly result: unknown }
  | { readonly member: Member; readonly error: unknown }

/**
 * Milliseconds after which no further piece is begun, and that one waits for a lock while others wait for it. The first
 * may wait for another process's group to end. The others have what the first ones locked, which that group may be
 * waiting for itself: whoever does not have his lock at once waits for it with nothing in hand.
 */
const BOUNDS = { begin: 50, first: 200, others: 20 }

const SAVEPOINT = 'savepoint member'
const RELEASE = 'release savepoint member'
const UNDO = 'rollback to savepoint member'
const waitFor = (milliseconds: number): string => `set local lock_timeout = ${milliseconds}`

/** Runs statements of the transaction itself; PostgreSQL takes them in one message. */
async function run({ locks }: TransactionTarget, db: Kysely<Tables>, ...statements: readonly string[]): Promise<void> {
  const messages = locks ? [statements.join('; ')] : statements
  for (const message of messages) await db.executeQuery(CompiledQuery.raw(message))
}

/** Runs one piece behind the savepoint that is there. Throws where the transaction cannot go on. */
async function runMember(target: TransactionTarget, db: Kysely<Tables>, member: Member): Promise<MemberOutcome> {
  const unit = new UnitOfWork(target.locks, true)
  try {
    return { member, unit, result: await member.work(new Transaction(db, unit)) }
  } catch (error) {
    // A transaction that is rolled back as a whole has no savepoint any more.
    await run(target, db, UNDO)
    return { member, error }
  }
}

/** Tells somebody of what is done, after what waited for the commit: that may take another transaction. */
const resolveDone = ({ resolve }: Member, { unit, result }: Committed<unknown>): void =>
  void unit.finish().then(() => resolve(result))

/** Does one piece by itself. */
const runMemberAlone = (target: TransactionTarget, member: Member): Promise<void> =>
  runInOwnTransaction(target, member.work).then((done) => resolveDone(member, done), member.reject)

/** Each by itself: one after the other where there is one writer, else at once, and nobody waits for them. */
async function runEachAlone(target: TransactionTarget, members: readonly Member[]): Promise<void> {
  for (const member of members) {
    const done = runMemberAlone(target, member)
    if (!target.locks) await done
  }
}

const needsOwnTransaction = (error: unknown): boolean =>
  isCondition(error, 'needs_own_transaction') || isLockTimeout(error)

/** Tells everybody after the commit; what needs a transaction of its own has it now. */
async function settleAll(target: TransactionTarget, all: readonly MemberOutcome[]): Promise<void> {
  const separate: Member[] = []
  for (const one of all) {
    const { member } = one
    if (!('error' in one)) resolveDone(member, one)
    else if (needsOwnTransaction(one.error)) separate.push(member)
    else member.reject(one.error)
  }
  await runEachAlone(target, separate)
}

/**
 * What to do where COMMIT was sent and not answered. The pieces stand or fall together, so what one of them left tells
 * it of all; a refusal has changed nothing in any case, and what it was refused for is not known any more.
 */
async function afterLostCommit(target: TransactionTarget, all: readonly MemberOutcome[], lost: unknown): Promise<void> {
  const done = all.flatMap((one) => ('unit' in one ? [one.unit] : []))
  let failure = lost
  try {
    const trace = done.find((unit) => unit.trace)?.trace
    if (done.length === 0 || (await wasWritten(target.write, trace, lost))) return settleAll(target, all)
  } catch (unknown) {
    failure = unknown
  }
  for (const one of all) one.member.reject('error' in one ? lost : failure)
}

/** Runs members behind a savepoint each while there is time, and adds to `all` how each fared. Returns what was noted. */
async function runMembers(
  target: TransactionTarget,
  db: Kysely<Tables>,
  members: readonly Member[],
  all: MemberOutcome[],
): Promise<ReadonlyMap<string, number>> {
  const { locks } = target
  const shared = new UnitOfWork(locks, true)
  const until = performance.now() + BOUNDS.begin
  await run(target, db, ...(locks ? [waitFor(BOUNDS.first)] : []), SAVEPOINT)
  for (const member of members) {
    if (all.length > 0 && performance.now() > until) break
    // Of a piece that has hidden a failure from us the savepoint cannot be released: nobody is told that it is done.
    const others = locks && all.length === 1 ? [waitFor(BOUNDS.others)] : []
    if (all.length > 0) await run(target, db, RELEASE, ...others, SAVEPOINT)
    const outcome = await runMember(target, db, member)
    all.push(outcome)
    if ('unit' in outcome) shared.notes.join(outcome.unit.notes)
  }
  await run(target, db, RELEASE)
  return writeNotes(new Transaction(db, shared), shared.notes)
}

/** Runs members in one transaction. Answers those for whom there was no time. */
async function runShared<M extends Member>(target: TransactionTarget, members: readonly M[]): Promise<readonly M[]> {
  const all: MemberOutcome[] = []
  let notes: ReadonlyMap<string, number> = new Map()
  let reached: Failure<M>['reached'] = 'nothing'
  try {
    await target.write.transaction().execute(async (db) => {
      reached = 'begin'
      notes = await runMembers(target, db, members, all)
      reached = 'commit'
    })
  } catch (error) {
    return afterFailure(target, { members, all, reached, error })
  }
  target.onCommitted(notes)
  await settleAll(target, all)
  return members.slice(all.length)
}

interface Failure<M extends Member> {
  readonly members: readonly M[]
  readonly all: readonly MemberOutcome[]
  /** How far the transaction came. */
  readonly reached: 'nothing' | 'begin' | 'commit'
  readonly error: unknown
}

async function afterFailure<M extends Member>(
  target: TransactionTarget,
  { members, all, reached, error }: Failure<M>,
): Promise<readonly M[]> {
  if (reached === 'commit' && isAway(error)) {
    // It takes seconds, and whoever comes next need not wait for it.
    void afterLostCommit(target, all, error)
    return members.slice(all.length)
  }
  // Without a transaction nothing was tried, and there will be none for each either.
  if (reached === 'nothing') for (const { reject } of members) reject(error)
  else await runEachAlone(target, members)
  return []
}

/** Pieces of work in one transaction at most. */
const MAX_MEMBERS = 32

interface QueuedMember extends Member {
  readonly canShare: boolean
}

/** Work in the order in which it came, in transactions that it shares as far as it may. */
export class CommitQueue {
  readonly #target: TransactionTarget
  readonly #empty: () => void
  #waiting: QueuedMember[] = []
  #isRunning = false

  /** `empty` is called when nothing waits any more. */
  constructor(target: TransactionTarget, empty = () => {}) {
    this.#target = target
    this.#empty = empty
  }

  run<T>(work: Work<T>, canShare: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, canShare, resolve: resolve as Member['resolve'], reject })
      if (!this.#isRunning) void this.#go()
    })
  }

  /** Those who are next: one, or as many that follow each other as share a transaction. */
  #next(): readonly QueuedMember[] {
    const end = this.#waiting.findIndex(({ canShare }) => !canShare)
    const count = end === -1 ? this.#waiting.length : Math.max(1, end)
    return this.#waiting.splice(0, Math.min(MAX_MEMBERS, count))
  }

  async #go(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      // The embedded database answers without leaving this turn of the event loop: requests that have arrived join.
      if (!this.#target.locks) await breathe()
      const members = this.#next()
      const [first, ...others] = members
      if (first && others.length === 0) await runMemberAlone(this.#target, first)
      else this.#waiting.unshift(...(await runShared(this.#target, members)))
    }
    this.#isRunning = false
    this.#empty()
  }
}
