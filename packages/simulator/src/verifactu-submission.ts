/** Processes a VeriFactu message: rejects it as a whole, or decides on each of its records and stores them. */
import { createHash } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import type { ValidationItem } from '#core/invoice/index.ts'
import { violationsOf, writeXml } from '#core/xml/index.ts'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import {
  type Cabecera,
  type CheckOptions,
  checkRecord,
  checkSubmission,
  type Envio,
  type FiscalRecord,
  readVerifactu,
} from '#records/verifactu/index.ts'
import { vocabulary } from '#records/verifactu/model/index.ts'
import { mayActFor } from './caller.ts'
import { codeOf, descriptionOf, truncate } from './simulated-codes.ts'
import { type FaultOutcome, fault } from './simulated-soap.ts'
import {
  type DecidedRecord,
  errorOf,
  type InvoiceUpdate,
  type Procedure,
  type RecordKeys,
  type RequestContext,
  submit,
} from './simulated-submission.ts'
import type { Block, Environment, Outcome, Service } from './simulator-types.ts'
import { DUPLICATED, decide, duplicateOf } from './verifactu-decision.ts'
import { altaOf, bodyOf, chainOf, identityOf, monthOf, periodOf } from './verifactu-record.ts'

const RESPONSE = 'RespuestaRegFactuSistemaFacturacion'
const RECORD_PATH = /^\/RegistroFactura\/(\d+)\/Registro(?:Alta|Anulacion)(?:\/|$)/

/** Returns the SHA-256 of a text with Node, which is faster than the portable implementation. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the rejection of the whole message, if any. Any problem outside the records causes it, whatever its code. */
function refusalOf(items: readonly ValidationItem[]): FaultOutcome | undefined {
  const item = items.find(
    ({ path, extra }) =>
      extra?.authority_code !== undefined &&
      (extra.effect === 'rejects-whole-submission' || !RECORD_PATH.test(path)) &&
      // If a record occurs twice in the message, only the second one is rejected.
      extra.authority_code !== 3000,
  )
  return item && fault(codeOf(item), truncate(item.message))
}

/** Groups validation items by index of their record. */
function groupByRecord(items: readonly ValidationItem[]): Map<number, ValidationItem[]> {
  const found = new Map<number, ValidationItem[]>()
  for (const item of items) {
    const at = RECORD_PATH.exec(item.path)?.[1]
    if (at !== undefined) found.set(Number(at), [...(found.get(Number(at)) ?? []), item])
  }
  return found
}

/** Error code for unreadable XML. */
export const UNREADABLE = 4103

/** Reads a message for a service that accepts the root elements `roots`. */
export function readMessage(
  text: string,
  roots: readonly string[],
): { readonly root: string; readonly value: unknown } | FaultOutcome {
  const read = readVerifactu(text, { locale: 'es' })
  const [item] = read.items
  if (item) return fault(codeOf(item) || UNREADABLE, truncate(item.message))
  const { root, value } = required(read.document)
  return roots.includes(root) ? { root, value } : fault(4118, descriptionOf('verifactu', 4118))
}

/** Returns the fault if the header does not match the service that was called. */
function headerFault({ RemisionRequerimiento, RemisionVoluntaria }: Cabecera, onRequest: boolean) {
  if (!onRequest && RemisionRequerimiento) return fault(4126, descriptionOf('verifactu', 4126))
  if (onRequest && RemisionVoluntaria) return fault(4127, descriptionOf('verifactu', 4127))
  return onRequest && !RemisionRequerimiento ? fault(4125, descriptionOf('verifactu', 4125)) : undefined
}

/** Returns the rejection of a message if its sender may not act for the taxpayer. */
function accessFault(handling: RequestContext, header: Cabecera): FaultOutcome | undefined {
  const { presenter, powers } = handling
  if (presenter === '') return fault(4108, descriptionOf('verifactu', 4108))
  const allowed = mayActFor(presenter, header.ObligadoEmision.NIF, header.Representante?.NIF, powers)
  return allowed ? undefined : fault(4112, descriptionOf('verifactu', 4112))
}

/** Returns the fields of a response line that identify the record. */
function recordPart(record: FiscalRecord) {
  const { issuer, number, issue_date, marks, reference, operation } = identityOf(record)
  return {
    IDFactura: { IDEmisorFactura: issuer, NumSerieFactura: number, FechaExpedicionFactura: issue_date },
    Operacion: { TipoOperacion: operation, ...marks },
    ...(reference === undefined ? {} : { RefExterna: reference }),
  }
}

