/**
 * Further records of an invoice after a response of the authority (AEAT web service description 1.0.3). The instruction
 * was stored with the response; here it becomes a record at the end of the chain.
 */
import { CuadraError } from '../../../errors/index.ts'
import type { Text, ValidationItem } from '../../../invoice/index.ts'
import type { NextOptions } from '../../../verifactu/index.ts'
import { canonicalIn, documentOf, lockInvoice } from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Own, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { type CorrectedRecipient, correctedBefore, recipientOf, withRecipient } from './recipient.ts'
import { cancel, type FurtherRegistration, register, registrationsOf } from './register.ts'

type RecordRow = Own<'verifactu_records'>

export interface Corrected {
  readonly tipo: RecordRow['tipo']
  readonly sequence: number
  readonly num_serie: string
  readonly huella: string
  /** Sequence of the record that it corrects. */
  readonly corrects: number
  readonly options: NextOptions
}

/** Corrections of the record. The stored invoice stays as it was issued. */
export interface RecordCorrections extends Pick<FurtherRegistration, 'recipient_not_in_census'> {
  readonly recipient?: CorrectedRecipient
}

type Refuse = (messageText: Text) => never

/** Returns a function that throws the reason why no record is needed, in the language of the call. */
const refusing =
  ({ locale }: Call): Refuse =>
  (messageText) => {
    throw new CuadraError(messageText[locale])
  }

async function latestOf(
  tx: Tx,
  period: VerifactuPeriod,
  invoiceId: string,
  refuse: Refuse,
): Promise<RecordRow> {
  const row = await tx
    .find('verifactu_records', { invoice_id: invoiceId, environment: environmentOf(period) })
    .selectAll()
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    row ??
    refuse({
      en: `The invoice ${invoiceId} has no VeriFactu record, so there is nothing to correct.`,
      es: `La factura ${invoiceId} no tiene registro de VeriFactu, así que no hay nada que corregir.`,
    })
  )
}

/** Returns what the response to a record asks for. */
async function adviceOn(tx: Tx, record: RecordRow) {
  const line = await tx
    .find('verifactu_submission_lines', {
      submission_id: record.submission_id ?? '',
      sequence: record.sequence,
    })
    .select(['next_step', 'next_options', 'codigo_error', 'descripcion_error'])
    .orderBy('line', 'desc')
    .limit(1)
    .executeTakeFirst()
  const next = line?.next_step ?? 'none'
  const options = line?.next_options ? fromJson(line.next_options) : null
  const code = line?.codigo_error ?? null
  return { next, options, remark: code === null ? '' : ` (${code}: ${line?.descripcion_error ?? ''})` }
}

const CORRECTED: Readonly<Record<RecordRow['tipo'], NextOptions>> = {
  alta: { correction: 'none' },
  anulacion: {},
}

