/**
 * The line to the tax authority of one chain: who may send now, and when the next message may go. What waits is not
 * here: that is every record in state `pending`, in the order of the chain. Nothing here locks what issuing locks.
 */
import { CuadraError } from '../../../../errors/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import { hasEnded } from '../../../environment/owner.ts'
import type { CompanyStore, Own, Rows, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'

export type Queue = Own<'verifactu_queues'>

/** Seconds between two messages until the authority says otherwise (web service description, flow control). */
const FIRST_WAIT = 60
/** Milliseconds for which a line is held: longer than a call may take. Each write of its holder renews it. */
export const LEASE = 180_000

/** Whoever holds the line: `fence` is higher than that of every holder before. */
export interface Lease {
  readonly environment: Environment
  readonly owner: string
  readonly fence: number
}

/** The line was taken over: whatever this process knows of it is old, and must not be written. */
export class LostLease extends CuadraError {
  constructor() {
    super('another process holds the line to the tax authority')
  }
}

const newQueue = (environment: Environment, stamp: string): Queue => ({
  environment,
  owner: null,
  fence: 0,
  lease_ms: 0,
  flow_ms: 0,
  retry_ms: 0,
  wait_seconds: FIRST_WAIT,
  failures: 0,
  submission_id: null,
  delayed_to: 0,
  isolation: null,
  skew_ms: 0,
  updated_at: stamp,
})

const findQueue = (db: Rows, environment: Environment): Promise<Queue | undefined> =>
  db.select('verifactu_queues').selectAll().where('environment', '=', environment).executeTakeFirst()

/** The line as it stands, without holding it. */
export const readQueue = async (db: Rows, environment: Environment): Promise<Queue> =>
  (await findQueue(db, environment)) ?? newQueue(environment, '')

/** Whether a process may take the line. A lease that ends further away than any does was given by a clock that was wrong. */
export const isFree = ({ owner, lease_ms }: Queue, me: string, now: number): boolean =>
  owner === null || owner === me || lease_ms <= now || lease_ms > now + 2 * LEASE || hasEnded(owner)

/** Takes the line; null while somebody else holds it. */
export async function takeLine(
  store: CompanyStore,
  clock: Clock,
  owner: string,
  environment: Environment,
): Promise<Lease | null> {
  return store.transaction(
    async (tx) => {
      const found = await tx
        .lock('verifactu_queues')
        .selectAll()
        .where('environment', '=', environment)
        .executeTakeFirst()
      const stamp = clock.stamp()
      const queue = found ?? newQueue(environment, stamp)
      const now = clock.now()
      if (!isFree(queue, owner, now)) return null
      const fence = queue.fence + 1
      const held = { owner, fence, lease_ms: now + LEASE, updated_at: stamp }
      // Of two that make the row at once the second meets its key, is run again, and finds it held.
      if (!found) await tx.insert('verifactu_queues', { ...queue, ...held })
      else await tx.update('verifactu_queues', held).where('environment', '=', environment).execute()
      return { environment, owner, fence }
    },
    { isOwn: true },
  )
}

/** Makes sure, until the end of the transaction, that the line is still held, and for how long from now. */
async function renew(tx: Tx, clock: Clock, { environment, owner, fence }: Lease): Promise<void> {
  const { numUpdatedRows } = await tx
    .update('verifactu_queues', { lease_ms: clock.now() + LEASE })
    .where('environment', '=', environment)
    .where('owner', '=', owner)
    .where('fence', '=', fence)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new LostLease()
}

/** Writes as the holder of the line, and not at all where it is held no more. */
export const asHolder = <T>(
  store: CompanyStore,
  clock: Clock,
  lease: Lease,
  work: (tx: Tx) => Promise<T>,
): Promise<T> =>
  store.transaction(
    async (tx) => {
      await renew(tx, clock, lease)
      return work(tx)
    },
    { isOwn: true },
  )

/** Writes what is known of the line. Only its holder does. */
export async function updateQueue(
  tx: Tx,
  { environment }: Lease,
  stamp: string,
  changes: Partial<Omit<Queue, 'environment' | 'owner' | 'fence' | 'lease_ms'>>,
): Promise<void> {
  await tx
    .update('verifactu_queues', { ...changes, updated_at: stamp })
    .where('environment', '=', environment)
    .execute()
}

/** Lets the line go. */
export async function leaveLine(store: CompanyStore, lease: Lease): Promise<void> {
  const { environment, owner, fence } = lease
  await store.transaction(
    (tx) =>
      tx
        .update('verifactu_queues', { owner: null, lease_ms: 0 })
        .where('environment', '=', environment)
        .where('owner', '=', owner)
        .where('fence', '=', fence)
        .execute(),
    { isOwn: true },
  )
}
