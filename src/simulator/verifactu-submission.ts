/** A message with records of VeriFactu: refused as a whole, or judged record by record, stored, and answered. */
import { createHash, randomBytes } from 'node:crypto'
import { required } from '../errors/index.ts'
import { spanishMoment } from '../fiscal/moment.ts'
import type { ValidationItem } from '../invoice/index.ts'
import {
  type Cabecera,
  checkRecord,
  checkSubmission,
  type Envio,
  type FiscalRecord,
  type RespuestaLinea,
  readVerifactu,
} from '../verifactu/index.ts'
import { vocabulary } from '../verifactu/model/vocabulary.ts'
import { violationsOf, writeXml } from '../xml/index.ts'
import { mayActFor, type Powers } from './caller.ts'
import { codeOf, cut, wordsOf } from './codes.ts'
import type { SimulatorDatabase } from './database.ts'
import type { Faults } from './faults.ts'
import { type FaultOutcome, fault } from './soap.ts'
import { type Environment, messageState, type Outcome, type Verdict } from './types.ts'
import { decide, type Judged } from './verifactu-decision.ts'
import { identityOf } from './verifactu-record.ts'

/** What handling a message needs. */
export interface Handling {
  readonly database: SimulatorDatabase
  readonly faults: Faults
  readonly powers: Powers
  readonly environment: Environment
  /** NIF of the certificate. */
  readonly presenter: string
  readonly now: number
  /** Seconds that answers tell to wait. */
  readonly wait: number
  /** Rows of one answer to a query. */
  readonly pageSize: number
  /** NIFs that are registered for the SII; undefined: everybody is. */
  readonly siiHolders: readonly string[] | undefined
}

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
  return roots.includes(root) ? { root, value } : fault(4118, wordsOf('verifactu', 4118))
}

/** What answers to requests may not lack, and messages of VERI*FACTU not have. */
function headerFault({ RemisionRequerimiento, RemisionVoluntaria }: Cabecera, onRequest: boolean) {
  if (!onRequest && RemisionRequerimiento) return fault(4126, wordsOf('verifactu', 4126))
  if (onRequest && RemisionVoluntaria) return fault(4127, wordsOf('verifactu', 4127))
  return onRequest && !RemisionRequerimiento ? fault(4125, wordsOf('verifactu', 4125)) : undefined
}

/** Refusals of the whole message that depend on who sends it, and where to. */
function accessFault(handling: Handling, header: Cabecera): FaultOutcome | undefined {
  const { presenter, powers } = handling
  if (presenter === '') return fault(4108, wordsOf('verifactu', 4108))
  const allowed = mayActFor(presenter, header.ObligadoEmision.NIF, header.Representante?.NIF, powers)
  return allowed ? undefined : fault(4112, wordsOf('verifactu', 4112))
}

/** A receipt code in the form of the authority's. */
export const newCsv = (): string =>
  `A-${randomBytes(12)
    .toString('base64url')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, 'X')
    .slice(0, 14)}`

function lineOf(record: FiscalRecord, { verdict, duplicate }: Judged): RespuestaLinea {
  const { issuer, number, issue_date, marks, reference, operation } = identityOf(record)
  return {
    IDFactura: { IDEmisorFactura: issuer, NumSerieFactura: number, FechaExpedicionFactura: issue_date },
    Operacion: { TipoOperacion: operation, ...marks },
    ...(reference === undefined ? {} : { RefExterna: reference }),
    EstadoRegistro: verdict.state,
    ...(verdict.code === null ? {} : { CodigoErrorRegistro: String(verdict.code) }),
    ...(verdict.description === null ? {} : { DescripcionErrorRegistro: verdict.description }),
    ...(duplicate === null ? {} : { RegistroDuplicado: duplicate }),
  } as RespuestaLinea
}

/** Records of a message before anything was looked up: what the engine's checks say of each. */
function checked(message: Envio, now: number): { items: readonly ValidationItem[]; cut: boolean } {
  const options = { now: spanishMoment(now), hash: sha256, locale: 'es' } as const
  const items = checkSubmission(message, options)
  return { items, cut: items.some(({ code }) => code === 'too_many_errors') }
}

/** The same, one by one, where they are too many for one list. */
const checkedApart = (message: Envio, now: number): Map<number, ValidationItem[]> =>
  new Map(
    message.RegistroFactura.map((record, at) => [
      at,
      checkRecord(record as FiscalRecord, {
        now: spanishMoment(now),
        header: message.Cabecera,
        hash: sha256,
        locale: 'es',
      }),
    ]),
  )

