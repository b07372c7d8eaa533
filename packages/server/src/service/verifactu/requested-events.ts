/** Events of the invoicing software that clients request or list. */
import { ApiError } from '../../errors/api-error.ts'
import type { SifEvent, SifEventRequest } from '../../shapes/schemas.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { lockChain } from './company-chains.ts'
import { periodForGenerating } from './mode-change.ts'
import { claimStart, lockOperation, recordRequestedEvent } from './operation-state.ts'
import { eventFailed, withoutEmptyHash, writeEvent } from './sif-events.ts'
import { unsignedItems } from './signing.ts'
import { environmentNow, environmentOf, type VerifactuPeriod } from './verifactu-period.ts'

const COLUMNS = [
  'tipo_evento',
  'mode',
  'environment',
  'fecha_hora_huso_gen_evento',
  'huella_evento',
  'huella_evento_anterior',
  'created_at',
] as const

/** Reads the event with a sequence. */
const eventAt = (db: Rows, environment: Environment, sequence: number) =>
  db.find('verifactu_events', { environment, sequence }).select(COLUMNS).executeTakeFirst()

async function emit(tx: Tx, call: Call, period: VerifactuPeriod, type: SifEventRequest['tipo_evento']) {
  const environment = environmentOf(period)
  await lockChain(tx, call.app, environment, 'events')
  if (type === '01') {
    // If the system has just recorded the start automatically, that event is returned for the client's request.
    const claimed = await claimStart(tx, environment)
    const event = claimed === null ? undefined : await eventAt(tx, environment, claimed)
    if (event) {
      tx.setTrace(async (lost) => (await lockOperation(lost, environment))?.unclaimed !== claimed)
      return withoutEmptyHash(event)
    }
  }
  const { sequence, ...event } = await writeEvent(tx, call, period, { type })
  await recordRequestedEvent(tx, call.app, environment, type, sequence)
  tx.setTrace(async (lost) => {
    await lockChain(lost, call.app, environment, 'events')
    const found = await eventAt(lost, environment, sequence)
    return found?.huella_evento === event.huella_evento
  })
  return event
}

/** Records the start or end of operation without VERI*FACTU, requested by a client. */
export async function emitEvent(tx: Tx, call: Call, type: SifEventRequest['tipo_evento']) {
  const period = await periodForGenerating(tx, call)
  if (period?.mode !== 'no_verifactu')
    throw new ApiError('verifactu_sif_not_applicable', { mode: period?.mode ?? 'no_activado' })
  try {
    return await emit(tx, call, period, type)
  } catch (error) {
    const items = unsignedItems(error)
    throw items ? eventFailed(items) : error
  }
}

/** Returns the events of the company, newest first. */
export async function listEvents({ app, store }: Call, limit: number): Promise<readonly SifEvent[]> {
  const environment = (await environmentNow(store, app.clock)) ?? 'test'
  const rows = await store
    .select('verifactu_events')
    .select(COLUMNS)
    // Sorts by sequence, which does not depend on clocks. The environment of the open period comes first.
    .orderBy(({ eb }) => eb('environment', '=', environment), 'desc')
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withoutEmptyHash)
}
