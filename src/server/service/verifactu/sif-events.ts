/** Events of the invoicing software in mode `no_verifactu`, in their own chain (art. 9 Orden HAC/1177/2024). */
import type { ValidationItem } from '../../../invoice/index.ts'
import { type EventOptions, eventRecord, recordXml } from '../../../verifactu/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SifEvent, SifEventRequest } from '../../shapes/schemas.ts'
import { toJson } from '../../store/json.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { advanceChain, lockChain, timestampAfter } from './chain.ts'
import { claimStart, lockOperation, recordRequestedEvent } from './operation-state.ts'
import { environmentNow, environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { sha256, systemNow } from './record-options.ts'
import { finisherOf, type SigningContext, unsignedItems } from './signing.ts'

const COLUMNS = [
  'tipo_evento',
  'mode',
  'environment',
  'fecha_hora_huso_gen_evento',
  'huella_evento',
  'huella_evento_anterior',
  'created_at',
] as const

const withoutEmptyHash = (event: SifEvent): SifEvent => ({
  ...event,
  huella_evento_anterior: event.huella_evento_anterior || null,
})

const failed = (errors: readonly ValidationItem[]): ApiError =>
  new ApiError('verifactu_sif_emit_error', { errors })

/** Whether an event was not made because it cannot be signed or is invalid. Nothing was written. */
export const cannotBeMade = (error: unknown): boolean =>
  unsignedItems(error) !== null || (error instanceof ApiError && error.code === 'verifactu_sif_emit_error')

/** The content of an event. */
export type EventContent = Pick<EventOptions, 'type' | 'data' | 'text'>

/** An event with its sequence in the chain. */
export interface WrittenEvent extends SifEvent {
  readonly sequence: number
}

/**
 * Builds, signs and stores the next event; the chain of events stays locked until the end of the transaction. Throws
 * `not_signed`, before anything is written, if no signature is possible.
 */
export async function writeEvent(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  content: EventContent,
): Promise<WrittenEvent> {
  const { app, company, locale } = context
  const environment = environmentOf(period)
  const finish = await finisherOf(tx, context, period)
  const { sequence, last } = await lockChain(tx, environment, 'events')
  const made = eventRecord({
    ...content,
    taxpayer: { NombreRazon: company.data.legal_name, NIF: company.data.tax_id },
    system: await systemNow(tx, app),
    previous: last,
    timestamp: timestampAfter(app.clock.timestamp(), last),
    hash: sha256,
    locale,
  })
  if (!made.ok) throw failed(made.items)
  const { FechaHoraHusoGenEvento, HuellaEvento, Encadenamiento } = made.record.RegistroEvento.Evento
  const { xml } = await finish(recordXml(made.record), FechaHoraHusoGenEvento)
  const event = {
    tipo_evento: content.type,
    mode: period.mode,
    environment,
    fecha_hora_huso_gen_evento: FechaHoraHusoGenEvento,
    huella_evento: HuellaEvento,
    huella_evento_anterior: Encadenamiento.EventoAnterior?.HuellaEvento ?? '',
    created_at: app.clock.stamp(),
  }
  const record = toJson(made.record)
  await tx.insert('verifactu_events', { ...event, sequence: sequence + 1, record, xml })
  await advanceChain(tx, environment, 'events', sequence + 1, record)
  return { ...withoutEmptyHash(event), sequence: sequence + 1 }
}

/**
 * Records that a backup was restored (event 07), with the timestamp of the backup if it is known. Throws `not_signed`
 * if no signature is possible.
 *
 * For example, `recordRestore(tx, context, period, '2026-11-20T03:00:00+01:00')`.
 */
export const recordRestore = (
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  madeAt?: string,
): Promise<WrittenEvent> =>
  writeEvent(tx, context, period, {
    type: '07',
    ...(madeAt === undefined ? {} : { text: `Copia de seguridad de ${madeAt}`.slice(0, 100) }),
  })

/** Reads the event with a sequence. */
const eventAt = (db: Rows, environment: Environment, sequence: number) =>
  db.find('verifactu_events', { environment, sequence }).select(COLUMNS).executeTakeFirst()

async function emit(tx: Tx, call: Call, period: VerifactuPeriod, type: SifEventRequest['tipo_evento']) {
  const environment = environmentOf(period)
  await lockChain(tx, environment, 'events')
  if (type === '01') {
    // If the system has just recorded the start by itself, that event is the one that the client requests.
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
    await lockChain(lost, environment, 'events')
    const found = await eventAt(lost, environment, sequence)
    return found?.huella_evento === event.huella_evento
  })
  return event
}

/** Records the start or the end of operation without VERI*FACTU at the request of a client. */
export async function emitEvent(tx: Tx, call: Call, type: SifEventRequest['tipo_evento']) {
  const period = await openPeriodOf(tx)
  if (period?.mode !== 'no_verifactu')
    throw new ApiError('verifactu_sif_not_applicable', { mode: period?.mode ?? 'no_activado' })
  try {
    return await emit(tx, call, period, type)
  } catch (error) {
    const items = unsignedItems(error)
    throw items ? failed(items) : error
  }
}

/** Returns the events of the company, newest first. */
export async function listEvents({ store }: Call, limit: number): Promise<readonly SifEvent[]> {
  const environment = (await environmentNow(store)) ?? 'test'
  const rows = await store
    .select('verifactu_events')
    .select(COLUMNS)
    // The order of the chain does not depend on clocks. The chain of the open period comes first.
    .orderBy(({ eb }) => eb('environment', '=', environment), 'desc')
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withoutEmptyHash)
}
