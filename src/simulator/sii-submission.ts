/** A message of the SII: refused as a whole, or judged record by record, stored, and answered. */
import { required } from '../errors/index.ts'
import { spanishDay, spanishMoment } from '../fiscal/moment.ts'
import { effectOfError } from '../sii/index.ts'
import { vocabulary } from '../sii/model/vocabulary.ts'
import { type Violation, writeXml } from '../xml/index.ts'
import { mayActFor } from './caller.ts'
import { verdict, wordsOf } from './codes.ts'
import type { InvoiceKey, InvoiceRow } from './database.ts'
import { partyKey, type SiiMessageRead, type Submission, violationCode } from './sii-messages.ts'
import { codeOfFacts, factsOf } from './sii-rules.ts'
import { type FaultOutcome, fault } from './soap.ts'
import {
  type Block,
  blockOf,
  blocksOf,
  CORRECT,
  messageState,
  type Outcome,
  textOf,
  type Verdict,
} from './types.ts'
import { type Handling, newCsv } from './verifactu-submission.ts'

/** `dd-mm-yyyy hh:mm:ss`, as the SII writes moments. */
export function siiMoment(instant: number): string {
  const moment = spanishMoment(instant)
  return `${moment.slice(8, 10)}-${moment.slice(5, 7)}-${moment.slice(0, 4)} ${moment.slice(11, 19)}`
}

