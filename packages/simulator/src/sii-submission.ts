/** Processes an SII message: rejects it as a whole, or decides on each of its records and stores them. */
import { required } from '#core/errors/index.ts'
import { type Violation, writeXml } from '#core/xml/index.ts'
import { spanishDay, spanishTimestamp } from '#records/fiscal/index.ts'
import { effectOfError } from '#records/sii/index.ts'
import { vocabulary } from '#records/sii/model/index.ts'
import { mayActFor } from './caller.ts'
import {
  facturaOf,
  keyOf,
  keysOf,
  paymentsOf,
  periodOf,
  type SiiMessageRead,
  type Submission,
  violationCode,
} from './sii-messages.ts'
import { codeOfFacts, readFacts } from './sii-rules.ts'
import { decision, descriptionOf } from './simulated-codes.ts'
import { type FaultOutcome, fault } from './simulated-soap.ts'
import {
  type Candidate,
  type DecidedRecord,
  errorOf,
  type InvoiceUpdate,
  type Procedure,
  type RequestContext,
  submit,
} from './simulated-submission.ts'
import type { InvoiceRow, SimulatorDatabase } from './simulator-database.ts'
import {
  type Block,
  blockOf,
  blocksOf,
  CORRECT,
  type Decision,
  type Outcome,
  textOf,
} from './simulator-types.ts'

/** Formats a timestamp in the format of the SII: `dd-mm-yyyy hh:mm:ss`. */
export function siiTimestamp(instant: number): string {
  const timestamp = spanishTimestamp(instant)
  return `${timestamp.slice(8, 10)}-${timestamp.slice(5, 7)}-${timestamp.slice(0, 4)} ${timestamp.slice(11, 19)}`
}

/** Returns the rejection of a message if its sender may not act for the taxpayer. */
export function accessFault(
  { presenter, powers, siiHolders }: RequestContext,
  header: Block,
): FaultOutcome | undefined {
  const refuse = (code: number) => fault(code, descriptionOf('sii', code))
  if (presenter === '') return refuse(4110)
  const { NIF, NIFRepresentante } = blockOf(header.Titular)
  const holder = textOf(NIF)
  const representative = textOf(NIFRepresentante) || undefined
  if (!mayActFor(presenter, holder, representative, powers)) return refuse(4114)
  return siiHolders && !siiHolders.includes(holder) ? refuse(4118) : undefined
}

/** Returns the code of a header problem that rejects every record: 1122 or 1123. */
function representativeCode(header: Block): number | undefined {
  const { NIF, NIFRepresentante } = blockOf(header.Titular)
  if (textOf(NIF).startsWith('K') && NIFRepresentante === undefined) return 1122
  return NIFRepresentante !== undefined && textOf(NIFRepresentante) === textOf(NIF) ? 1123 : undefined
}

const CASH_BASIS = '07'

/** The message data for decisions on its records. */
interface Message {
  readonly handling: RequestContext
  readonly shape: Submission
  readonly header: Block
  readonly operation: string
  readonly taxpayer: string
  /** Schema violations, by record. */
  readonly refused: ReadonlyMap<number, Violation>
}

const isPayment = (operation: string): boolean => operation === 'COBROS' || operation === 'PAGOS'

/** Returns the code if an invoice cannot have collections or payments; undefined if it can. */
function paymentCode({ handling, shape }: Message, stored: InvoiceRow | undefined): number | undefined {
  const isIssued = shape.book === 'ISSUED'
  if (!stored) return 3002
  if (stored.state === 'Anulada') return isIssued ? 3003 : 3006
  const registered = handling.database.value<Block>(required(stored.registration))
  return keysOf(registered).includes(CASH_BASIS) ? undefined : isIssued ? 3005 : 3007
}

/** Returns the code if a record conflicts with the stored invoice. */
function storedCode(message: Message, { record, stored }: Candidate<Block>): number | undefined {
  const { handling, operation } = message
  if (isPayment(operation)) return paymentCode(message, stored)
  const isGone = stored?.state === 'Anulada'
  // A deleted invoice may be registered again, but not modified.
  if (operation === 'A0' || operation === 'A5') return stored && !isGone ? 3000 : undefined
  if (!stored) return 3002
  if (isGone) return 3001
  if (operation === 'BAJA') return undefined
  const hasPayments = handling.database.payments(stored.id, { limit: 1 }).length > 0
  return hasPayments && !keysOf(record).includes(CASH_BASIS) ? 3011 : undefined
}

