/** Events of the invoicing software in mode `no_verifactu`, in their own chain (art. 9 Orden HAC/1177/2024). */
import type { ValidationItem } from '#core/invoice/index.ts'
import { type EventOptions, eventRecord, recordXml } from '#records/verifactu/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SifEvent } from '../../shapes/schemas.ts'
import type { Tx } from '../../store/store.ts'
import { toJson } from '../../store/stored-json.ts'
import { advanceChain, lockChain, timestampNotBefore } from './company-chains.ts'
import { otherProducerItems, sha256, systemOf } from './record-options.ts'
import { finisherOf, type SigningContext, unsignedItems } from './signing.ts'
import { environmentOf, requirePeriodOpen, type VerifactuPeriod } from './verifactu-period.ts'

/** Returns an event in the form of the API: the first event has no previous hash. */
export const withoutEmptyHash = (event: SifEvent): SifEvent => ({
  ...event,
  huella_evento_anterior: event.huella_evento_anterior || null,
})

/** Returns the error for an event that is invalid or cannot be signed. */
export const eventFailed = (errors: readonly ValidationItem[]): ApiError =>
  new ApiError('verifactu_sif_emit_error', { errors })

/**
 * Whether the error means that no event could be generated: it cannot be signed, is invalid, or its chain belongs to
 * another producer.
 */
export const isEventImpossible = (error: unknown): boolean =>
  unsignedItems(error) !== null ||
  otherProducerItems(error, 'en') !== null ||
  (error instanceof ApiError && error.code === 'verifactu_sif_emit_error')

/** The content of an event. */
export type EventContent = Pick<EventOptions, 'type' | 'data' | 'text'>

/** An event with its sequence in the chain. */
export interface WrittenEvent extends SifEvent {
  readonly sequence: number
}

/**
 * Builds, signs and stores the next event. The chain of events stays locked until the transaction ends. If no signature
 * is possible, throws `not_signed` before anything is written.
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
  const end = await lockChain(tx, app, environment, 'events')
  const { sequence, last } = end
  await requirePeriodOpen(tx, { mode: period.mode, environment })
  const made = eventRecord({
    ...content,
    taxpayer: { NombreRazon: company.data.legal_name, NIF: company.data.tax_id },
    system: await systemOf(tx, app, environment, 'events', end),
    previous: last,
    timestamp: timestampNotBefore(app.clock.timestamp(), last),
    hash: sha256,
    locale,
  })
  if (!made.ok) throw eventFailed(made.items)
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
