/**
 * Records of invoices. Each record is built, linked and stored in the same transaction as the change of its invoice.
 */
import { randomUUID } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, ValidationItem } from '#core/invoice/index.ts'
import {
  type CancellationOptions,
  cancellationRecord,
  type FiscalRecord,
  qrUrlOf,
  type RegistrationOptions,
  recordXml,
  registrationRecord,
} from '#records/verifactu/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { CompanyRow, Tx } from '../../store/store.ts'
import { fromJson, type Json, toJson } from '../../store/stored-json.ts'
import type { CancellationGap, OpenGap } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { concurrentChangeError } from '../invoice/refusals.ts'
import { type Replaced, replacesOption, storedReplacement } from '../invoice/replacements.ts'
import { recordAtAuthority, recordsOfInvoice } from './at-authority.ts'
import { advanceChain, type ChainEnd, lockChain, timestampOf } from './company-chains.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { periodForGenerating } from './mode-change.ts'
import { otherProducerItems, recordOptions, systemOf } from './record-options.ts'
import { type Finisher, finisherOf, SIGNATURE_REQUIRED, unsignedItems } from './signing.ts'
import { environmentOf, isChangeDue, requirePeriodOpen, type VerifactuPeriod } from './verifactu-period.ts'

/** A record with the columns that are derived from it. */
interface BuiltRecord
  extends Pick<CompanyRow<'verifactu_records'>, 'huella' | 'num_serie' | 'fecha_expedicion' | 'qr_url'> {
  readonly tipo: 'alta' | 'anulacion'
  readonly record: NonNullable<ChainEnd<'records'>['last']>
}

/** Where a record is stored, and the function that signs it if necessary. */
interface ChainPosition {
  readonly invoiceId: string
  readonly period: VerifactuPeriod
  readonly end: ChainEnd<'records'>
  readonly finish: Finisher
}

/**
 * Locks the end of the chain of a period for a record of an invoice. Throws `not_signed`. `known` is the end if the
 * caller has already locked it.
 */
async function lockEnd(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  known?: ChainEnd<'records'>,
): Promise<ChainPosition> {
  const finish = await finisherOf(tx, call, period)
  const end = known ?? (await lockChain(tx, call.app, environmentOf(period), 'records'))
  return { invoiceId, period, finish, end }
}

const systemAt = (tx: Tx, { app }: Call, { period, end }: ChainPosition, hasSeveralTaxpayers?: boolean) =>
  systemOf(tx, app, environmentOf(period), 'records', end, hasSeveralTaxpayers)

const hashIn = (record: BuiltRecord['record']): string =>
  ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).Huella

/** Returns the row of a record at the end of its chain. Throws `not_signed`. */
async function recordRow(
  { app }: Call,
  { invoiceId, period, end: { sequence, last }, finish }: ChainPosition,
  { record, ...columns }: BuiltRecord,
) {
  const ts_gen = timestampOf(record)
  // The record is hashed first, then signed, then stored.
  const { xml, estado } = await finish(recordXml(record), ts_gen)
  // The day of a planned change may have begun after the period was read.
  if (isChangeDue(period, app.clock)) throw concurrentChangeError()
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
  if (tx.locks) await requirePeriodOpen(tx, row)
  await tx.insert('verifactu_records', row)
  await advanceChain(tx, row.environment, 'records', row.sequence, row.record)
}

/** Returns the problems of a record that could not be signed. Throws any other error again. */
function itemsOf(error: unknown): readonly ValidationItem[] {
  const items = unsignedItems(error)
  if (items) return items
  throw error
}

/** Returns a function that returns the problems of a further record, such as a system of another producer. */
const furtherItems =
  ({ locale }: Call) =>
  (error: unknown): readonly ValidationItem[] =>
    otherProducerItems(error, locale) ?? itemsOf(error)

/** Facts about chain and system that the caller has already read. */
export interface ChainFacts {
  readonly end?: ChainEnd<'records'> | undefined
  readonly hasSeveralTaxpayers?: boolean | undefined
}

/**
 * Builds the registration record of an invoice that is being issued. `replaced` is the simplified invoice that it
 * replaces, if any. Returns the problems if no record can be built.
 */
