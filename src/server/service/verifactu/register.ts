/** Records of invoices: each is built, linked and stored in the transaction that needs it. */
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
import { type Replaced, replacesOption, storedReplacement } from '../invoice/replacements.ts'
import { advanceChain, type ChainEnd, lockChain, timestampOf } from './chain.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { recordOptions } from './record-options.ts'
import { type Finisher, finisherOf, unsignedItems } from './signing.ts'

/** A record with its columns. */
interface BuiltRecord
  extends Pick<Own<'verifactu_records'>, 'huella' | 'num_serie' | 'fecha_expedicion' | 'qr_url'> {
  readonly tipo: 'alta' | 'anulacion'
  readonly record: NonNullable<ChainEnd<'records'>['last']>
}

/** Where a record is stored, and how it is finished. */
interface ChainPosition {
  readonly invoiceId: string
  readonly period: VerifactuPeriod
  readonly end: ChainEnd<'records'>
  readonly finish: Finisher
}

/**
 * Locks the end of the chain of a period for a record of an invoice. Throws `not_signed`. `known` is the end if it was
 * locked before.
 */
async function lockEnd(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  known?: ChainEnd<'records'>,
): Promise<ChainPosition> {
  const finish = await finisherOf(tx, call, period)
  const end = known ?? (await lockChain(tx, environmentOf(period), 'records'))
  return { invoiceId, period, finish, end }
}

const hashIn = (record: BuiltRecord['record']): string =>
  ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).Huella

/** Returns the row of a record at the end of its chain. Throws `not_signed`. */
async function recordRow(
  { app }: Call,
  { invoiceId, period, end: { sequence, last }, finish }: ChainPosition,
  { record, ...columns }: BuiltRecord,
) {
  const ts_gen = timestampOf(record)
  // The order is: hash, signature, store.
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

/** The row of a record that is not stored yet. */
export type RecordRow = Awaited<ReturnType<typeof recordRow>>

/** Stores a record as the end of its chain. */
export async function storeRecord(tx: Tx, row: RecordRow): Promise<void> {
  await tx.insert('verifactu_records', row)
  await advanceChain(tx, row.environment, 'records', row.sequence, row.record)
}

/** Returns the problems of a record that could not be signed; rethrows any other error. */
function itemsOf(error: unknown): readonly ValidationItem[] {
  const items = unsignedItems(error)
  if (items) return items
  throw error
}

/** Facts about chain and system that were read before. */
export interface ChainFacts {
  readonly end?: ChainEnd<'records'> | undefined
  readonly hasSeveralTaxpayers?: boolean | undefined
}

/**
 * Builds the registration record of an invoice that is being issued and replaces the simplified invoice `replaced`.
 * Returns the problems if there is none.
 */
export const registrationFor = (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  replaced: Replaced | undefined,
  known: ChainFacts,
): Promise<RecordRow | readonly ValidationItem[]> =>
  registration(tx, call, period, invoiceId, data, replacesOption(replaced), known).catch(itemsOf)

/** Options of a further registration record. */
export type FurtherRegistration = Pick<RegistrationOptions, 'correction' | 'recipient_not_in_census'>

type OptionsOfInvoice = FurtherRegistration & Pick<RegistrationOptions, 'replaces'>

/**
 * Builds and stores a further registration record, which corrects an earlier one. Returns the problems if there is
 * none.
 */
export const register = async (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  further: FurtherRegistration,
): Promise<readonly ValidationItem[]> => {
  const options = { ...further, ...(await storedReplacement(tx, invoiceId, data)) }
  const made = await registration(tx, call, period, invoiceId, data, options).catch(itemsOf)
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
  further: OptionsOfInvoice,
  { end, hasSeveralTaxpayers }: ChainFacts = {},
): Promise<RecordRow | readonly ValidationItem[]> {
  const place = await lockEnd(tx, call, period, invoiceId, end)
  const made = registrationRecord(data, {
    ...(await recordOptions(
      tx,
      call,
      place.end.last,
      data.invoice.issue_data.issue_date,
      hasSeveralTaxpayers,
    )),
    ...(await correctedSurcharge(tx, data)),
    ...further,
  })
  if (!made.ok) return made.items
  const { RegistroAlta } = made.record
  const verifiable = period.mode === 'verifactu'
  return recordRow(call, place, {
    tipo: 'alta',
    record: made.record,
    huella: made.hash,
    num_serie: RegistroAlta.IDFactura.NumSerieFactura,
    fecha_expedicion: RegistroAlta.IDFactura.FechaExpedicionFactura,
    qr_url: qrUrlOf(RegistroAlta, { environment: environmentOf(period), verifiable }),
  })
}

/**
 * Builds and stores the cancellation record of a registered invoice. Returns whether it did: an invoice without a
 * registration needs none, and a missing record does not prevent the cancellation of the invoice.
 */
export async function registerCancellation(tx: Tx, call: Call, invoiceId: string): Promise<boolean> {
  const items = await firstCancellation(tx, call, invoiceId)
  if (items === null) return false
  const codes = items.map(({ code }) => code)
  if (codes.length > 0) call.app.log.warn({ request_id: call.requestId, codes }, 'no cancellation record')
  return codes.length === 0
}

/** Builds the cancellation record. Returns the problems if there is none, null if there is nothing to cancel. */
async function firstCancellation(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<readonly ValidationItem[] | null> {
  const period = await openPeriodOf(tx)
  if (!period) return null
  const [latest, ...others] = await registrationsOf(tx, period, invoiceId)
  if (!latest) return null
  // The authority cancels an unknown invoice only if the record declares that it is unknown (SinRegistroPrevio).
  const isUnknown = ![latest, ...others].some(({ estado }) => TAKEN.includes(estado))
  const further = period.mode === 'verifactu' && isUnknown ? { never_registered: true } : {}
  return cancel(tx, call, period, invoiceId, latest.record, further)
}

/** Statuses of registrations that the authority has, or will have. */
const TAKEN = ['pending', 'accepted', 'accepted_with_errors']

/** Returns the registrations of an invoice, latest first. Those of the test service are unknown to production. */
export const registrationsOf = (tx: Tx, period: VerifactuPeriod, invoiceId: string) =>
  tx
    .find('verifactu_records', { invoice_id: invoiceId, tipo: 'alta', environment: environmentOf(period) })
    .select(['record', 'estado'])
    .orderBy('sequence', 'desc')
    .execute()

export type FurtherCancellation = Pick<CancellationOptions, 'rejected' | 'never_registered'>

/** Builds and stores a cancellation record of a registration. Returns the problems if there is none. */
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
  const place = await lockEnd(tx, call, period, invoiceId)
  const target = fromJson(registration)
  if (!('RegistroAlta' in target)) throw new Error('Only a registration record can be cancelled.')
  const options = await recordOptions(tx, call, place.end.last)
  const made = cancellationRecord(target, { ...options, ...further })
  if (!made.ok) return made.items
  const { IDFactura } = made.record.RegistroAnulacion
  const row = await recordRow(call, place, {
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
