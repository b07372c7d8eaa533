/**
 * What the company does after the authority has answered: the further record of an invoice that the answer asks for
 * (reference 7.1 and 7.2). The advice was written down with the answer; here it becomes a record at the end of the chain.
 */
import { CuadraError } from '../../../errors/index.ts'
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import type { NextOptions, NextStep } from '../../../verifactu/index.ts'
import { documentOf, lockInvoice } from '../../store/invoices.ts'
import type { Own, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { cancel, type FurtherRegistration, register, registrationsOf } from './register.ts'

type RecordRow = Own<'verifactu_records'>

export interface Corrected {
  readonly tipo: RecordRow['tipo']
  readonly sequence: number
  readonly num_serie: string
  readonly huella: string
  /** Of the record that it corrects. */
  readonly corrects: number
  readonly options: NextOptions
}

/** Why there is no record to make, in the words of whoever asks. */
const refuse = (words: string): never => {
  throw new CuadraError(words)
}

async function latestOf(tx: Tx, period: VerifactuPeriod, invoiceId: string): Promise<RecordRow> {
  const row = await tx
    .select('verifactu_records')
    .selectAll()
    .where('invoice_id', '=', invoiceId)
    .where('environment', '=', environmentOf(period))
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? refuse(`The invoice ${invoiceId} has no VeriFactu record, so there is nothing to correct.`)
}

/** What the answer to a record asks for. */
async function adviceOn(tx: Tx, record: RecordRow) {
  const line = await tx
    .select('verifactu_submission_lines')
    .select(['next_step', 'next_options', 'codigo_error', 'descripcion_error'])
    .where('submission_id', '=', record.submission_id ?? '')
    .where('sequence', '=', record.sequence)
    .orderBy('line', 'desc')
    .limit(1)
    .executeTakeFirst()
  const next = (line?.next_step ?? 'none') as NextStep
  const options = line?.next_options ? (JSON.parse(line.next_options) as NextOptions) : null
  const code = line?.codigo_error ?? null
  return { next, options, said: code === null ? '' : ` (${code}: ${line?.descripcion_error ?? ''})` }
}

const CORRECTED: Readonly<Record<RecordRow['tipo'], NextOptions>> = {
  alta: { correction: 'none' },
  anulacion: {},
}

/** Options of the further record after an answer; throws where none is to be made. */
async function answeredOptions(tx: Tx, record: RecordRow, isCancelled: boolean): Promise<NextOptions> {
  const { next, options, said } = await adviceOn(tx, record)
  const name = `The record of ${record.num_serie}`
  switch (next) {
    case 'correct':
      return options ?? CORRECTED[record.tipo]
    case 'mend_and_register':
      return options ?? {}
    // Ours was compared with what the authority has, and it is another one: its data are replaced.
    case 'adopt':
      return CORRECTED.alta
    case 'revive':
      if (isCancelled)
        refuse(
          `${name} was refused because the invoice is cancelled at the authority${said}, and it is cancelled here too.`,
        )
      return options ?? CORRECTED.alta
    case 'done':
      return refuse(`${name} asks for nothing: the authority had cancelled the invoice before${said}.`)
    case 'use_form':
      return refuse(
        `${name} cannot be corrected by a program${said}: what the authority has was made with its own form. Correct or cancel it there.`,
      )
    case 'query':
      return refuse(
        `The authority has a record of ${record.num_serie} and does not say in which state${said}. See GET /verifactu/aeat-records, then try again.`,
      )
    default:
      return refuse(
        `${name} asks for nothing: it is stored, and what was remarked${said} needs no correction.`,
      )
  }
}

function optionsFor(tx: Tx, record: RecordRow, isCancelled: boolean): Promise<NextOptions> | NextOptions {
  switch (record.estado) {
    case 'pending':
      return refuse(
        `The last record of ${record.num_serie} waits to be sent: there is no answer yet. Try \`cuadra-admin verifactu send-now\` first.`,
      )
    case 'accepted':
      return refuse(`The last record of ${record.num_serie} was accepted: there is nothing to correct.`)
    // Made while nothing was sent: the authority has no record of the invoice (table 7.1, last row).
    case 'registered':
    case 'signature_pending':
      return record.tipo === 'alta' ? { correction: 'never_registered' } : { never_registered: true }
    default:
      return answeredOptions(tx, record, isCancelled)
  }
}

const wordsOf = (items: readonly ValidationItem[]): string => items.map(({ message }) => message).join(' ')

/**
 * Makes the record that the answer to the last one of an invoice asks for, and leaves it to be sent. Throws a
 * `CuadraError` where none is to be made, or where it cannot be made, with the reason.
 */
export async function correctRecord(
  tx: Tx,
  call: Call,
  invoiceId: string,
  mended: Pick<FurtherRegistration, 'recipient_not_in_census'> = {},
): Promise<Corrected> {
  const invoice = await lockInvoice(tx, invoiceId)
  if (invoice?.direction !== 'issued') refuse(`The company has no issued invoice ${invoiceId}.`)
  const period = await openPeriodOf(tx)
  if (period?.mode !== 'verifactu')
    return refuse(
      'The company has no open period in mode verifactu, so nothing is sent that could be corrected. Open one with `cuadra-admin verifactu period open`.',
    )
  const record = await latestOf(tx, period, invoiceId)
  const options = await optionsFor(tx, record, invoice?.status === 'cancelled')
  const items = await make(tx, call, period, record, options, mended)
  if (items.length > 0) refuse(`The record cannot be made. ${wordsOf(items)}`)
  const made = await latestOf(tx, period, invoiceId)
  const { tipo, sequence, num_serie, huella } = made
  return { tipo, sequence, num_serie, huella, corrects: record.sequence, options }
}

async function make(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  { tipo, invoice_id }: RecordRow,
  { correction, ...cancellation }: NextOptions,
  mended: Pick<FurtherRegistration, 'recipient_not_in_census'>,
): Promise<readonly ValidationItem[]> {
  if (tipo === 'alta') {
    const { canonical } = await documentOf(tx, invoice_id)
    const data = JSON.parse(canonical ?? 'null') as CanonicalInvoice
    return register(tx, call, period, invoice_id, data, { correction: correction ?? 'none', ...mended })
  }
  const [registration] = await registrationsOf(tx, period, invoice_id)
  return registration
    ? cancel(tx, call, period, invoice_id, registration.record, cancellation)
    : refuse(`The invoice ${invoice_id} has no registration that could be cancelled.`)
}