/** Whether the record corrects an invoice that was never received. */
function correctsUnknown({ handling }: Message, { key, record }: Candidate<Block>): boolean {
  return blocksOf(blockOf(facturaOf(record).FacturasRectificadas).IDFacturaRectificada).some(
    ({ NumSerieFacturaEmisor, FechaExpedicionFacturaEmisor }) =>
      !handling.database.invoice({
        ...key,
        number: textOf(NumSerieFacturaEmisor),
        issue_date: textOf(FechaExpedicionFacturaEmisor),
      }),
  )
}

const decisionOf = (code: number, detail = ''): Decision =>
  decision(
    effectOfError(code) === 'accepts_with_errors' ? 'AceptadoConErrores' : 'Incorrecto',
    code,
    `${descriptionOf('sii', code)}${detail}`,
  )

function decide(message: Message, candidate: Candidate<Block>): Decision {
  const { handling, shape, operation, header, taxpayer, refused } = message
  const { record, position, forced } = candidate
  if (forced?.state === 'Incorrecto') return forced
  const violation = refused.get(position)
  if (violation) return decisionOf(violationCode(violation), ` (${violation.path})`)
  const facts = readFacts(shape.book, operation, taxpayer, record, spanishDay(handling.now))
  const own = representativeCode(header) ?? codeOfFacts(facts)
  if (own !== undefined && effectOfError(own) === 'rejects_record') return decisionOf(own)
  const conflict = storedCode(message, candidate)
  if (conflict !== undefined) return decisionOf(conflict)
  if (forced) return forced
  if (own !== undefined) return decisionOf(own)
  return correctsUnknown(message, candidate) ? decisionOf(2003) : CORRECT
}

/** Returns the change of the invoice. Collections and payments have their own rows. */
function applyToInvoice(
  database: SimulatorDatabase,
  { record, operation, stored, decision: { state } }: DecidedRecord<Block>,
  id: number,
  submission: number,
): InvoiceUpdate | null {
  if (isPayment(operation)) {
    for (const payment of paymentsOf(record))
      database.insertPayment({ invoice: required(stored).id, submission, value: JSON.stringify(payment) })
    return null
  }
  const isDeletion = operation === 'BAJA'
  return {
    state: isDeletion ? 'Anulada' : state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores',
    registration: isDeletion ? required(stored).registration : id,
    period: periodOf(blockOf(record.PeriodoLiquidacion)),
  }
}

function lineOf(
  { record, operation, stored, decision: own }: DecidedRecord<Block>,
  csv: string | null,
): Block {
  const reference = record.RefExterna ?? facturaOf(record).RefExterna
  return {
    IDFactura: record.IDFactura,
    ...(isPayment(operation) || reference === undefined ? {} : { RefExterna: reference }),
    EstadoRegistro: own.state,
    ...errorOf(own),
    ...(isPayment(operation) || csv === null || own.state === 'Incorrecto' ? {} : { CSV: csv }),
    ...(own.code === 3000 && stored
      ? { RegistroDuplicado: { EstadoRegistro: stored.state, ...errorOf(stored) } }
      : {}),
  }
}

export function processBookSubmission(
  handling: RequestContext,
  { root, value, refused }: SiiMessageRead,
  shape: Submission,
  xml: string,
): Outcome {
  const { database, environment, now, presenter } = handling
  const header = blockOf(value.Cabecera)
  const refusal = accessFault(handling, header)
  if (refusal) return refusal
  const titular = blockOf(header.Titular)
  const taxpayer = textOf(titular.NIF)
  const operation = shape.operation ?? textOf(header.TipoComunicacion)
  const message: Message = { handling, shape, header, operation, taxpayer, refused }
  const procedure: Procedure<Block> = {
    partialCode: 1100,
    // The schema requires at least one line.
    minLines: 1,
    identify: (record) => ({
      key: keyOf(environment, shape.book, taxpayer, blockOf(record.IDFactura)),
      operation,
      hash: null,
      chain: null,
    }),
    decide: (candidate) => decide(message, candidate),
    applyToInvoice: (decided, id, submission) => applyToInvoice(database, decided, id, submission),
    line: lineOf,
    response(state, csv, lines) {
      const response = {
        ...(csv === null ? {} : { CSV: csv }),
        DatosPresentacion: { NIFPresentador: presenter, TimestampPresentacion: siiTimestamp(now) },
        Cabecera: header,
        EstadoEnvio: state,
        RespuestaLinea: lines,
      }
      return writeXml(vocabulary(), shape.response, response, { soap: true })
    },
  }
  const about = {
    service: 'sii',
    root,
    taxpayer,
    taxpayer_name: textOf(titular.NombreRazon),
    representative: textOf(titular.NIFRepresentante) || null,
    wait: null,
    early: 0,
    incident: 0,
  } as const
  return submit(handling, about, blocksOf(value[shape.record]), xml, procedure)
}
