/**
 * The queue of a company in a system. One process at a time holds it. The queue stores when the next message may be
 * sent, but not the pending records. Locks of the queue do not conflict with those of issuing.
 */
import { ConditionError } from '#core/errors/index.ts'
import type { Clock } from '../../environment/clock.ts'
import { hasEnded } from '../../environment/process-owner.ts'
import type { CompanyRow, CompanyStore, Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { plausibleInstant } from './backoff.ts'

/** Tables of queues. */
type QueueTable = 'verifactu_queues' | 'sii_queues'

/** Milliseconds of a lease, which are more than a call can take. Each write of the holder renews it. */
export const LEASE_MS = 180_000

/** A queue row. Columns that a system does not use are 0. */
export type Queue = CompanyRow<'verifactu_queues'>
type Holding = Pick<Queue, 'environment' | 'owner' | 'fence' | 'lease_ms'>
export type QueueChanges = Partial<Omit<Queue, keyof Holding | 'updated_at'>>

/** The right to process a queue. `fence` is higher than that of every earlier holder. */
export type Lease = Pick<Holding, 'environment' | 'fence'> & { readonly owner: string }

/** Returns the error for a queue that another process has taken over. Data read by this process is then outdated. */
export const leaseLost = (): ConditionError =>
  new ConditionError('lease_lost', 'another process holds the queue')

/** Whether a process may take a queue. Ignores a lease that a wrong clock has set too far in the future. */
export const isFree = (
  { owner, lease_ms }: Pick<Holding, 'owner' | 'lease_ms'>,
  me: string,
  now: number,
): boolean =>
  owner === null || owner === me || lease_ms <= now || lease_ms > now + 2 * LEASE_MS || hasEnded(owner)

/** Returns the end of the pause after a failure; 0 if the clock was set back during the pause. */
export const retryAt = ({ retry_ms, pause_ms }: Pick<Queue, 'retry_ms' | 'pause_ms'>, now: number): number =>
  plausibleInstant(retry_ms, now, pause_ms)

const NEW = {
  owner: null,
  fence: 0,
  lease_ms: 0,
  retry_ms: 0,
  pause_ms: 0,
  failures: 0,
  submission_id: null,
  isolation: null,
} as const
const UNPACED = { flow_ms: 0, wait_seconds: 0, delayed_to: 0, skew_ms: 0 } as const

/** The queues of a system, stored in a table. */
export class Queues {
  readonly #table: QueueTable
  readonly #own: Partial<Queue>

  /** `own` contains default values of columns that only some tables of queues have. */
  constructor(table: QueueTable, own: Partial<Queue> = {}) {
    this.#table = table
    this.#own = own
  }

  /** Reads a queue without taking it. */
  async read(db: Rows, environment: Environment): Promise<Queue> {
    const row = await db.find(this.#table, { environment }).selectAll().executeTakeFirst()
    return { ...UNPACED, ...(row ?? { ...NEW, ...this.#own, environment, updated_at: '' }) }
  }

  /** Takes the lease of a queue; null while another process holds it. */
  take(store: CompanyStore, clock: Clock, owner: string, environment: Environment): Promise<Lease | null> {
    const take = async (tx: Tx): Promise<Lease | null> => {
      const found = await tx.lock(this.#table, { environment }).selectAll().executeTakeFirst()
      const now = clock.now()
      if (found && !isFree(found, owner, now)) return null
      const fence = (found?.fence ?? 0) + 1
      const held = { owner, fence, lease_ms: now + LEASE_MS, updated_at: clock.stamp() }
      // If two processes insert at once, the second violates the key. The store repeats its transaction, which then
      // finds the queue held.
      if (found) await tx.change(this.#table, held, { environment })
      else await tx.insert(this.#table, { ...NEW, ...this.#own, environment, ...held } as Queue)
      return { environment, owner, fence }
    }
    return store.transaction(take, { isOwn: true })
  }

  /** Changes the row of a queue if this process still holds the lease; returns whether it does. */
  #held(
    tx: Tx,
    { environment, owner, fence }: Lease,
    changes: Partial<Pick<Queue, 'owner' | 'lease_ms'>>,
  ): Promise<boolean> {
    return tx.change(this.#table, changes, { environment, owner, fence })
  }

  /** Runs a transaction as the holder of a queue. If another process holds it, throws `lease_lost` without writing. */
  asHolder<T>(store: CompanyStore, clock: Clock, lease: Lease, work: (tx: Tx) => Promise<T>): Promise<T> {
    const write = async (tx: Tx): Promise<T> => {
      if (!(await this.#held(tx, lease, { lease_ms: clock.now() + LEASE_MS }))) throw leaseLost()
      return work(tx)
    }
    return store.transaction(write, { isOwn: true })
  }

  /** Writes the state of a queue. Only its holder may call this. */
  async update(
    tx: Tx,
    { environment }: Pick<Lease, 'environment'>,
    updated_at: string,
    changes: QueueChanges,
  ): Promise<void> {
    await tx.change(this.#table, { ...changes, updated_at }, { environment })
  }

  /** Releases a queue. */
  async leave(store: CompanyStore, lease: Lease): Promise<void> {
    const free = { owner: null, lease_ms: 0 }
    await store.transaction((tx) => this.#held(tx, lease, free), { isOwn: true })
  }
}
