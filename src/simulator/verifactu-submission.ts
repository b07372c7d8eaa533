/** A message with records of VeriFactu: refused as a whole, or judged record by record, stored, and answered. */
import { createHash } from 'node:crypto'
import { required } from '../errors/index.ts'
import { spanishTimestamp } from '../fiscal/timestamp.ts'
import type { ValidationItem } from '../invoice/index.ts'
import {
  type Cabecera,
  type CheckOptions,
  checkRecord,
  checkSubmission,
  type Envio,
  type FiscalRecord,
  readVerifactu,
} from '../verifactu/index.ts'
import { vocabulary } from '../verifactu/model/vocabulary.ts'
import { violationsOf, writeXml } from '../xml/index.ts'
import { mayActFor } from './caller.ts'
import { codeOf, cut, descriptionOf } from './codes.ts'
import { type FaultOutcome, fault } from './soap.ts'
import {
  errorOf,
  type Handling,
  type Identified,
  type Judged,
  type Kept,
  type Procedure,
  submit,
} from './submission.ts'
import type { Block, Environment, Outcome, Service } from './types.ts'
import { DUPLICATED, duplicateOf, judge } from './verifactu-decision.ts'
import { altaOf, bodyOf, chainOf, identityOf, monthOf, periodOf } from './verifactu-record.ts'

const RESPONSE = 'RespuestaRegFactuSistemaFacturacion'
const IN_A_RECORD = /^\/RegistroFactura\/(\d+)\/Registro(?:Alta|Anulacion)(?:\/|$)/

/** Faster than the one that runs everywhere. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Codes that the official list has for records, and that reject the whole message where they are about its header. */
function refusalOf(items: readonly ValidationItem[]): FaultOutcome | undefined {
  const item = items.find(
    ({ path, extra }) =>
      extra?.authority_code !== undefined &&
      (extra.effect === 'rejects-whole-submission' || !IN_A_RECORD.test(path)) &&
      // That a message registers an invoice twice is the second record's affair.
      extra.authority_code !== 3000,
  )
  return item && fault(codeOf(item), cut(item.message))
}

/** What is wrong with each record, by its position. */
function byRecord(items: readonly ValidationItem[]): Map<number, ValidationItem[]> {
  const found = new Map<number, ValidationItem[]>()
  for (const item of items) {
    const at = IN_A_RECORD.exec(item.path)?.[1]
    if (at !== undefined) found.set(Number(at), [...(found.get(Number(at)) ?? []), item])
  }
  return found
}

/** A code for what the reader could not make sense of. */
export const UNREADABLE = 4103

/** Reads a document for an address that takes `roots`. */
export function readMessage(
  text: string,
  roots: readonly string[],
): { readonly root: string; readonly value: unknown } | FaultOutcome {
  const read = readVerifactu(text, { locale: 'es' })
  const [item] = read.items
  if (item) return fault(codeOf(item) || UNREADABLE, cut(item.message))
  const { root, value } = required(read.document)
  return roots.includes(root) ? { root, value } : fault(4118, descriptionOf('verifactu', 4118))
}

/** What answers to requests may not lack, and messages of VERI*FACTU not have. */
function headerFault({ RemisionRequerimiento, RemisionVoluntaria }: Cabecera, onRequest: boolean) {
  if (!onRequest && RemisionRequerimiento) return fault(4126, descriptionOf('verifactu', 4126))
  if (onRequest && RemisionVoluntaria) return fault(4127, descriptionOf('verifactu', 4127))
  return onRequest && !RemisionRequerimiento ? fault(4125, descriptionOf('verifactu', 4125)) : undefined
}

/** Refusals of the whole message that depend on who sends it, and where to. */
function accessFault(handling: Handling, header: Cabecera): FaultOutcome | undefined {
  const { presenter, powers } = handling
  if (presenter === '') return fault(4108, descriptionOf('verifactu', 4108))
  const allowed = mayActFor(presenter, header.ObligadoEmision.NIF, header.Representante?.NIF, powers)
  return allowed ? undefined : fault(4112, descriptionOf('verifactu', 4112))
}

/** What a line says of a record beside its result. */
function recordPart(record: FiscalRecord) {
  const { issuer, number, issue_date, marks, reference, operation } = identityOf(record)
  return {
    IDFactura: { IDEmisorFactura: issuer, NumSerieFactura: number, FechaExpedicionFactura: issue_date },
    Operacion: { TipoOperacion: operation, ...marks },
    ...(reference === undefined ? {} : { RefExterna: reference }),
  }
}

