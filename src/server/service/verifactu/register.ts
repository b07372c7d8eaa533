/** Records of invoices: each is made, linked and stored in the transaction that needs it. */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import {
  type CancellationOptions,
  cancellationRecord,
  type FiscalRecord,
  qrUrlOf,
  type RegistrationOptions,
  recordXml,
  registrationRecord,
} from '../../../verifactu/index.ts'
import { fromJson, type Json, toJson } from '../../store/json.ts'
import type { Own, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { advanceChain, type ChainEnd, lockChain, timestampOf } from './chain.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { recordOptions } from './record-options.ts'
import { type Finisher, finisherOf, unsignedItems } from './signing.ts'

/** A record with the columns that are its own. */
interface Made
  extends Pick<Own<'verifactu_records'>, 'huella' | 'num_serie' | 'fecha_expedicion' | 'qr_url'> {
  readonly tipo: 'alta' | 'anulacion'
  readonly record: NonNullable<ChainEnd<'records'>['last']>
}

/** Where a record goes, and what finishes it. */
interface Place {
  readonly invoiceId: string
  readonly period: VerifactuPeriod
  readonly end: ChainEnd<'records'>
  readonly finish: Finisher
}

/**
 * The end of the chain of a period, locked, for a record of an invoice. Throws `not_signed`. `known` is the end where it
 * was locked before.
 */
async function placeFor(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  known?: ChainEnd<'records'>,
): Promise<Place> {
  const finish = await finisherOf(tx, call, period)
  const end = known ?? (await lockChain(tx, environmentOf(period), 'records'))
  return { invoiceId, period, finish, end }
}

const hashIn = (record: Made['record']): string =>
  ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).Huella

/** A record as its row, in its place in the chain. Throws `not_signed`. */
async function rowOf(
  { app }: Call,
  { invoiceId, period, end: { sequence, last }, finish }: Place,
  { record, ...columns }: Made,
) {
  const ts_gen = timestampOf(record)
  // First the hash, then the signature, then the store.
  const { xml, estado } = await finish(recordXml(record), ts_gen)
  const stamp = app.clock.stamp()
  return {
    environment: environmentOf(period),
    sequence: sequence + 1,
    record_id: randomUUID(),
    invoice_id: invoiceId,
    mode: period.mode,
    estado,
    huella_anterior: last ? hashIn(last) : '',
    ...columns,
    record: toJson(record),
    xml_sent: xml,
    ts_gen,
    created_at: stamp,
    updated_at: stamp,
  }
}

/** The row of a record that is made and not stored yet. */
export type RecordRow = Awaited<ReturnType<typeof rowOf>>

/** Stores a record as the end of its chain. */
export async function storeRecord(tx: Tx, row: RecordRow): Promise<void> {
  await tx.insert('verifactu_records', row)
  await advanceChain(tx, row.environment, 'records', row.sequence, row.record)
}

/** The items of a record that could not be signed; any other error goes on. */
function itemsOf(error: unknown): readonly ValidationItem[] {
  const items = unsignedItems(error)
  if (items) return items
  throw error
}

/** What is known of the chain and the system, where it was read before. */
export interface Known {
  readonly end?: ChainEnd<'records'> | undefined
  readonly isOfSeveral?: boolean | undefined
}

/** Makes the registration record of an invoice that is being issued. Answers why there is none. */
export const registrationFor = (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  known: Known,
): Promise<RecordRow | readonly ValidationItem[]> =>
  registration(tx, call, period, invoiceId, data, {}, known).catch(itemsOf)

/** What a further record of an invoice says besides its data. */
export type FurtherRegistration = Pick<RegistrationOptions, 'correction' | 'recipient_not_in_census'>

/** Makes and stores a further registration of an invoice, which corrects an earlier record. Answers why there is none. */
export const register = async (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  further: FurtherRegistration,
): Promise<readonly ValidationItem[]> => {
  const made = await registration(tx, call, period, invoiceId, data, further).catch(itemsOf)
  if (!('record' in made)) return made
  await storeRecord(tx, made)
  return []
}

