/**
 * Generates further records of an invoice: the one that a response of the authority requires (AEAT web service
 * description 1.0.3), or the missing cancellation record of a cancelled invoice.
 */
import { CuadraError, required } from '#core/errors/index.ts'
import type { Text, ValidationItem } from '#core/invoice/index.ts'
import type { NextOptions } from '#records/verifactu/index.ts'
import { canonicalIn, documentOf, type InvoiceRow, lockInvoice, updateInvoice } from '../../store/invoices.ts'
import type { CompanyRow, Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import {
  adviceOn,
  isInSendingMode,
  type RecordAtAuthority,
  type ResponseAdvice,
  recordAtAuthority,
  recordsOfInvoice,
} from './at-authority.ts'
import { periodForGenerating } from './mode-change.ts'
import {
  type CorrectedRecipient,
  earlierRecipientCorrection,
  recipientOf,
  withRecipient,
} from './recipient.ts'
import {
  type FurtherRegistration,
  makeCancellation,
  storeCancellation,
  storeFurtherRegistration,
} from './register.ts'
import { type FinishedRecord, SIGNATURE_REQUIRED } from './signing.ts'
import { environmentOf, type VerifactuPeriod } from './verifactu-period.ts'

type RecordRow = CompanyRow<'verifactu_records'>

export interface Corrected {
  readonly tipo: RecordRow['tipo']
  readonly sequence: number
  readonly num_serie: string
  readonly huella: string
  readonly estado: FinishedRecord['estado']
  /** Sequence of the invoice's previous record. */
  readonly corrects: number
  readonly options: NextOptions
}

/** Corrected values for the record. The stored invoice does not change. */
export interface RecordCorrections extends Pick<FurtherRegistration, 'recipient_not_in_census'> {
  readonly recipient?: CorrectedRecipient
}

const isNamed = (recipient: CorrectedRecipient | undefined): boolean =>
  recipient?.name !== undefined || recipient?.id !== undefined

type Refuse = (messageText: Text) => never

/** Returns a function that throws the reason why no further record is generated, in the language of the call. */
const refusing =
  ({ locale }: Call): Refuse =>
  (messageText) => {
    throw new CuadraError(messageText[locale])
  }

const CORRECTED: Readonly<Record<RecordRow['tipo'], NextOptions>> = {
  alta: { correction: 'none' },
  anulacion: {},
}

/** Returns the options of the further record that a response requires. Throws if none is to be generated. */
function optionsAfterResponse(
  { next, options, remark }: ResponseAdvice,
  { num_serie, tipo }: RecordRow,
  refuse: Refuse,
): NextOptions {
  switch (next) {
    case 'correct':
      return options ?? CORRECTED[tipo]
    case 'fix_and_register':
      return options ?? {}
    // The authority has a record with other data. The further record replaces its data.
    case 'adopt':
      return CORRECTED.alta
    case 'revive':
      return options ?? CORRECTED.alta
    case 'done':
      return refuse({
        en: `The record of ${num_serie} needs no correction: the invoice was already cancelled at the tax authority${remark}.`,
        es: `El registro de ${num_serie} no requiere ninguna acción: la factura ya estaba anulada en la AEAT${remark}.`,
      })
    case 'use_form':
      return refuse({
        en: `The record of ${num_serie} cannot be corrected by a program${remark}: it was created with the form of the tax authority. Correct or cancel it there.`,
        es: `El registro de ${num_serie} no puede corregirse con un programa${remark}: se creó con el formulario de la AEAT. Corríjalo o anúlelo allí.`,
      })
    case 'query':
      return refuse({
        en: `The tax authority has a record of ${num_serie} but does not state its status${remark}. Check it with GET /verifactu/aeat-records and try again.`,
        es: `La AEAT tiene un registro de ${num_serie} y no indica en qué estado${remark}. Consulte GET /verifactu/aeat-records e inténtelo de nuevo.`,
      })
    default:
      return refuse({
        en: `The record of ${num_serie} is stored, and the remark of the tax authority${remark} requires no correction.`,
        es: `El registro de ${num_serie} está registrado y la observación de la AEAT${remark} no requiere corrección.`,
      })
  }
}

/** The data that a correction needs, besides the options of the command. */
interface Correcting {
  readonly tx: Tx
  readonly call: Call
  readonly period: VerifactuPeriod
  /** The records of the invoice in the environment of the period, latest first. */
  readonly records: readonly RecordRow[]
  readonly refuse: Refuse
}

/** Returns the options of a further record of the same type. Throws if none is to be generated. */
async function optionsFor(
  { tx, call, records, refuse }: Correcting,
  record: RecordRow,
): Promise<NextOptions> {
  switch (record.estado) {
    case 'pending':
      return refuse({
        en: `The last record of ${record.num_serie} is waiting to be sent, so there is no response yet. Run \`cuadra-admin verifactu send-now\` first.`,
        es: `El último registro de ${record.num_serie} está pendiente de envío: todavía no hay respuesta. Ejecute antes \`cuadra-admin verifactu send-now\`.`,
      })
    case 'accepted':
      return refuse({
        en: `The last record of ${record.num_serie} was accepted: there is nothing to correct.`,
        es: `El último registro de ${record.num_serie} se aceptó: no hay nada que corregir.`,
      })
    // The record is not sent in its mode. The authority has the invoice only if an earlier record was sent (table 7.1).
    case 'registered':
    case 'signature_pending':
      return (await recordAtAuthority(tx, call.app, records)) === 'nothing'
        ? { correction: 'never_registered' }
        : CORRECTED.alta
    default:
      return optionsAfterResponse(await adviceOn(tx, record), record, refuse)
  }
}

const joinedMessages = (items: readonly ValidationItem[]): string =>
  items.map(({ message }) => message).join(' ')

interface Correction {
  /** Sequence of the invoice's previous record. */
  readonly corrects: number
  readonly options: NextOptions
  readonly items: readonly ValidationItem[]
}

/**
 * Generates the further registration that the last response requires. After the VERI*FACTU period was closed, the
 * registration is part of the period without VERI*FACTU: it is signed and stored, but not sent (Orden HAC/1177/2024).
 */
async function correctRegistration(
  correcting: Correcting,
  { invoice_id }: InvoiceRow,
  { recipient, ...corrections }: RecordCorrections,
): Promise<Correction> {
  const { tx, call, period, records, refuse } = correcting
  const record = required(records[0])
  if (period.mode !== 'verifactu' && !isInSendingMode(record))
    refuse({
      en: `The last record of ${record.num_serie} was made without VERI*FACTU and is not sent, so the tax authority requires no correction of it.`,
      es: `El último registro de ${record.num_serie} se generó sin VERI*FACTU y no se envía, así que la AEAT no exige corregirlo.`,
    })
  const options = await optionsFor(correcting, record)
  const registration = records.find(({ tipo }) => tipo === 'alta')
  if (isNamed(recipient) && registration && !recipientOf(fromJson(registration.record)))
    refuse({
      en: `The record of ${record.num_serie} has no recipient to correct.`,
      es: `El registro de ${record.num_serie} no tiene ningún destinatario que corregir.`,
    })
  const data = canonicalIn(await documentOf(tx, invoice_id))
  // Earlier corrections of the recipient remain in force.
  const named = { ...earlierRecipientCorrection(registration?.record), ...recipient }
  const further = { correction: options.correction ?? 'none', ...corrections }
  const items = await storeFurtherRegistration(
    tx,
    call,
    period,
    invoice_id,
    withRecipient(data, named),
    further,
  )
  return { corrects: record.sequence, options, items }
}

/**
 * Throws if no cancellation record may be generated: the authority has the invoice as cancelled, has a record of
 * another system or its own form, or the status there is unclear.
 */
async function requireCancellable(
  { tx, records, refuse }: Correcting,
  state: RecordAtAuthority,
): Promise<void> {
  if (state === 'nothing' || state === 'registration') return
  const record = required(records[0])
  const { num_serie } = record
  const { remark } = await adviceOn(tx, record)
  if (state === 'cancellation')
    refuse({
      en: `${num_serie} is cancelled here and at the tax authority${remark}: nothing is left to do.`,
      es: `${num_serie} está anulada aquí y en la AEAT${remark}: no queda nada por hacer.`,
    })
  if (state === 'other')
    refuse({
      en: `The tax authority has a record of ${num_serie} from another system${remark} and never accepted a record of this invoice. A cancellation would cancel the invoice of the other system, so no cancellation is made and no action is needed. If it is the same invoice, cancel it with the form of the tax authority.`,
      es: `La AEAT tiene un registro de ${num_serie} de otro sistema${remark} y nunca aceptó uno de esta factura. Una anulación anularía la factura del otro sistema, así que no se genera ninguna y no hay que hacer nada. Si es la misma factura, anúlela con el formulario de la AEAT.`,
    })
  const next = state === 'form' ? 'use_form' : 'query'
  optionsAfterResponse({ next, options: null, remark }, record, refuse)
}

/** Generates the missing cancellation record of a cancelled invoice, or a further one that a response requires. */
async function correctCancellation(correcting: Correcting, invoice: InvoiceRow): Promise<Correction> {
  const { tx, call, period, records, refuse } = correcting
  const latest = required(records[0])
  const { num_serie, sequence } = latest
  const made = records.find(({ tipo }) => tipo === 'anulacion')
  const isSending = period.mode === 'verifactu'
  const state = await recordAtAuthority(tx, call.app, records)
  if (made && !isSending && state === 'registration')
    refuse({
      en: `${num_serie} has its cancellation record, which is not sent without VERI*FACTU: the tax authority still has the invoice as valid. If the company uses VERI*FACTU again, run this command then, and the cancellation is sent.`,
      es: `${num_serie} tiene su registro de anulación, que sin VERI*FACTU no se envía: la AEAT sigue teniendo la factura como válida. Si la empresa vuelve a usar VERI*FACTU, ejecute entonces este comando y la anulación se enviará.`,
    })
  if (made && !isSending)
    refuse({
      en: `${num_serie} has its cancellation record, which is not sent without VERI*FACTU: nothing is left to do.`,
      es: `${num_serie} tiene su registro de anulación, que sin VERI*FACTU no se envía: no queda nada por hacer.`,
    })
  if (made && made === latest && isInSendingMode(made) && state !== 'other') {
    const { correction: _, ...options } = await optionsFor(correcting, made)
    const registration = required(records.find(({ tipo }) => tipo === 'alta'))
    const items = await storeCancellation(tx, call, period, invoice.invoice_id, registration.record, options)
    return { corrects: sequence, options, items }
  }
  if (isSending) await requireCancellable(correcting, state)
  const { items, gap, options } = await makeCancellation(tx, call, period, invoice.invoice_id)
  if (items.length === 0) await updateInvoice(tx, invoice, { cancellation_gap: gap })
  return { corrects: sequence, options, items }
}

/**
 * Generates the missing record of an invoice, or the one that the response to its last record requires. It is sent as
 * usual. Throws a `CuadraError` with the reason if no record is needed or possible.
 */
export async function correctRecord(
  tx: Tx,
  call: Call,
  invoiceId: string,
  corrections: RecordCorrections = {},
): Promise<Corrected> {
  const refuse = refusing(call)
  const invoice = await lockInvoice(tx, invoiceId)
  if (invoice?.direction !== 'issued')
    return refuse({
      en: `Unknown issued invoice ${invoiceId}.`,
      es: `La empresa no tiene ninguna factura emitida ${invoiceId}.`,
    })
  const period = await periodForGenerating(tx, call)
  if (!period)
    return refuse({
      en: 'The company has no open VeriFactu period, so no record can be made. Open one with `cuadra-admin verifactu period open`.',
      es: 'La empresa no tiene ningún periodo de VeriFactu abierto, así que no puede generarse ningún registro. Abra uno con `cuadra-admin verifactu period open`.',
    })
  const environment = environmentOf(period)
  const records = await recordsOfInvoice(tx, environment, invoiceId)
  if (records.length === 0)
    return refuse({
      en: `The invoice ${invoiceId} has no VeriFactu record, so there is nothing to correct.`,
      es: `La factura ${invoiceId} no tiene registro de VeriFactu, así que no hay nada que corregir.`,
    })
  const isCancelled = invoice.status === 'cancelled'
  if (isCancelled && (isNamed(corrections.recipient) || corrections.recipient_not_in_census))
    refuse({
      en: `The invoice ${invoice.number} is cancelled, and a cancellation record has no recipient. Run the command without the options for the recipient.`,
      es: `La factura ${invoice.number} está anulada, y un registro de anulación no lleva destinatario. Ejecute el comando sin las opciones de destinatario.`,
    })
  const correcting = { tx, call, period, records, refuse }
  const { items, ...made } = isCancelled
    ? await correctCancellation(correcting, invoice)
    : await correctRegistration(correcting, invoice, corrections)
  if (items.length > 0) {
    const add = `\`cuadra-admin certificate add --company ${tx.companyId}\``
    const isUnsigned = items.some(({ code }) => code === SIGNATURE_REQUIRED)
    refuse({
      en: `The record cannot be generated. ${joinedMessages(items)}${isUnsigned ? ` Command: ${add}.` : ''}`,
      es: `No se puede generar el registro. ${joinedMessages(items)}${isUnsigned ? ` Comando: ${add}.` : ''}`,
    })
  }
  const [last] = await recordsOfInvoice(tx, environment, invoiceId)
  const { tipo, sequence, num_serie, huella, estado } = required(last)
  return { tipo, sequence, num_serie, huella, estado: estado as FinishedRecord['estado'], ...made }
}
