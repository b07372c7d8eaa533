/** The stored state of operation without VERI*FACTU, and the changes of this state that clients request. */
import type { App } from '../../app/app.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import type { ChainName, Environment } from '../../store/tables.ts'
import { servingProcess } from './processes.ts'

export type Operation = CompanyRow<'verifactu_operations'>

export const readOperation = (db: Rows, environment: Environment): Promise<Operation | undefined> =>
  db.find('verifactu_operations', { environment }).selectAll().executeTakeFirst()

/** Reads the row and locks it until the end of the transaction. Lock the chain of events first, if both are needed. */
export const lockOperation = (tx: Tx, environment: Environment): Promise<Operation | undefined> =>
  tx.lock('verifactu_operations', { environment }).selectAll().executeTakeFirst()

export async function updateOperation(
  tx: Tx,
  { clock }: Pick<App, 'clock'>,
  environment: Environment,
  changes: Partial<Omit<Operation, 'environment' | 'updated_at'>>,
): Promise<void> {
  await tx.change('verifactu_operations', { ...changes, updated_at: clock.stamp() }, { environment })
}

/** Returns the length of a chain. */
export async function lengthOf(db: Rows, environment: Environment, chain: ChainName): Promise<number> {
  const row = await db.find('verifactu_chains', { environment, chain }).select('sequence').executeTakeFirst()
  return Number(row?.sequence ?? 0)
}

/**
 * Claims an automatic start event for a client and returns its sequence. Returns null if it is not the last event, or
 * if another client has claimed it.
 */
export async function claimStart(tx: Tx, environment: Environment): Promise<number | null> {
  const operation = await lockOperation(tx, environment)
  const sequence = operation?.unclaimed ?? null
  if (sequence === null || sequence !== (await lengthOf(tx, environment, 'events'))) return null
  await tx.change('verifactu_operations', { unclaimed: null }, { environment })
  return sequence
}

/**
 * Updates the state after a client recorded a start or an end. After an end, operation does not continue until the next
 * start.
 */
export async function recordRequestedEvent(
  tx: Tx,
  app: App,
  environment: Environment,
  type: '01' | '02',
  sequence: number,
): Promise<void> {
  const operation = await lockOperation(tx, environment)
  if (type === '02') {
    if (operation) await updateOperation(tx, app, environment, { owner: null, unclaimed: null })
    return
  }
  const owner = await servingProcess(tx.shared, app)
  if (!operation) await insertOperation(tx, app, environment, { owner, summed_events: sequence - 1 })
  else if (operation.owner === null)
    await updateOperation(tx, app, environment, { owner, since_ms: app.clock.now(), carried_ms: 0 })
}

export async function insertOperation(
  tx: Tx,
  { clock }: Pick<App, 'clock'>,
  environment: Environment,
  known: Pick<Operation, 'owner' | 'summed_events'> & Partial<Pick<Operation, 'unclaimed'>>,
): Promise<void> {
  await tx.insert('verifactu_operations', {
    environment,
    since_ms: clock.now(),
    carried_ms: 0,
    summed_records: await lengthOf(tx, environment, 'records'),
    unclaimed: null,
    checks: 0,
    checked_records: 0,
    checked_events: 0,
    updated_at: clock.stamp(),
    ...known,
  })
}
