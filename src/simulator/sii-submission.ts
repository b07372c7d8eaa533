/** A message of the SII: refused as a whole, or judged record by record, stored, and answered. */
import { required } from '../errors/index.ts'
import { spanishDay, spanishTimestamp } from '../fiscal/timestamp.ts'
import { effectOfError } from '../sii/index.ts'
import { vocabulary } from '../sii/model/vocabulary.ts'
import { type Violation, writeXml } from '../xml/index.ts'
import { mayActFor } from './caller.ts'
import { descriptionOf, verdict } from './codes.ts'
import type { InvoiceRow, SimulatorDatabase } from './database.ts'
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
import { codeOfFacts, factsOf } from './sii-rules.ts'
import { type FaultOutcome, fault } from './soap.ts'
import {
  errorOf,
  type Handling,
  type Judged,
  type Judging,
  type Kept,
  type Procedure,
  submit,
} from './submission.ts'
import { type Block, blockOf, blocksOf, CORRECT, type Outcome, textOf, type Verdict } from './types.ts'

/** `dd-mm-yyyy hh:mm:ss`, as the SII writes moments. */
export function siiTimestamp(instant: number): string {
  const timestamp = spanishTimestamp(instant)
  return `${timestamp.slice(8, 10)}-${timestamp.slice(5, 7)}-${timestamp.slice(0, 4)} ${timestamp.slice(11, 19)}`
}

/** Refusals of the whole message that depend on who sends it, and for whom. */
export function accessFault(
  { presenter, powers, siiHolders }: Handling,
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

/** 1122 and 1123 are about the header and reject every record. */
function representativeCode(header: Block): number | undefined {
  const { NIF, NIFRepresentante } = blockOf(header.Titular)
  if (textOf(NIF).startsWith('K') && NIFRepresentante === undefined) return 1122
  return NIFRepresentante !== undefined && textOf(NIFRepresentante) === textOf(NIF) ? 1123 : undefined
}

const CASH_BASIS = '07'

/** A message with what its records are judged by. */
interface Message {
  readonly handling: Handling
  readonly shape: Submission
  readonly header: Block
  readonly operation: string
  readonly taxpayer: string
  /** What the schema refuses, record by record. */
  readonly refused: ReadonlyMap<number, Violation>
}

const isPayment = (operation: string): boolean => operation === 'COBROS' || operation === 'PAGOS'

/** Why what was collected or paid of an invoice cannot be taken. */
function paymentCode({ handling, shape }: Message, stored: InvoiceRow | undefined): number | undefined {
  const isIssued = shape.book === 'ISSUED'
  if (!stored) return 3002
  if (stored.state === 'Anulada') return isIssued ? 3003 : 3006
  const registered = handling.database.value<Block>(required(stored.registration))
  return keysOf(registered).includes(CASH_BASIS) ? undefined : isIssued ? 3005 : 3007
}

/** The code of a record that does not go together with what is stored. */
function storedCode(message: Message, { record, stored }: Judging<Block>): number | undefined {
  const { handling, operation } = message
  if (isPayment(operation)) return paymentCode(message, stored)
  const isGone = stored?.state === 'Anulada'
  // What was deleted may be registered again, and not modified.
  if (operation === 'A0' || operation === 'A5') return stored && !isGone ? 3000 : undefined
  if (!stored) return 3002
  if (isGone) return 3001
  if (operation === 'BAJA') return undefined
  const hasPayments = handling.database.payments(stored.id, { limit: 1 }).length > 0
  return hasPayments && !keysOf(record).includes(CASH_BASIS) ? 3011 : undefined
}

/** Whether an invoice that is corrected was never sent. */
function correctsUnknown({ handling }: Message, { key, record }: Judging<Block>): boolean {
  return blocksOf(blockOf(facturaOf(record).FacturasRectificadas).IDFacturaRectificada).some(
    ({ NumSerieFacturaEmisor, FechaExpedicionFacturaEmisor }) =>
      !handling.database.invoice({
        ...key,
        number: textOf(NumSerieFacturaEmisor),
        issue_date: textOf(FechaExpedicionFacturaEmisor),
      }),
  )
}

const verdictOf = (code: number, detail = ''): Verdict =>
  verdict(
    effectOfError(code) === 'accepts_with_errors' ? 'AceptadoConErrores' : 'Incorrecto',
    code,
    `${descriptionOf('sii', code)}${detail}`,
  )

function judge(message: Message, judging: Judging<Block>): Verdict {
  const { handling, shape, operation, header, taxpayer, refused } = message
  const { record, position, forced } = judging
  if (forced?.state === 'Incorrecto') return forced
  const violation = refused.get(position)
  if (violation) return verdictOf(violationCode(violation), ` (${violation.path})`)
  const facts = factsOf(shape.book, operation, taxpayer, record, spanishDay(handling.now))
  const own = representativeCode(header) ?? codeOfFacts(facts)
  if (own !== undefined && effectOfError(own) === 'rejects_record') return verdictOf(own)
  const against = storedCode(message, judging)
  if (against !== undefined) return verdictOf(against)
  if (forced) return forced
  if (own !== undefined) return verdictOf(own)
  return correctsUnknown(message, judging) ? verdictOf(2003) : CORRECT
}

/** What becomes of an invoice; what is collected or paid is stored beside it. */
function keep(
  database: SimulatorDatabase,
  { record, operation, stored, verdict: { state } }: Judged<Block>,
  id: number,
  submission: number,
): Kept | null {
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

function lineOf({ record, operation, stored, verdict: own }: Judged<Block>, csv: string | null): Block {
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

export function submitBook(
  handling: Handling,
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
    partial: 1100,
    // The schema wants at least one line.
    leastLines: 1,
    identify: (record) => ({
      key: keyOf(environment, shape.book, taxpayer, blockOf(record.IDFactura)),
      operation,
      hash: null,
      chain: null,
    }),
    judge: (judging) => judge(message, judging),
    keep: (judged, id, submission) => keep(database, judged, id, submission),
    line: lineOf,
    answer(state, csv, lines) {
      const answer = {
        ...(csv === null ? {} : { CSV: csv }),
        DatosPresentacion: { NIFPresentador: presenter, TimestampPresentacion: siiTimestamp(now) },
        Cabecera: header,
        EstadoEnvio: state,
        RespuestaLinea: lines,
      }
      return writeXml(vocabulary(), shape.answer, answer, { soap: true })
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