/** Refusals of the whole message that depend on who sends it, and for whom. */
export function accessFault(
  { presenter, powers, siiHolders }: Handling,
  header: Block,
): FaultOutcome | undefined {
  const refuse = (code: number) => fault(code, wordsOf('sii', code))
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

const keysOf = (record: Block): readonly string[] => {
  const factura = blockOf(record.FacturaExpedida ?? record.FacturaRecibida)
  return ['', 'Adicional1', 'Adicional2'].map((suffix) =>
    textOf(factura[`ClaveRegimenEspecialOTrascendencia${suffix}`]),
  )
}

interface Judging {
  readonly handling: Handling
  readonly shape: Submission
  readonly operation: string
  readonly header: Block
  readonly record: Block
  readonly key: InvoiceKey
  readonly stored: InvoiceRow | undefined
  readonly violation: Violation | undefined
}

/** The code of a record that does not go together with what is stored. */
function storedCode({ handling, shape, operation, record, stored }: Judging): number | undefined {
  const isGone = stored?.state === 'Anulada'
  const isPayment = operation === 'COBROS' || operation === 'PAGOS'
  if (isPayment) {
    const issued = shape.book === 'ISSUED'
    if (!stored) return 3002
    if (isGone) return issued ? 3003 : 3006
    const registered = JSON.parse(
      required(handling.database.record(required(stored.registration))).value,
    ) as Block
    return keysOf(registered).includes(CASH_BASIS) ? undefined : issued ? 3005 : 3007
  }
  if (operation === 'BAJA') return stored ? (isGone ? 3001 : undefined) : 3002
  // What was deleted may be registered again, and not modified.
  if (operation === 'A0' || operation === 'A5') return stored && !isGone ? 3000 : undefined
  if (!stored) return 3002
  if (isGone) return 3001
  const hasPayments = handling.database.payments(stored.id, { limit: 1 }).length > 0
  return hasPayments && !keysOf(record).includes(CASH_BASIS) ? 3011 : undefined
}

/** Whether an invoice that is corrected was never sent. */
function correctsUnknown({ handling, key, record }: Judging): boolean {
  const factura = blockOf(record.FacturaExpedida ?? record.FacturaRecibida)
  return blocksOf(blockOf(factura.FacturasRectificadas).IDFacturaRectificada).some(
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
    `${wordsOf('sii', code)}${detail}`,
  )

function judge(judging: Judging, forced: Verdict | null): Verdict {
  const { handling, shape, operation, header, record, key, violation } = judging
  if (forced?.state === 'Incorrecto') return forced
  if (violation) return verdictOf(violationCode(violation), ` (${violation.path})`)
  const facts = factsOf(shape.book, operation, key.taxpayer, record, spanishDay(handling.now))
  const own = representativeCode(header) ?? codeOfFacts(facts)
  if (own !== undefined && effectOfError(own) === 'rejects_record') return verdictOf(own)
  const against = storedCode(judging)
  if (against !== undefined) return verdictOf(against)
  if (forced) return forced
  if (own !== undefined) return verdictOf(own)
  return correctsUnknown(judging) ? verdictOf(2003) : CORRECT
}

/** Brings the state of an invoice up to date with a record that was taken. */
function keep(judging: Judging, { state, code, description }: Verdict, submission: number, id: number): void {
  const { handling, operation, record, key, stored } = judging
  const { database } = handling
  if (operation === 'COBROS' || operation === 'PAGOS') {
    for (const payment of [
      ...blocksOf(blockOf(record.Cobros).Cobro),
      ...blocksOf(blockOf(record.Pagos).Pago),
    ])
      database.insertPayment({ invoice: required(stored).id, submission, value: JSON.stringify(payment) })
    return
  }
  const isDeletion = operation === 'BAJA'
  const { Ejercicio, Periodo } = blockOf(record.PeriodoLiquidacion)
  const row = {
    ...key,
    state: isDeletion ? 'Anulada' : state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores',
    code,
    description,
    record: id,
    registration: isDeletion ? required(stored).registration : id,
    submission,
    period: `${textOf(Ejercicio)}-${textOf(Periodo)}`,
    modified: (stored?.modified ?? -1) + 1,
  } as const
  if (stored) database.updateInvoice({ ...row, id: stored.id })
  else database.insertInvoice(row)
}

const MARK: Readonly<Record<string, string>> = {
  Correcta: 'Correcta',
  AceptadaConErrores: 'AceptadaConErrores',
  Anulada: 'Anulada',
}

const errorOf = ({ code, description }: Pick<Verdict, 'code' | 'description'>) => ({
  ...(code === null ? {} : { CodigoErrorRegistro: String(code) }),
  ...(description === null ? {} : { DescripcionErrorRegistro: description }),
})

function lineOf({ record, operation, stored }: Judging, judged: Verdict, csv: string | null): Block {
  const isPayment = operation === 'COBROS' || operation === 'PAGOS'
  const reference = record.RefExterna ?? blockOf(record.FacturaExpedida ?? record.FacturaRecibida).RefExterna
  return {
    IDFactura: record.IDFactura,
    ...(isPayment || reference === undefined ? {} : { RefExterna: reference }),
    EstadoRegistro: judged.state,
    ...errorOf(judged),
    ...(isPayment || csv === null || judged.state === 'Incorrecto' ? {} : { CSV: csv }),
    ...(judged.code === 3000 && stored
      ? { RegistroDuplicado: { EstadoRegistro: MARK[stored.state], ...errorOf(stored) } }
      : {}),
  }
}

export function submitBook(
  handling: Handling,
  { root, value, refused }: SiiMessageRead,
  shape: Submission,
  xml: string,
): Outcome {
  const { database, environment, now, faults, presenter } = handling
  const header = blockOf(value.Cabecera)
  const refusal = accessFault(handling, header)
  if (refusal) return refusal
  const titular = blockOf(header.Titular)
  const taxpayer = textOf(titular.NIF)
  const operation = shape.operation ?? textOf(header.TipoComunicacion)
  const target = { service: 'sii', operation: 'submission', taxpayer } as const
  const partial = faults.take('answer', target, ['partial'])
  const records = blocksOf(value[shape.record])
  return database.transaction(() => {
    const submission = database.insertSubmission(
      {
        environment,
        service: 'sii',
        root,
        taxpayer,
        taxpayer_name: textOf(titular.NombreRazon),
        representative: textOf(titular.NIFRepresentante) || null,
        presenter,
        received_at: now,
        state: 'Incorrecto',
        csv: null,
        wait: null,
        early: 0,
        incident: 0,
        records: records.length,
        code: null,
        description: null,
      },
      xml,
    )
    const judged = records.map((record, position): [Judging, Verdict] => {
      const id = blockOf(record.IDFactura)
      const key: InvoiceKey = {
        environment,
        service: 'sii',
        book: shape.book,
        taxpayer,
        issuer: partyKey(id.IDEmisorFactura),
        number: textOf(id.NumSerieFacturaEmisor),
        issue_date: textOf(id.FechaExpedicionFacturaEmisor),
      }
      const stored = database.invoice(key)
      const judging: Judging = {
        handling,
        shape,
        operation,
        header,
        record,
        key,
        stored,
        violation: refused.get(position),
      }
      const taken = faults.take('record', { ...target, number: key.number })
      const code = taken?.code ?? (partial && position % 2 === 1 ? (partial.code ?? 1100) : undefined)
      const forced: Verdict | null =
        code === undefined
          ? null
          : {
              state: taken?.kind === 'accept_with_errors' ? 'AceptadoConErrores' : 'Incorrecto',
              code,
              description: wordsOf('sii', code),
            }
      const own = judge(judging, forced)
      const row = database.insertRecord({
        ...key,
        submission,
        position,
        operation,
        state: own.state,
        code: own.code,
        description: own.description,
        hash: null,
        chain: null,
        value: JSON.stringify(record),
      })
      if (own.state !== 'Incorrecto') keep(judging, own, submission, row)
      return [judging, own]
    })
    const state = messageState(judged.map(([, own]) => own.state))
    const csv = state === 'Incorrecto' ? null : newCsv()
    database.updateSubmission(submission, { state, csv, wait: null })
    const lines = judged.map(([judging, own]) => lineOf(judging, own, csv))
    if (faults.take('answer', target, ['wrong_order'])) lines.reverse()
    // The schema wants at least one line.
    if (lines.length > 1 && faults.take('answer', target, ['missing_line'])) lines.pop()
    const answer = {
      ...(csv === null ? {} : { CSV: csv }),
      DatosPresentacion: { NIFPresentador: presenter, TimestampPresentacion: siiMoment(now) },
      Cabecera: header,
      EstadoEnvio: state,
      RespuestaLinea: lines,
    }
    return { kind: 'answer', xml: writeXml(vocabulary(), shape.answer, answer, { soap: true }) }
  })
}