const lineOf = ({ record, stored, decision }: DecidedRecord<FiscalRecord>): Block => ({
  ...recordPart(record),
  EstadoRegistro: decision.state,
  ...errorOf(decision),
  ...(decision === DUPLICATED && stored ? { RegistroDuplicado: duplicateOf(stored) } : {}),
})

/** Returns the validation items of each record. `items` are the items of the whole message. */
function itemsByRecord(message: Envio, items: readonly ValidationItem[], options: CheckOptions) {
  if (!items.some(({ code }) => code === 'too_many_errors')) return groupByRecord(items)
  // The list of items was truncated, so each record is validated again.
  return new Map(
    message.RegistroFactura.map((record, at) => [
      at,
      checkRecord(record as FiscalRecord, { ...options, header: message.Cabecera }),
    ]),
  )
}

/** Whether a message that is not full arrives before the wait time of the last response has passed. */
function isEarly({ database, environment, now }: RequestContext, taxpayer: string, records: number): boolean {
  const last = database.lastSubmission(environment, 'verifactu', taxpayer)
  return last !== undefined && records < 1000 && now < last.received_at + (last.wait ?? 0) * 1000
}

/** Returns the keys under which a record is stored. */
function identify(
  environment: Environment,
  service: Service,
  taxpayer: string,
  record: FiscalRecord,
): RecordKeys {
  const { issuer, number, issue_date, operation } = identityOf(record)
  return {
    // Leading and trailing blanks of an invoice number are ignored.
    key: { environment, service, book: '', taxpayer, issuer, number: number.trim(), issue_date },
    operation,
    hash: bodyOf(record).Huella,
    chain: chainOf(taxpayer, record),
  }
}

function applyToInvoice(
  { record, key, stored, decision: { state } }: DecidedRecord<FiscalRecord>,
  id: number,
): InvoiceUpdate {
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

/** Processes a message. `onRequest` is true for records sent at the request of the authority. */
export function submitRecords(
  handling: RequestContext,
  message: Envio,
  xml: string,
  onRequest: boolean,
): Outcome {
  const { environment, presenter, now, faults } = handling
  const service = onRequest ? 'request' : 'verifactu'
  const options = { now: spanishTimestamp(now), hash: sha256, locale: 'es' } as const
  const items = checkSubmission(message, options)
  const refusal =
    refusalOf(items) ?? headerFault(message.Cabecera, onRequest) ?? accessFault(handling, message.Cabecera)
  if (refusal) return refusal
  const records = message.RegistroFactura as readonly FiscalRecord[]
  if (!records.every(isRepresentable)) return fault(4102, descriptionOf('verifactu', 4102))
  const { ObligadoEmision, Representante, RemisionVoluntaria } = message.Cabecera
  const taxpayer = ObligadoEmision.NIF
  const found = itemsByRecord(message, items, options)
  const wait =
    faults.take('response', { service, operation: 'submission', taxpayer }, ['wait'])?.seconds ??
    handling.wait
  const procedure: Procedure<FiscalRecord> = {
    partialCode: 1114,
    minLines: 0,
    identify: (record) => identify(environment, service, taxpayer, record),
    decide: (candidate) => decide(handling, service, found.get(candidate.position) ?? [], candidate),
    applyToInvoice,
    line: lineOf,
    response(state, csv, lines) {
      const response = {
        ...(csv === null ? {} : { CSV: csv }),
        DatosPresentacion: { NIFPresentador: presenter, TimestampPresentacion: options.now },
        Cabecera: message.Cabecera,
        TiempoEsperaEnvio: String(wait),
        EstadoEnvio: state,
        RespuestaLinea: lines,
      }
      return writeXml(vocabulary(), RESPONSE, response, { soap: true })
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

/** Whether the schema of the response allows the fields that a response line repeats from a record. */
function isRepresentable(record: FiscalRecord): boolean {
  const line = { ...recordPart(record), EstadoRegistro: 'Correcto' }
  const type = required(required(vocabulary().roots.get(RESPONSE)).type.byName.get('RespuestaLinea')).type
  return violationsOf(line, type, RESPONSE).length === 0
}
