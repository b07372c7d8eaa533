/**
 * Runs concurrent work in one shared transaction, so that the work of all members waits for the disk only once. Each
 * member has a savepoint, sees what earlier members wrote, and can be rolled back alone. All members get their result
 * after the commit. This includes refused members: the reason for a refusal may be uncommitted work of another member.
 *
 * If the whole transaction fails, for example on a full disk, each member runs again in its own transaction.
 */
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnreachable, isLockTimeout } from 'cuadra-storage/storage-faults.ts'
import { CompiledQuery, type Kysely } from 'kysely'
import { isCondition } from '#core/errors/index.ts'
import {
  type Committed,
  runInOwnTransaction,
  runTransaction,
  type TransactionTarget,
  UnitOfWork,
  type Work,
} from './attempt.ts'
import { wasCommitted } from './commit-outcome.ts'
import { writeNotes } from './counts.ts'
import { Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

/** A caller that waits for the result of its work. */
interface Member {
  readonly work: Work<unknown>
  readonly canShare: boolean
  readonly companyId: string | undefined
  /** Members with lower rounds run first. A company has one waiting member per round, so companies take turns. */
  readonly round: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The outcome of one member, reported after the commit. */
type MemberOutcome =
  | { readonly member: Member; readonly unit: UnitOfWork; readonly result: unknown }
  | { readonly member: Member; readonly error: unknown }

/**
 * Time limits in milliseconds. After `begin`, no further member starts. `first` and `others` are lock timeouts. The
 * first member may wait for the transaction of another process. The timeout of the others is short, because they hold
 * the locks of the first member, for which that process may be waiting.
 */
const LIMITS_MS = { begin: 50, first: 200, others: 20 }

const SAVEPOINT = 'savepoint member'
const RELEASE = 'release savepoint member'
const UNDO = 'rollback to savepoint member'
const waitFor = (milliseconds: number): string => `set local lock_timeout = ${milliseconds}`

/** Runs statements that control the transaction. PostgreSQL receives them in one message. */
async function run(
  { locks }: TransactionTarget,
  db: Kysely<Tables>,
  ...statements: readonly string[]
): Promise<void> {
  const messages = locks ? [statements.join('; ')] : statements
  for (const message of messages) await db.executeQuery(CompiledQuery.raw(message))
}

/** Runs a member whose savepoint is set. Throws if the transaction cannot continue. */
async function runMember(
  target: TransactionTarget,
  db: Kysely<Tables>,
  member: Member,
): Promise<MemberOutcome> {
  const unit = new UnitOfWork(target.locks, true)
  try {
    return { member, unit, result: await member.work(new Transaction(db, unit)) }
  } catch (error) {
    // Throws if the database has rolled back the whole transaction, because the savepoint then no longer exists.
    await run(target, db, UNDO)
    return { member, error }
  }
}

/** Resolves a member when its after-commit work has finished. That work may use another transaction. */
const resolveDone = ({ resolve }: Member, { unit, result }: Committed<unknown>): void =>
  void unit.finish().then(() => resolve(result))

/** Runs one member in its own transaction. */
const runMemberAlone = (target: TransactionTarget, member: Member): Promise<void> =>
  runInOwnTransaction(target, member.work).then((done) => resolveDone(member, done), member.reject)

/**
 * Runs each member in its own transaction, without waiting for it. On the embedded database, which runs one transaction
 * at a time, returns the members to the queue instead.
 */
function runEachAlone(target: TransactionTarget, members: readonly Member[]): readonly Member[] {
  if (!target.locks) return members.map((member) => ({ ...member, canShare: false }))
  for (const member of members) void runMemberAlone(target, member)
  return []
}

const needsOwnTransaction = (error: unknown): boolean =>
  isCondition(error, 'needs_own_transaction') || isLockTimeout(error)

/** Settles every member after the commit, and returns those that need their own transaction. */
function settleAll(all: readonly MemberOutcome[]): readonly Member[] {
  const separate: Member[] = []
  for (const one of all) {
    const { member } = one
    if (!('error' in one)) resolveDone(member, one)
    else if (needsOwnTransaction(one.error)) separate.push(member)
    else member.reject(one.error)
  }
  return separate
}

/**
 * Settles the members after the response to COMMIT was lost. All members were committed or rolled back together, so the
 * trace of one shows the outcome of all. Refused members have changed nothing, but the reason for their refusal may
 * have been rolled back.
 */
async function afterLostCommit(
  target: TransactionTarget,
  all: readonly MemberOutcome[],
  lost: unknown,
): Promise<void> {
  const done = all.flatMap((one) => ('unit' in one ? [one.unit] : []))
  let failure = lost
  try {
    const trace = done.find((unit) => unit.trace)?.trace
    if (done.length === 0 || (await wasCommitted(target.write, trace, lost))) {
      for (const member of settleAll(all)) void runMemberAlone(target, member)
      return
    }
  } catch (unknown) {
    failure = unknown
  }
  for (const one of all) one.member.reject('error' in one ? lost : failure)
}

/**
 * Runs members, each with a savepoint, until the time limit. Adds their outcomes to `all`, and returns the count
 * changes that they made.
 */
async function runMembers(
  target: TransactionTarget,
  db: Kysely<Tables>,
  members: readonly Member[],
  all: MemberOutcome[],
): Promise<ReadonlyMap<string, number>> {
  const { locks } = target
  const shared = new UnitOfWork(locks, true)
  const until = performance.now() + LIMITS_MS.begin
  await run(target, db, ...(locks ? [waitFor(LIMITS_MS.first)] : []), SAVEPOINT)
  for (const member of members) {
    if (all.length > 0 && performance.now() > until) break
    // If a member ignored a failed statement, its savepoint cannot be released. This statement then throws, so that the
    // member is not reported as successful.
    const others = locks && all.length === 1 ? [waitFor(LIMITS_MS.others)] : []
    if (all.length > 0) await run(target, db, RELEASE, ...others, SAVEPOINT)
    const outcome = await runMember(target, db, member)
    all.push(outcome)
    if ('unit' in outcome) shared.notes.join(outcome.unit.notes)
  }
  await run(target, db, RELEASE)
  return writeNotes(new Transaction(db, shared), shared.notes)
}

/** Runs members in one transaction. Returns those that wait for the next one. */
async function runShared(target: TransactionTarget, members: readonly Member[]): Promise<readonly Member[]> {
  const all: MemberOutcome[] = []
  let notes: ReadonlyMap<string, number> = new Map()
  let reached: Failure['reached'] = 'nothing'
  try {
    await runTransaction(target, async (db) => {
      reached = 'begin'
      notes = await runMembers(target, db, members, all)
      reached = 'commit'
    })
  } catch (error) {
    return afterFailure(target, { members, all, reached, error })
  }
  target.onCommitted(notes)
  return [...runEachAlone(target, settleAll(all)), ...members.slice(all.length)]
}

interface Failure {
  readonly members: readonly Member[]
  readonly all: readonly MemberOutcome[]
  /** The last stage that the transaction reached. */
  readonly reached: 'nothing' | 'begin' | 'commit'
  readonly error: unknown
}

function afterFailure(
  target: TransactionTarget,
  { members, all, reached, error }: Failure,
): readonly Member[] {
  if (reached === 'commit' && isDatabaseUnreachable(error)) {
    // Not awaited, because it takes seconds and the next members need not wait for it.
    void afterLostCommit(target, all, error)
    return members.slice(all.length)
  }
  // No transaction could begin, so separate transactions would fail too.
  if (reached !== 'nothing') return runEachAlone(target, members)
  for (const { reject } of members) reject(error)
  return []
}

/** Maximum number of members per transaction. */
const MAX_MEMBERS = 32
/** Minimum duration in milliseconds of a transaction in the embedded database that is followed by a pause. */
const LONG_MS = 150

/** Runs work of companies in turns, and of one company in order of arrival. Work that allows it shares transactions. */
export class CommitQueue {
  readonly #target: TransactionTarget
  readonly #empty: () => void
  #waiting: Member[] = []
  #round = 0
  #isRunning = false
  /** When the pause after a long transaction ends. Requests of other companies need several turns of the event loop. */
  #resumes = 0

  /** `empty` is called when no work is left. */
  constructor(target: TransactionTarget, empty = () => {}) {
    this.#target = target
    this.#empty = empty
  }

  run<T>(work: Work<T>, canShare: boolean, companyId?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const last = this.#waiting.findLast((one) => one.companyId === companyId)
      const round = last ? last.round + 1 : this.#round
      const member = { work, canShare, companyId, round, resolve: resolve as Member['resolve'], reject }
      this.#queue([...this.#waiting, member])
      if (!this.#isRunning) void this.#go()
    })
  }

  /** Sorts members by their rounds, otherwise in the given order. */
  #queue(members: Member[]): void {
    this.#waiting = members.sort((one, other) => one.round - other.round)
  }

  /** Takes the next members from the queue: a single member, or consecutive members that may share a transaction. */
  #next(): readonly Member[] {
    const end = this.#waiting.findIndex(({ canShare }) => !canShare)
    const count = end === -1 ? this.#waiting.length : Math.max(1, end)
    return this.#waiting.splice(0, Math.min(MAX_MEMBERS, count))
  }

  /** Lets requests that have already arrived join the queue. After a long transaction, lets other requests proceed. */
  async #yield(): Promise<void> {
    const pause = this.#resumes - performance.now()
    await (pause > 0 ? sleep(pause) : breathe())
  }

  async #go(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      // Transactions in the embedded database block the event loop, so other requests run first.
      if (!this.#target.locks) await this.#yield()
      const begun = performance.now()
      const members = this.#next()
      const [first, ...others] = members
      this.#round = first?.round ?? this.#round
      if (first && others.length === 0) await runMemberAlone(this.#target, first)
      else this.#queue([...(await runShared(this.#target, members)), ...this.#waiting])
      const now = performance.now()
      if (now - begun > LONG_MS) this.#resumes = now + (now - begun)
    }
    this.#isRunning = false
    this.#empty()
  }
}