async function registration(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  further: FurtherRegistration,
  { end, isOfSeveral }: Known = {},
): Promise<RecordRow | readonly ValidationItem[]> {
  const place = await placeFor(tx, call, period, invoiceId, end)
  const made = registrationRecord(data, {
    ...(await recordOptions(tx, call, place.end.last, data.invoice.issue_data.issue_date, isOfSeveral)),
    ...(await correctedSurcharge(tx, data)),
    ...further,
  })
  if (!made.ok) return made.items
  const { RegistroAlta } = made.record
  const verifiable = period.mode === 'verifactu'
  return rowOf(call, place, {
    tipo: 'alta',
    record: made.record,
    huella: made.hash,
    num_serie: RegistroAlta.IDFactura.NumSerieFactura,
    fecha_expedicion: RegistroAlta.IDFactura.FechaExpedicionFactura,
    qr_url: qrUrlOf(RegistroAlta, { environment: environmentOf(period), verifiable }),
  })
}

/**
 * Makes and stores the cancellation record of an invoice that was registered. Answers whether there is one: an
 * invoice without registration has nothing to cancel, and the cancellation of the invoice does not wait for it.
 */
export async function registerCancellation(tx: Tx, call: Call, invoiceId: string): Promise<boolean> {
  const items = await firstCancellation(tx, call, invoiceId)
  if (items === null) return false
  const codes = items.map(({ code }) => code)
  if (codes.length > 0) call.app.log.warn({ request_id: call.requestId, codes }, 'no cancellation record')
  return codes.length === 0
}

/** Why there is no cancellation record; null where there is nothing to cancel. */
async function firstCancellation(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<readonly ValidationItem[] | null> {
  const period = await openPeriodOf(tx)
  if (!period) return null
  const [latest, ...others] = await registrationsOf(tx, period, invoiceId)
  if (!latest) return null
  // What the authority never took it does not cancel: it is told that it has no record (reference 7.2).
  const isUnknown = ![latest, ...others].some(({ estado }) => TAKEN.includes(estado))
  const further = period.mode === 'verifactu' && isUnknown ? { never_registered: true } : {}
  return cancel(tx, call, period, invoiceId, latest.record, further)
}

/** Registrations that the authority has, or will have. */
const TAKEN = ['pending', 'accepted', 'accepted_with_errors']

/** Registrations of an invoice, the latest first. One of the test service is unknown to the production service. */
export const registrationsOf = (tx: Tx, period: VerifactuPeriod, invoiceId: string) =>
  tx
    .find('verifactu_records', { invoice_id: invoiceId, tipo: 'alta', environment: environmentOf(period) })
    .select(['record', 'estado'])
    .orderBy('sequence', 'desc')
    .execute()

export type FurtherCancellation = Pick<CancellationOptions, 'rejected' | 'never_registered'>

/** Makes and stores a cancellation record of an invoice, of its registration. Answers why there is none. */
export const cancel = (...of: Parameters<typeof cancellation>): Promise<readonly ValidationItem[]> =>
  cancellation(...of).catch(itemsOf)

async function cancellation(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  registration: Json<FiscalRecord>,
  further: FurtherCancellation,
): Promise<readonly ValidationItem[]> {
  const place = await placeFor(tx, call, period, invoiceId)
  const target = fromJson(registration)
  if (!('RegistroAlta' in target)) throw new Error('What is to be cancelled is no registration.')
  const options = await recordOptions(tx, call, place.end.last)
  const made = cancellationRecord(target, { ...options, ...further })
  if (!made.ok) return made.items
  const { IDFactura } = made.record.RegistroAnulacion
  const row = await rowOf(call, place, {
    tipo: 'anulacion',
    record: made.record,
    huella: made.hash,
    num_serie: IDFactura.NumSerieFacturaAnulada,
    fecha_expedicion: IDFactura.FechaExpedicionFacturaAnulada,
    qr_url: null,
  })
  await storeRecord(tx, row)
  return []
}
