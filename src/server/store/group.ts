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
import { type Done, Piece, type Place, runAlone, type Work } from './attempt.ts'
import { writeNotes } from './counts.ts'
import { wasWritten } from './outcome.ts'
import { Transaction } from './rows.ts'
import type { Tables } from './tables.ts'

/** Somebody who waits for the answer to a piece of work. */
export interface Member {
  readonly work: Work<unknown>
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How a piece of work fared: told after the commit. */
type Fared =
  | { readonly member: Member; readonly piece: Piece; readonly answer: unknown }
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
async function run({ locks }: Place, db: Kysely<Tables>, ...statements: readonly string[]): Promise<void> {
  const messages = locks ? [statements.join('; ')] : statements
  for (const message of messages) await db.executeQuery(CompiledQuery.raw(message))
}

/** Runs one piece behind the savepoint that is there. Throws where the transaction cannot go on. */
async function runMember(place: Place, db: Kysely<Tables>, member: Member): Promise<Fared> {
  const piece = new Piece(place.locks, true)
  try {
    return { member, piece, answer: await member.work(new Transaction(db, piece)) }
  } catch (error) {
    // A transaction that is rolled back as a whole has no savepoint any more.
    await run(place, db, UNDO)
    return { member, error }
  }
}

/** Tells somebody of what is done, after what waited for the commit: that may take another transaction. */
const tellDone = ({ resolve }: Member, { piece, answer }: Done<unknown>): void =>
  void piece.finish().then(() => resolve(answer))

/** Does one piece by itself. */
const alone = (place: Place, member: Member): Promise<void> =>
  runAlone(place, member.work).then((done) => tellDone(member, done), member.reject)

/** Each by itself: one after the other where there is one writer, else at once, and nobody waits for them. */
async function eachAlone(place: Place, members: readonly Member[]): Promise<void> {
  for (const member of members) {
    const done = alone(place, member)
    if (!place.locks) await done
  }
}

const isApart = (error: unknown): boolean =>
  isCondition(error, 'needs_own_transaction') || isLockTimeout(error)

/** Tells everybody after the commit; what needs a transaction of its own has it now. */
async function tell(place: Place, all: readonly Fared[]): Promise<void> {
  const apart: Member[] = []
  for (const one of all) {
    const { member } = one
    if (!('error' in one)) tellDone(member, one)
    else if (isApart(one.error)) apart.push(member)
    else member.reject(one.error)
  }
  await eachAlone(place, apart)
}

/**
 * What to do where COMMIT was sent and not answered. The pieces stand or fall together, so what one of them left tells
 * it of all; a refusal has changed nothing in any case, and what it was refused for is not known any more.
 */
async function afterLostCommit(place: Place, all: readonly Fared[], lost: unknown): Promise<void> {
  const done = all.flatMap((one) => ('piece' in one ? [one.piece] : []))
  let told = lost
  try {
    const trace = done.find((piece) => piece.trace)?.trace
    if (done.length === 0 || (await wasWritten(place.write, trace, lost))) return tell(place, all)
  } catch (unknown) {
    told = unknown
  }
  for (const one of all) one.member.reject('error' in one ? lost : told)
}

/** Runs members behind a savepoint each while there is time, and adds to `all` how each fared. Returns what was noted. */
async function runMembers(
  place: Place,
  db: Kysely<Tables>,
  members: readonly Member[],
  all: Fared[],
): Promise<ReadonlyMap<string, number>> {
  const { locks } = place
  const shared = new Piece(locks, true)
  const until = performance.now() + BOUNDS.begin
  await run(place, db, ...(locks ? [waitFor(BOUNDS.first)] : []), SAVEPOINT)
  for (const member of members) {
    if (all.length > 0 && performance.now() > until) break
    // Of a piece that has hidden a failure from us the savepoint cannot be released: nobody is told that it is done.
    const others = locks && all.length === 1 ? [waitFor(BOUNDS.others)] : []
    if (all.length > 0) await run(place, db, RELEASE, ...others, SAVEPOINT)
    const fared = await runMember(place, db, member)
    all.push(fared)
    if ('piece' in fared) shared.notes.join(fared.piece.notes)
  }
  await run(place, db, RELEASE)
  return writeNotes(new Transaction(db, shared), shared.notes)
}

/** Runs members in one transaction. Answers those for whom there was no time. */
async function runShared<M extends Member>(place: Place, members: readonly M[]): Promise<readonly M[]> {
  const all: Fared[] = []
  let notes: ReadonlyMap<string, number> = new Map()
  let reached: Failure<M>['reached'] = 'nothing'
  try {
    await place.write.transaction().execute(async (db) => {
      reached = 'begin'
      notes = await runMembers(place, db, members, all)
      reached = 'commit'
    })
  } catch (error) {
    return afterFailure(place, { members, all, reached, error })
  }
  place.noted(notes)
  await tell(place, all)
  return members.slice(all.length)
}

interface Failure<M extends Member> {
  readonly members: readonly M[]
  readonly all: readonly Fared[]
  /** How far the transaction came. */
  readonly reached: 'nothing' | 'begin' | 'commit'
  readonly error: unknown
}

async function afterFailure<M extends Member>(
  place: Place,
  { members, all, reached, error }: Failure<M>,
): Promise<readonly M[]> {
  if (reached === 'commit' && isAway(error)) {
    // It takes seconds, and whoever comes next need not wait for it.
    void afterLostCommit(place, all, error)
    return members.slice(all.length)
  }
  // Without a transaction nothing was tried, and there will be none for each either.
  if (reached === 'nothing') for (const { reject } of members) reject(error)
  else await eachAlone(place, members)
  return []
}

/** Pieces of work in one transaction at most. */
const MOST = 32

interface Waiting extends Member {
  readonly together: boolean
}

/** Work in the order in which it came, in transactions that it shares as far as it may. */
export class Lane {
  readonly #place: Place
  readonly #empty: () => void
  #waiting: Waiting[] = []
  #isRunning = false

  /** `empty` is called when nothing waits any more. */
  constructor(place: Place, empty = () => {}) {
    this.#place = place
    this.#empty = empty
  }

  run<T>(work: Work<T>, together: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, together, resolve: resolve as Member['resolve'], reject })
      if (!this.#isRunning) void this.#go()
    })
  }

  /** Those who are next: one, or as many that follow each other as share a transaction. */
  #next(): readonly Waiting[] {
    const end = this.#waiting.findIndex(({ together }) => !together)
    const count = end === -1 ? this.#waiting.length : Math.max(1, end)
    return this.#waiting.splice(0, Math.min(MOST, count))
  }

  async #go(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      // The embedded database answers without leaving this turn of the event loop: requests that have arrived join.
      if (!this.#place.locks) await breathe()
      const members = this.#next()
      const [first, ...others] = members
      if (first && others.length === 0) await alone(this.#place, first)
      else this.#waiting.unshift(...(await runShared(this.#place, members)))
    }
    this.#isRunning = false
    this.#empty()
  }
}