/** Returns the options of the further record after a response. Throws if none is to be made. */
async function optionsAfterResponse(
  tx: Tx,
  record: RecordRow,
  isCancelled: boolean,
  refuse: Refuse,
): Promise<NextOptions> {
  const { next, options, remark } = await adviceOn(tx, record)
  const { num_serie } = record
  switch (next) {
    case 'correct':
      return options ?? CORRECTED[record.tipo]
    case 'fix_and_register':
      return options ?? {}
    // The authority has another record than ours: replace its data.
    case 'adopt':
      return CORRECTED.alta
    case 'revive':
      if (isCancelled)
        refuse({
          en: `The record of ${num_serie} was rejected because the invoice is cancelled at the tax authority${remark}, and it is cancelled here too.`,
          es: `El registro de ${num_serie} se rechazó porque la factura está anulada en la AEAT${remark}, y aquí también está anulada.`,
        })
      return options ?? CORRECTED.alta
    case 'done':
      return refuse({
        en: `The record of ${num_serie} needs no correction: the invoice was already cancelled at the tax authority${remark}.`,
        es: `El registro de ${num_serie} no requiere ninguna acción: la factura ya estaba anulada en la AEAT${remark}.`,
      })
    case 'use_form':
      return refuse({
        en: `The record of ${num_serie} cannot be corrected by a program${remark}: the record at the tax authority was created with its own form. Correct or cancel the record there.`,
        es: `El registro de ${num_serie} no puede corregirse con un programa${remark}: el que tiene la AEAT se hizo con su formulario. Corríjalo o anúlelo allí.`,
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

function optionsFor(
  tx: Tx,
  record: RecordRow,
  isCancelled: boolean,
  refuse: Refuse,
): Promise<NextOptions> | NextOptions {
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
    // Made while nothing was sent: the authority has no record of the invoice (table 7.1, last row).
    case 'registered':
    case 'signature_pending':
      return record.tipo === 'alta' ? { correction: 'never_registered' } : { never_registered: true }
    default:
      return optionsAfterResponse(tx, record, isCancelled, refuse)
  }
}

const joinedMessages = (items: readonly ValidationItem[]): string =>
  items.map(({ message }) => message).join(' ')

/**
 * Makes the further record that the response to the last record of an invoice asks for, to be sent as usual. Throws a
 * `CuadraError` with the reason if none is needed or possible.
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
    refuse({
      en: `Unknown issued invoice ${invoiceId}.`,
      es: `La empresa no tiene ninguna factura emitida ${invoiceId}.`,
    })
  const period = await openPeriodOf(tx)
  if (period?.mode !== 'verifactu')
    return refuse({
      en: 'The company has no open period in mode verifactu, so there is no sent record to correct. Open one with `cuadra-admin verifactu period open`.',
      es: 'La empresa no tiene ningún periodo abierto en modalidad verifactu, así que no se ha enviado ningún registro que pueda corregirse. Abra uno con `cuadra-admin verifactu period open`.',
    })
  const record = await latestOf(tx, period, invoiceId, refuse)
  const options = await optionsFor(tx, record, invoice?.status === 'cancelled', refuse)
  const items = await make(tx, call, period, record, options, corrections)
  if (items.length > 0)
    refuse({
      en: `The record cannot be generated. ${joinedMessages(items)}`,
      es: `No se puede generar el registro. ${joinedMessages(items)}`,
    })
  const made = await latestOf(tx, period, invoiceId, refuse)
  const { tipo, sequence, num_serie, huella } = made
  return { tipo, sequence, num_serie, huella, corrects: record.sequence, options }
}

async function make(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  { tipo, invoice_id, num_serie }: RecordRow,
  { correction, ...cancellation }: NextOptions,
  { recipient = {}, ...corrections }: RecordCorrections,
): Promise<readonly ValidationItem[]> {
  const refuse = refusing(call)
  const [registration] = await registrationsOf(tx, period, invoice_id)
  const isCorrected = recipient.name !== undefined || recipient.id !== undefined
  if (tipo === 'alta') {
    if (isCorrected && registration && !recipientOf(fromJson(registration.record)))
      refuse({
        en: `The record of ${num_serie} has no recipient to correct.`,
        es: `El registro de ${num_serie} no tiene ningún destinatario que corregir.`,
      })
    const data = canonicalIn(await documentOf(tx, invoice_id))
    // Earlier corrections of the recipient still apply.
    const named = { ...correctedBefore(registration?.record), ...recipient }
    const further = { correction: correction ?? 'none', ...corrections }
    return register(tx, call, period, invoice_id, withRecipient(data, named), further)
  }
  if (isCorrected || corrections.recipient_not_in_census)
    refuse({
      en: `The last record of ${num_serie} is a cancellation, which has no recipient. Run the command without the options for the recipient.`,
      es: `El último registro de ${num_serie} es una anulación, que no lleva destinatario. Ejecute el comando sin las opciones de destinatario.`,
    })
  return registration
    ? cancel(tx, call, period, invoice_id, registration.record, cancellation)
    : refuse({
        en: `The invoice ${invoice_id} has no registration record to cancel.`,
        es: `La factura ${invoice_id} no tiene ningún registro de alta que anular.`,
      })
}
