/**
 * The line to the tax authority of a company: one process holds it at a time, whatever it sends. Every table of lines
 * has these columns.
 */
import { CuadraError } from '../../../errors/index.ts'
import type { Clock } from '../../environment/clock.ts'
import { hasEnded } from '../../environment/owner.ts'
import type { CompanyStore, Own, Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'

/** Tables of lines. */
export type LineTable = 'verifactu_queues' | 'sii_queues'

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

type Holding = Pick<Own<'sii_queues'>, 'owner' | 'fence' | 'lease_ms'>

/** Whether a process may take a line. A lease that ends further away than any does was given by a clock that was wrong. */
export const isFree = ({ owner, lease_ms }: Holding, me: string, now: number): boolean =>
  owner === null || owner === me || lease_ms <= now || lease_ms > now + 2 * LEASE || hasEnded(owner)

/** The lines of one kind. `fresh` is the row of one that nobody has held yet. */
export function linesOf<Table extends LineTable>(
  table: Table,
  fresh: (environment: Environment, stamp: string) => Own<Table>,
) {
  // Every table of lines has the columns that are used here; the compiler is told of one of them.
  const name = table as 'sii_queues'
  const find = (db: Rows, environment: Environment): Promise<Own<Table> | undefined> =>
    db
      .select(name)
      .selectAll()
      .where('environment', '=', environment)
      .executeTakeFirst() as unknown as Promise<Own<Table> | undefined>

  /** The line as it stands, without holding it. */
  const read = async (db: Rows, environment: Environment): Promise<Own<Table>> =>
    (await find(db, environment)) ?? fresh(environment, '')

  /** Takes the line; null while somebody else holds it. */
  const take = (
    store: CompanyStore,
    clock: Clock,
    owner: string,
    environment: Environment,
  ): Promise<Lease | null> =>
    store.transaction(
      async (tx) => {
        const found = await tx
          .lock(name)
          .selectAll()
          .where('environment', '=', environment)
          .executeTakeFirst()
        const stamp = clock.stamp()
        const line = found ?? (fresh(environment, stamp) as unknown as Own<'sii_queues'>)
        const now = clock.now()
        if (!isFree(line, owner, now)) return null
        const fence = line.fence + 1
        const held = { owner, fence, lease_ms: now + LEASE, updated_at: stamp }
        // Of two that make the row at once the second meets its key, is run again, and finds it held.
        if (!found) await tx.insert(name, { ...line, ...held })
        else await tx.update(name, held).where('environment', '=', environment).execute()
        return { environment, owner, fence }
      },
      { isOwn: true },
    )

  /** Makes sure, until the end of the transaction, that the line is still held, and for how long from now. */
  async function renew(tx: Tx, clock: Clock, { environment, owner, fence }: Lease): Promise<void> {
    const { numUpdatedRows } = await tx
      .update(name, { lease_ms: clock.now() + LEASE })
      .where('environment', '=', environment)
      .where('owner', '=', owner)
      .where('fence', '=', fence)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw new LostLease()
  }

  /** Writes as the holder of the line, and not at all where it is held no more. */
  const asHolder = <T>(
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
  async function update(
    tx: Tx,
    { environment }: Pick<Lease, 'environment'>,
    stamp: string,
    changes: Partial<Omit<Own<Table>, 'environment' | 'owner' | 'fence' | 'lease_ms'>>,
  ): Promise<void> {
    await tx
      .update(name, { ...(changes as Partial<Own<'sii_queues'>>), updated_at: stamp })
      .where('environment', '=', environment)
      .execute()
  }

  /** Lets the line go. */
  async function leave(store: CompanyStore, { environment, owner, fence }: Lease): Promise<void> {
    await store.transaction(
      (tx) =>
        tx
          .update(name, { owner: null, lease_ms: 0 })
          .where('environment', '=', environment)
          .where('owner', '=', owner)
          .where('fence', '=', fence)
          .execute(),
      { isOwn: true },
    )
  }

  return { read, take, asHolder, update, leave }
}
