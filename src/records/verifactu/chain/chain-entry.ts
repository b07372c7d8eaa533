/** Reads a record once for the audit of a chain, without trusting its structure. */
import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { fromImporte, timestampOf } from '../../fiscal/literals.ts'
import { recordHash, type Sha256, trimmed } from '../model/hash.ts'
import type { FiscalRecord, RecordKind, RegistroAlta } from '../model/verifactu-record-types.ts'
import type { HashedRecord, Sums } from './suspects.ts'

/** The values of a record that the audit compares. */
export interface Entry extends HashedRecord {
  /** Position in the input, from 0. */
  readonly at: number
  readonly root: string
  /** Values of the link to the previous record. `null` for a first record; undefined if the record has no link. */
  readonly link: readonly string[] | null | undefined
  readonly timestamp: string
  /** Milliseconds since 1970; undefined for an unreadable timestamp. */
  readonly instant: number | undefined
  /** The issuing system's block, unchecked. */
  readonly system: Readonly<Record<string, unknown>>
  readonly taxpayer: string
  /** True for a registration that corrects an earlier registration of the same invoice (`Subsanacion` S). */
  readonly corrects: boolean
}

/** Returns a text without leading and trailing blanks, as the authority trims it; an empty text for anything else. */
export const trimmedText = (value: unknown): string => (typeof value === 'string' ? trimmed(value) : '')

export const LINK_FIELDS = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura', 'Huella'] as const
export const EVENT_LINK_FIELDS = ['TipoEvento', 'FechaHoraHusoGenEvento', 'HuellaEvento'] as const

/** Regime keys under which the authority does not compare the totals with the breakdown. */
const LOOSE: ReadonlySet<unknown> = new Set(['03', '05', '06', '08', '09'])

/** Returns the sums of a breakdown in cents; undefined if an amount is unreadable. */
export function sumsOf(record: RegistroAlta): Sums | undefined {
  const lines: unknown = record.Desglose?.DetalleDesglose
  if (!Array.isArray(lines)) return undefined
  let tax = 0
  let total = 0
  let loose = false
  for (const line of lines as RegistroAlta['Desglose']['DetalleDesglose']) {
    const own =
      (fromImporte(line?.CuotaRepercutida) ?? 0) + (fromImporte(line?.CuotaRecargoEquivalencia) ?? 0)
    tax += own
    total += (fromImporte(line?.BaseImponibleOimporteNoSujeto) ?? Number.NaN) + own
    if (LOOSE.has(line?.ClaveRegimen)) loose = true
  }
  return Number.isNaN(total) ? undefined : { tax, total, loose }
}

type Block = Readonly<Record<string, unknown>>

const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null

/** Returns a value as a block; an empty block for anything else. */
const blockOf = (value: unknown): Block => (isBlock(value) ? value : NOTHING)
const NOTHING: Block = {}

/** Returns the values of the link to the previous record; null for a first record, undefined if there is no link. */
const linkIn = (chain: Block, name: string, fields: readonly string[], first: string): Entry['link'] => {
  if ((chain[name] ?? null) === null) return trimmedText(chain[first]) === 'S' ? null : undefined
  const link = blockOf(chain[name])
  return fields.map((field) => trimmedText(link[field]))
}

function entry(
  kind: RecordKind,
  at: number,
  body: Block,
  values: string[],
  link: Entry['link'],
  hash: Sha256,
  sums: Sums | undefined,
): Entry {
  const event = kind === 'evento'
  const timestamp = required(values[values.length - 1])
  return {
    kind,
    at,
    root: event ? 'RegistroEvento/Evento' : kind === 'alta' ? 'RegistroAlta' : 'RegistroAnulacion',
    values,
    stored: trimmedText(event ? body.HuellaEvento : body.Huella),
    computed: recordHash(kind, values, hash),
    link,
    timestamp,
    instant: timestampOf(timestamp),
    system: blockOf(body.SistemaInformatico),
    taxpayer: required(values[event ? 5 : 0]),
    corrects: trimmedText(body.Subsanacion) === 'S',
    sums,
  }
}

