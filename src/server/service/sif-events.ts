/** Events of the invoicing system in mode `no_verifactu`: a chain of their own (art. 9 Orden HAC/1177/2024). */
import type { ValidationItem } from '../../invoice/index.ts'
import { eventRecord, recordXml } from '../../verifactu/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Tx } from '../store/store.ts'
import type { Call } from './call.ts'
import { finisherOf, NotSigned } from './signing.ts'
import {
  advanceChain,
  environmentOf,
  lockChain,
  momentAfter,
  openPeriodOf,
  sha256,
  systemNow,
  type VerifactuPeriod,
} from './verifactu-records.ts'

const COLUMNS = [
  'tipo_evento',
  'mode',
  'environment',
  'fecha_hora_huso_gen_evento',
  'huella_evento',
  'huella_evento_anterior',
  'created_at',
] as const

const answerOf = <E extends { readonly huella_evento_anterior: string }>(event: E) => ({
  ...event,
  huella_evento_anterior: event.huella_evento_anterior || null,
})

const failed = (errors: readonly ValidationItem[]): ApiError =>
  new ApiError('verifactu_sif_emit_error', { errors })

async function emit(tx: Tx, call: Call, period: VerifactuPeriod, type: '01' | '02') {
  const { app, company, locale } = call
  const environment = environmentOf(period)
  const finish = await finisherOf(tx.db, call, period)
  const { sequence, last } = await lockChain(tx, company.id, environment, 'events')
  const made = eventRecord({
    type,
    taxpayer: { NombreRazon: company.data.legal_name, NIF: company.data.tax_id },
    system: await systemNow(tx.db, app),
    previous: last as never,
    moment: momentAfter(call, last),
    hash: sha256,
    locale,
  })
  if (!made.ok) throw failed(made.items)
  const { FechaHoraHusoGenEvento, HuellaEvento, Encadenamiento } = made.record.RegistroEvento.Evento
  const { xml } = await finish(recordXml(made.record), FechaHoraHusoGenEvento)
  const event = {
    tipo_evento: type,
    mode: period.mode,
    environment,
    fecha_hora_huso_gen_evento: FechaHoraHusoGenEvento,
    huella_evento: HuellaEvento,
    huella_evento_anterior: Encadenamiento.EventoAnterior?.HuellaEvento ?? '',
    created_at: app.clock.stamp(),
  }
  await tx.db
    .insertInto('verifactu_events')
    .values({
      ...event,
      company_id: company.id,
      sequence: sequence + 1,
      record: JSON.stringify(made.record),
      xml,
    })
    .execute()
  await advanceChain(tx, company.id, environment, 'events', sequence + 1, made.record)
  tx.leaves(async (db) => {
    await lockChain({ ...tx, db }, company.id, environment, 'events')
    const found = await db
      .selectFrom('verifactu_events')
      .select('huella_evento')
      .where('company_id', '=', company.id)
      .where('environment', '=', environment)
      .where('sequence', '=', sequence + 1)
      .executeTakeFirst()
    return found?.huella_evento === HuellaEvento
  })
  return answerOf(event)
}

/** Records the start or the end of working as a system without VERI*FACTU. */
export async function emitEvent(tx: Tx, call: Call, type: '01' | '02') {
  const period = await openPeriodOf(tx.db, call.company.id)
  if (period?.mode !== 'no_verifactu')
    throw new ApiError('verifactu_sif_not_applicable', { mode: period?.mode ?? 'no_activado' })
  try {
    return await emit(tx, call, period, type)
  } catch (error) {
    throw error instanceof NotSigned ? failed(error.items) : error
  }
}

/** Events of the company, newest first. */
export async function listEvents({ app, company, query }: Call) {
  const rows = await app.store.read
    .selectFrom('verifactu_events')
    .select(COLUMNS)
    .where('company_id', '=', company.id)
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(Number(query.limit))
    .execute()
  return rows.map(answerOf)
}
