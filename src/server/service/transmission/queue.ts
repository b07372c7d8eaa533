/**
 * The queue of a company at a system: one process holds it at a time, whatever it sends, and it says when the next
 * message may go. What waits is not here. Nothing here locks what issuing locks.
 */
import { ConditionError } from '../../../errors/conditions.ts'
import type { Clock } from '../../environment/clock.ts'
import { hasEnded } from '../../environment/owner.ts'
import type { CompanyStore, Own, Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { plausible } from './backoff.ts'

/** Tables of queues. */
type QueueTable = 'verifactu_queues' | 'sii_queues'

/** Milliseconds for which a queue is held: longer than a call may take. Each write of its holder renews it. */
export const LEASE = 180_000

/** A queue; columns that a system does not have are 0. */
export type Queue = Own<'verifactu_queues'>
type Holding = Pick<Queue, 'environment' | 'owner' | 'fence' | 'lease_ms'>
export type QueueChanges = Partial<Omit<Queue, keyof Holding | 'updated_at'>>

/** The holder of a queue: `fence` is higher than that of every holder before. */
export type Lease = Pick<Holding, 'environment' | 'fence'> & { readonly owner: string }

/** The queue was taken over: what this process knows of it is old, and must not be written. */
export const lostLease = (): ConditionError =>
  new ConditionError('lease_lost', 'another process holds the line to the tax authority')

/** Whether a process may take a queue. A lease that ends further away than any does was given by a clock that was wrong. */
export const isFree = (
  { owner, lease_ms }: Pick<Holding, 'owner' | 'lease_ms'>,
  me: string,
  now: number,
): boolean =>
  owner === null || owner === me || lease_ms <= now || lease_ms > now + 2 * LEASE || hasEnded(owner)

const HOUR = 3_600_000

/** The end of the pause after a failure; 0 where a wrong clock has put it too far ahead. */
export const retryAt = ({ retry_ms }: Pick<Queue, 'retry_ms'>, now: number): number =>
  plausible(retry_ms, now, 2 * HOUR)

const NEW = {
  owner: null,
  fence: 0,
  lease_ms: 0,
  retry_ms: 0,
  failures: 0,
  submission_id: null,
  isolation: null,
} as const
const UNPACED = { flow_ms: 0, wait_seconds: 0, delayed_to: 0, skew_ms: 0 } as const

/** The queues of a system, in a table. */
export class Queues {
  readonly #table: QueueTable
  readonly #own: Partial<Queue>

  /** `own` are columns of a queue that nobody has held yet, beside those that every table has. */
  constructor(table: QueueTable, own: Partial<Queue> = {}) {
    this.#table = table
    this.#own = own
  }

  /** The queue as it is, without holding it. */
  async read(db: Rows, environment: Environment): Promise<Queue> {
    const row = await db.find(this.#table, { environment }).selectAll().executeTakeFirst()
    return { ...UNPACED, ...(row ?? { ...NEW, ...this.#own, environment, updated_at: '' }) }
  }

  /** Takes the queue; null while another process holds it. */
  take(store: CompanyStore, clock: Clock, owner: string, environment: Environment): Promise<Lease | null> {
    const take = async (tx: Tx): Promise<Lease | null> => {
      const found = await tx.lock(this.#table, { environment }).selectAll().executeTakeFirst()
      const now = clock.now()
      if (found && !isFree(found, owner, now)) return null
      const fence = (found?.fence ?? 0) + 1
      const held = { owner, fence, lease_ms: now + LEASE, updated_at: clock.stamp() }
      // Of two that make the row at once the second meets its key, is run again, and finds it held.
      if (found) await tx.change(this.#table, held, { environment })
      else await tx.insert(this.#table, { ...NEW, ...this.#own, environment, ...held } as Queue)
      return { environment, owner, fence }
    }
    return store.transaction(take, { isOwn: true })
  }

  /** Changes the row of a queue while it is held; returns whether it was. */
  #taxpayers(
    tx: Tx,
    { environment, owner, fence }: Lease,
    changes: Partial<Pick<Queue, 'owner' | 'lease_ms'>>,
  ): Promise<boolean> {
    return tx.change(this.#table, changes, { environment, owner, fence })
  }

  /** Writes as the holder of the queue, and not at all where it is held no more. */
  asHolder<T>(store: CompanyStore, clock: Clock, lease: Lease, work: (tx: Tx) => Promise<T>): Promise<T> {
    const write = async (tx: Tx): Promise<T> => {
      if (!(await this.#taxpayers(tx, lease, { lease_ms: clock.now() + LEASE }))) throw lostLease()
      return work(tx)
    }
    return store.transaction(write, { isOwn: true })
  }

  /** Writes what is known of the queue. Only its holder does. */
  async update(
    tx: Tx,
    { environment }: Pick<Lease, 'environment'>,
    updated_at: string,
    changes: QueueChanges,
  ): Promise<void> {
    await tx.change(this.#table, { ...changes, updated_at }, { environment })
  }

  /** Lets the queue go. */
  async leave(store: CompanyStore, lease: Lease): Promise<void> {
    const free = { owner: null, lease_ms: 0 }
    await store.transaction((tx) => this.#taxpayers(tx, lease, free), { isOwn: true })
  }
}