const NO_ID: Text = { en: 'it has no IDFactura', es: 'no tiene IDFactura' }
const NO_RECORD: Text = {
  en: 'it is neither RegistroAlta nor RegistroAnulacion nor RegistroEvento',
  es: 'no es RegistroAlta, RegistroAnulacion ni RegistroEvento',
}

function invoiceEntry(kind: 'alta' | 'anulacion', body: Block, at: number, hash: Sha256): Entry | Text {
  const id = body.IDFactura
  if (!isBlock(id)) return NO_ID
  const link = linkIn(blockOf(body.Encadenamiento), 'RegistroAnterior', LINK_FIELDS, 'PrimerRegistro')
  const before = link?.[3] ?? ''
  const timestamp = trimmedText(body.FechaHoraHusoGenRegistro)
  if (kind === 'anulacion') {
    const own = [id.IDEmisorFacturaAnulada, id.NumSerieFacturaAnulada, id.FechaExpedicionFacturaAnulada]
    return entry(kind, at, body, [...own.map(trimmedText), before, timestamp], link, hash, undefined)
  }
  const values = [
    trimmedText(id.IDEmisorFactura),
    trimmedText(id.NumSerieFactura),
    trimmedText(id.FechaExpedicionFactura),
    trimmedText(body.TipoFactura),
    trimmedText(body.CuotaTotal),
    trimmedText(body.ImporteTotal),
    before,
    timestamp,
  ]
  return entry(kind, at, body, values, link, hash, sumsOf(body as unknown as RegistroAlta))
}

function eventEntry(event: Block, at: number, hash: Sha256): Entry {
  const link = linkIn(blockOf(event.Encadenamiento), 'EventoAnterior', EVENT_LINK_FIELDS, 'PrimerEvento')
  const system = blockOf(event.SistemaInformatico)
  const values = [
    system.NIF,
    blockOf(system.IDOtro).ID,
    system.IdSistemaInformatico,
    system.Version,
    system.NumeroInstalacion,
    blockOf(event.ObligadoEmision).NIF,
    event.TipoEvento,
    link?.[2],
    event.FechaHoraHusoGenEvento,
  ].map(trimmedText)
  return entry('evento', at, event, values, link, hash, undefined)
}

/** Returns the values of a record, or the reason why the input is not a record. */
export function entryOf(record: FiscalRecord, at: number, hash: Sha256): Entry | Text {
  const { RegistroAlta: alta, RegistroAnulacion: anulacion, RegistroEvento: evento } = blockOf(record)
  if (isBlock(alta)) return invoiceEntry('alta', alta, at, hash)
  if (isBlock(anulacion)) return invoiceEntry('anulacion', anulacion, at, hash)
  const { Evento: event } = blockOf(evento)
  return isBlock(event) ? eventEntry(event, at, hash) : NO_RECORD
}

/** Returns the values that the link of the next record must have. */
export const identityOf = (entry: Entry): string[] =>
  entry.kind === 'evento'
    ? [required(entry.values[6]), entry.timestamp, entry.stored]
    : [required(entry.values[0]), required(entry.values[1]), required(entry.values[2]), entry.stored]

/** Returns invoice number and issue date of a record, or type and timestamp of an event. */
export const nameParts = (entry: Entry): readonly [string, string] =>
  entry.kind === 'evento'
    ? [`TipoEvento ${entry.values[6]}`, entry.timestamp]
    : [required(entry.values[1]), required(entry.values[2])]

/** Returns the name of a record in findings. */
export const nameOf = (entry: Entry): string => {
  const [first, second] = nameParts(entry)
  return `${first} (${second})`
}

export const nameOfLink = (link: readonly string[]): string =>
  link.length === 3 ? `TipoEvento ${link[0]} (${link[1]})` : `${link[1]} (${link[2]}, ${link[0]})`