export const buildRegistration = (
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
 * Builds and stores a further registration record, which corrects an earlier one. Returns the problems if no record can
 * be built.
 */
export const storeFurtherRegistration = async (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
  further: FurtherRegistration,
): Promise<readonly ValidationItem[]> => {
  const options = { ...further, ...(await storedReplacement(tx, invoiceId, data)) }
  const made = await registration(tx, call, period, invoiceId, data, options).catch(furtherItems(call))
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
  const system = await systemAt(tx, call, place, hasSeveralTaxpayers)
  const made = registrationRecord(data, {
    ...recordOptions(call, system, place.end.last, data.invoice.issue_data.issue_date),
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

/** Why a cancellation record is missing (null if it is not), and the codes of the problems that prevented it. */
export interface CancellationOutcome {
  readonly gap: CancellationGap | null
  readonly codes: readonly string[]
}

/** Reasons why a cancellation record is missing, by the code of the problem that prevented it. */
const GAPS: Readonly<Record<string, OpenGap>> = {
  [SIGNATURE_REQUIRED]: 'no_certificate',
  'record.signature': 'not_signed',
  verifactu_other_producer: 'other_system',
}

/**
 * Builds and stores the cancellation record of an invoice. If no record can be built, the invoice is cancelled
 * nevertheless, and the result states what is missing and why.
 */
export async function registerCancellation(
  tx: Tx,
  call: Call,
  { invoice_id, imported, status }: InvoiceRow,
): Promise<CancellationOutcome> {
  const without = (gap: CancellationGap): CancellationOutcome => ({ gap, codes: [] })
  if (imported === 1) return without('imported')
  const registered = await tx
    .find('verifactu_records', { invoice_id, tipo: 'alta' })
    .select('environment')
    .distinct()
    .execute()
  if (registered.length === 0) return without('never_registered')
  // The customer already has an invoice with this status, so both parties must first agree on the cancellation (API
  // specification, "Cancel notes").
  if (status === 'sent') return without('sent')
  const period = await periodForGenerating(tx, call)
  const environment = period && environmentOf(period)
  if (!period || !registered.some((one) => one.environment === environment)) {
    const records = await Promise.all(
      registered.map((one) => recordsOfInvoice(tx, one.environment, invoice_id)),
    )
    const states = await Promise.all(records.map((own) => recordAtAuthority(tx, call.app, own)))
    if (states.every((state) => state === 'other')) return without('never_registered')
    return without(period ? 'other_environment' : 'no_period')
  }
  const { items, gap } = await makeCancellation(tx, call, period, invoice_id)
  const codes = items.map(({ code }) => code)
  if (items.length === 0) return { gap, codes }
  call.app.log.warn({ request_id: call.requestId, codes }, 'no cancellation record')
  return { gap: codes.map((code) => GAPS[code]).find((found) => found) ?? 'not_generated', codes }
}

/**
 * Builds and stores the cancellation record of a registered invoice. The record has `SinRegistroPrevio` if the
 * authority has no registration. Returns the problems if no record can be built. Without VERI*FACTU, `gap` is
 * `not_sent`, because the authority has the registration but does not receive the cancellation. If the authority has
 * another system's invoice with this number, a sent record would cancel that invoice, so none is generated.
 */
export async function makeCancellation(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
): Promise<{
  readonly items: readonly ValidationItem[]
  readonly gap: CancellationGap | null
  readonly options: FurtherCancellation
}> {
  const records = await recordsOfInvoice(tx, environmentOf(period), invoiceId)
  const registration = required(records.find(({ tipo }) => tipo === 'alta'))
  const state = await recordAtAuthority(tx, call.app, records)
  const isSent = period.mode === 'verifactu'
  if (isSent && state === 'other') return { items: [], options: {}, gap: 'never_registered' }
  const options = isSent && state === 'nothing' ? { never_registered: true } : {}
  const items = await storeCancellation(tx, call, period, invoiceId, registration.record, options)
  return { items, options, gap: !isSent && state === 'registration' ? 'not_sent' : null }
}

export type FurtherCancellation = Pick<CancellationOptions, 'rejected' | 'never_registered'>

/** Builds and stores the cancellation record of a registration. Returns the problems if no record can be built. */
export const storeCancellation = (
  ...of: Parameters<typeof cancellation>
): Promise<readonly ValidationItem[]> => cancellation(...of).catch(furtherItems(of[1]))

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
  const options = recordOptions(call, await systemAt(tx, call, place), place.end.last)
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