const lineOf = ({ record, stored, verdict }: Judged<FiscalRecord>): Block => ({
  ...recordPart(record),
  EstadoRegistro: verdict.state,
  ...errorOf(verdict),
  ...(verdict === DUPLICATED && stored ? { RegistroDuplicado: duplicateOf(stored) } : {}),
})

/** What the engine's checks say of each record before anything was looked up; `items` are those of the message. */
function foundOf(message: Envio, items: readonly ValidationItem[], options: CheckOptions) {
  if (!items.some(({ code }) => code === 'too_many_errors')) return byRecord(items)
  // They are too many for one list.
  return new Map(
    message.RegistroFactura.map((record, at) => [
      at,
      checkRecord(record as FiscalRecord, { ...options, header: message.Cabecera }),
    ]),
  )
}

/** Whether a message came before its time: the waiting time of the last answer is not over, and it is not full. */
function isEarly({ database, environment, now }: Handling, taxpayer: string, records: number): boolean {
  const last = database.lastAnswered(environment, 'verifactu', taxpayer)
  return last !== undefined && records < 1000 && now < last.received_at + (last.wait ?? 0) * 1000
}

/** A record under what it is stored. */
function identify(
  environment: Environment,
  service: Service,
  taxpayer: string,
  record: FiscalRecord,
): Identified {
  const { issuer, number, issue_date, operation } = identityOf(record)
  return {
    // Blanks at the ends of a number do not count.
    key: { environment, service, book: '', taxpayer, issuer, number: number.trim(), issue_date },
    operation,
    hash: bodyOf(record).Huella,
    chain: chainOf(taxpayer, record),
  }
}

function keep({ record, key, stored, verdict: { state } }: Judged<FiscalRecord>, id: number): Kept {
  const alta = altaOf(record)
  return alta
    ? {
        state: state === 'Correcto' ? 'Correcta' : 'AceptadaConErrores',
        registration: id,
        period: periodOf(alta),
      }
    : {
        state: 'Anulada',
        registration: stored?.registration ?? null,
        period: stored?.period ?? monthOf(key.issue_date),
      }
}

/** Judges, stores and answers a message. `onRequest`: at the address for answers to requests. */
export function submitRecords(handling: Handling, message: Envio, xml: string, onRequest: boolean): Outcome {
  const { environment, presenter, now, faults } = handling
  const service = onRequest ? 'request' : 'verifactu'
  const options = { now: spanishTimestamp(now), hash: sha256, locale: 'es' } as const
  const items = checkSubmission(message, options)
  const refusal =
    refusalOf(items) ?? headerFault(message.Cabecera, onRequest) ?? accessFault(handling, message.Cabecera)
  if (refusal) return refusal
  const records = message.RegistroFactura as readonly FiscalRecord[]
  if (!records.every(isAnswerable)) return fault(4102, descriptionOf('verifactu', 4102))
  const { ObligadoEmision, Representante, RemisionVoluntaria } = message.Cabecera
  const taxpayer = ObligadoEmision.NIF
  const found = foundOf(message, items, options)
  const wait =
    faults.take('answer', { service, operation: 'submission', taxpayer }, ['wait'])?.seconds ?? handling.wait
  const procedure: Procedure<FiscalRecord> = {
    partial: 1114,
    leastLines: 0,
    identify: (record) => identify(environment, service, taxpayer, record),
    judge: (judging) => judge(handling, service, found.get(judging.position) ?? [], judging),
    keep,
    line: lineOf,
    answer(state, csv, lines) {
      const answer = {
        ...(csv === null ? {} : { CSV: csv }),
        DatosPresentacion: { NIFPresentador: presenter, TimestampPresentacion: options.now },
        Cabecera: message.Cabecera,
        TiempoEsperaEnvio: String(wait),
        EstadoEnvio: state,
        RespuestaLinea: lines,
      }
      return writeXml(vocabulary(), RESPONSE, answer, { soap: true })
    },
  }
  const about = {
    service,
    root: 'RegFactuSistemaFacturacion',
    taxpayer,
    taxpayer_name: ObligadoEmision.NombreRazon,
    representative: Representante?.NIF ?? null,
    wait,
    early: Number(!onRequest && isEarly(handling, taxpayer, records.length)),
    incident: Number(RemisionVoluntaria?.Incidencia === 'S'),
  } as const
  return submit(handling, about, records, xml, procedure)
}

/** Whether the answer's schema has room for what the line repeats of a record. */
function isAnswerable(record: FiscalRecord): boolean {
  const line = { ...recordPart(record), EstadoRegistro: 'Correcto' }
  const type = required(required(vocabulary().roots.get(RESPONSE)).type.byName.get('RespuestaLinea')).type
  return violationsOf(line, type, RESPONSE).length === 0
}
