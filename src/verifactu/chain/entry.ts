/** Reads a record once for the audit of a chain, without trusting its structure. */
import { required } from '../../errors/index.ts'
import { fromImporte, timestampOf } from '../../fiscal/literals.ts'
import type { Text } from '../../invoice/index.ts'
import { recordHash, type Sha256, trimmed } from '../model/hash.ts'
import type { FiscalRecord, RecordKind, RegistroAlta } from '../model/types.ts'
import type { HashedRecord } from './suspects.ts'

/** The values of a record that the audit compares. Built once per record. */
export interface Entry extends HashedRecord {
  /** Position in the input, from 0. */
  readonly at: number
  readonly root: string
  /** `null` for a first record, undefined if the record states no link. */
  readonly link: readonly string[] | null | undefined
  readonly timestamp: string
  /** Milliseconds since 1970; undefined for an unreadable timestamp. */
  readonly instant: number | undefined
  /** The issuing system's block, unchecked. */
  readonly system: Readonly<Record<string, unknown>>
  readonly taxpayer: string
  /** True for a registration that corrects an earlier registration of the same invoice (`Subsanacion` S). */
  readonly corrects: boolean
  readonly totals: readonly [tax: string, total: string] | null
  /** True if a regime key allows the total to exceed the breakdown. */
  readonly loose: boolean
}

/** Returns a text without leading and trailing blanks, as the authority trims it; an empty text for anything else. */
export const text = (value: unknown): string => (typeof value === 'string' ? trimmed(value) : '')

export const LINK_FIELDS = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura', 'Huella'] as const
export const EVENT_LINK_FIELDS = ['TipoEvento', 'FechaHoraHusoGenEvento', 'HuellaEvento'] as const

interface Sums {
  readonly tax: number | undefined
  readonly total: number | undefined
  readonly loose: boolean
}

const NO_SUMS: Sums = { tax: undefined, total: undefined, loose: false }

/** Whether the authority does not compare the totals with the breakdown under this key: 03, 05, 06, 08, 09. */
export function isLoose(key: unknown): boolean {
  if (typeof key !== 'string' || key.length !== 2 || key.charCodeAt(0) !== ZERO) return false
  const digit = key.charCodeAt(1) - ZERO
  return digit === 3 || digit === 5 || digit === 6 || digit === 8 || digit === 9
}
const ZERO = 48

/** Returns the sums of a breakdown in cents; undefined if an amount is unreadable. */
export function sumsOf(record: RegistroAlta): Sums {
  const lines: unknown = record.Desglose?.DetalleDesglose
  if (!Array.isArray(lines)) return NO_SUMS
  let tax = 0
  let total = 0
  let loose = false
  for (const line of lines as RegistroAlta['Desglose']['DetalleDesglose']) {
    const own =
      (fromImporte(line?.CuotaRepercutida) ?? 0) + (fromImporte(line?.CuotaRecargoEquivalencia) ?? 0)
    tax += own
    total += (fromImporte(line?.BaseImponibleOimporteNoSujeto) ?? Number.NaN) + own
    if (isLoose(line?.ClaveRegimen)) loose = true
  }
  return Number.isNaN(total) ? { tax: undefined, total: undefined, loose } : { tax, total, loose }
}

type Block = Readonly<Record<string, unknown>>

/** Returns a value as a block; an empty block for anything else. */
const blockOf = (value: unknown): Block =>
  typeof value === 'object' && value !== null ? (value as Block) : NOTHING
const NOTHING: Block = {}

/** Returns the values of the link; null for a first record, undefined if the record states no link. */
const linkIn = (chain: Block, name: string, fields: readonly string[], first: string): Entry['link'] => {
  if (chain[name] === undefined || chain[name] === null) return text(chain[first]) === 'S' ? null : undefined
  const link = blockOf(chain[name])
  const values: string[] = []
  for (let i = 0; i < fields.length; i++) values.push(text(link[required(fields[i])]))
  return values
}

function entry(
  kind: RecordKind,
  at: number,
  body: Block,
  values: string[],
  link: Entry['link'],
  hash: Sha256,
  sums: Sums,
): Entry {
  const event = kind === 'evento'
  const timestamp = required(values[values.length - 1])
  return {
    kind,
    at,
    root: event ? 'RegistroEvento/Evento' : kind === 'alta' ? 'RegistroAlta' : 'RegistroAnulacion',
    values,
    stored: text(event ? body.HuellaEvento : body.Huella),
    computed: recordHash(kind, values, hash),
    link,
    timestamp,
    instant: timestampOf(timestamp),
    system: blockOf(body.SistemaInformatico),
    taxpayer: required(values[event ? 5 : 0]),
    corrects: text(body.Subsanacion) === 'S',
    totals: kind === 'alta' ? [required(values[4]), required(values[5])] : null,
    tax: sums.tax,
    total: sums.total,
    loose: sums.loose,
  }
}

const NO_ID: Text = { en: 'it has no IDFactura', es: 'no tiene IDFactura' }
const NO_RECORD: Text = {
  en: 'it is neither RegistroAlta nor RegistroAnulacion nor RegistroEvento',
  es: 'no es RegistroAlta, RegistroAnulacion ni RegistroEvento',
}

function invoiceEntry(kind: 'alta' | 'anulacion', body: Block, at: number, hash: Sha256): Entry | Text {
  if (typeof body.IDFactura !== 'object' || body.IDFactura === null) return NO_ID
  const id = body.IDFactura as Block
  const link = linkIn(blockOf(body.Encadenamiento), 'RegistroAnterior', LINK_FIELDS, 'PrimerRegistro')
  const before = link?.[3] ?? ''
  const timestamp = text(body.FechaHoraHusoGenRegistro)
  if (kind === 'anulacion') {
    const own = [id.IDEmisorFacturaAnulada, id.NumSerieFacturaAnulada, id.FechaExpedicionFacturaAnulada]
    return entry(kind, at, body, [...own.map(text), before, timestamp], link, hash, NO_SUMS)
  }
  const values = [
    text(id.IDEmisorFactura),
    text(id.NumSerieFactura),
    text(id.FechaExpedicionFactura),
    text(body.TipoFactura),
    text(body.CuotaTotal),
    text(body.ImporteTotal),
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
  ].map(text)
  return entry('evento', at, event, values, link, hash, NO_SUMS)
}

/** Returns the values of a record, or the reason why the input is not a record. */
export function entryOf(record: FiscalRecord, at: number, hash: Sha256): Entry | Text {
  const { RegistroAlta: alta, RegistroAnulacion: anulacion, RegistroEvento: evento } = blockOf(record)
  if (typeof alta === 'object' && alta !== null) return invoiceEntry('alta', alta as Block, at, hash)
  if (typeof anulacion === 'object' && anulacion !== null)
    return invoiceEntry('anulacion', anulacion as Block, at, hash)
  const { Evento: event } = blockOf(evento)
  if (typeof event === 'object' && event !== null) return eventEntry(event as Block, at, hash)
  return NO_RECORD
}

/** Returns the values with which the next record must identify this record. */
export const identityOf = (entry: Entry): string[] =>
  entry.kind === 'evento'
    ? [required(entry.values[6]), entry.timestamp, entry.stored]
    : [required(entry.values[0]), required(entry.values[1]), required(entry.values[2]), entry.stored]

/** Returns number and date of a record, or type and timestamp of an event. */
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