/** Whether a message came before its time: the waiting time of the last answer is not over, and it is not full. */
function isEarly({ database, environment, now }: Handling, taxpayer: string, records: number): boolean {
  const last = database.lastAnswered(environment, 'verifactu', taxpayer)
  return last !== undefined && records < 1000 && now < last.received_at + (last.wait ?? 0) * 1000
}

/** Judges, stores and answers a message. `onRequest`: at the address for answers to requests. */
export function submitRecords(handling: Handling, message: Envio, xml: string, onRequest: boolean): Outcome {
  const { database, environment, now, faults } = handling
  const service = onRequest ? 'request' : 'verifactu'
  const { items, cut: isCut } = checked(message, now)
  const refusal =
    refusalOf(items) ?? headerFault(message.Cabecera, onRequest) ?? accessFault(handling, message.Cabecera)
  if (refusal) return refusal
  const { ObligadoEmision: taxpayer, Representante, RemisionVoluntaria } = message.Cabecera
  const records = message.RegistroFactura as readonly FiscalRecord[]
  const unanswerable = records.find((record) => !isAnswerable(record))
  if (unanswerable) return fault(4102, wordsOf('verifactu', 4102))
  const found = isCut ? checkedApart(message, now) : byRecord(items)
  const target = { service, operation: 'submission', taxpayer: taxpayer.NIF } as const
  const partial = faults.take('answer', target, ['partial'])
  const told = faults.take('answer', target, ['wait'])
  const wait = told?.seconds ?? handling.wait
  return database.transaction(() => {
    const submission = database.insertSubmission(
      {
        environment,
        service,
        root: 'RegFactuSistemaFacturacion',
        taxpayer: taxpayer.NIF,
        taxpayer_name: taxpayer.NombreRazon,
        representative: Representante?.NIF ?? null,
        presenter: handling.presenter,
        received_at: now,
        state: 'Incorrecto',
        csv: null,
        wait,
        early: Number(!onRequest && isEarly(handling, taxpayer.NIF, records.length)),
        incident: Number(RemisionVoluntaria?.Incidencia === 'S'),
        records: records.length,
        code: null,
        description: null,
      },
      xml,
    )
    const judged = records.map((record, position) =>
      decide({
        database,
        record,
        position,
        submission,
        environment,
        service,
        taxpayer: taxpayer.NIF,
        items: found.get(position) ?? [],
        forced: forcedOf(faults, record, {
          ...target,
          at: position,
          partial: partial?.code ?? 1114,
          isPartial: !!partial,
        }),
      }),
    )
    const state = messageState(judged.map(({ verdict }) => verdict.state))
    const csv = state === 'Incorrecto' ? null : newCsv()
    database.updateSubmission(submission, { state, csv, wait })
    const lines = records.map((record, at) => lineOf(record, required(judged[at])))
    if (faults.take('answer', target, ['wrong_order'])) lines.reverse()
    if (faults.take('answer', target, ['missing_line'])) lines.pop()
    const answer = {
      ...(csv === null ? {} : { CSV: csv }),
      DatosPresentacion: { NIFPresentador: handling.presenter, TimestampPresentacion: spanishMoment(now) },
      Cabecera: message.Cabecera,
      TiempoEsperaEnvio: String(wait),
      EstadoEnvio: state,
      RespuestaLinea: lines,
    }
    return { kind: 'answer', xml: writeXml(vocabulary(), RESPONSE, answer, { soap: true }) }
  })
}

/** What faults make of a record: an effect in place of the one that it has. */
function forcedOf(
  faults: Faults,
  record: FiscalRecord,
  target: {
    readonly service: 'verifactu' | 'request'
    readonly operation: 'submission'
    readonly taxpayer: string
    readonly at: number
    readonly isPartial: boolean
    readonly partial: number
  },
): Verdict | null {
  const { service, operation, taxpayer } = target
  const taken = faults.take('record', { service, operation, taxpayer, number: identityOf(record).number })
  const code = taken?.code ?? (target.isPartial && target.at % 2 === 1 ? target.partial : undefined)
  if (code === undefined) return null
  return {
    state: taken?.kind === 'accept_with_errors' ? 'AceptadoConErrores' : 'Incorrecto',
    code,
    description: wordsOf('verifactu', code),
  }
}

/** Whether the answer's schema has room for what the line repeats of a record. */
function isAnswerable(record: FiscalRecord): boolean {
  const line = lineOf(record, {
    verdict: { state: 'Correcto', code: null, description: null },
    duplicate: null,
  })
  const type = required(required(vocabulary().roots.get(RESPONSE)).type.byName.get('RespuestaLinea')).type
  return violationsOf(line, type, RESPONSE).length === 0
}
