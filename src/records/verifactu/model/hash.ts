/**
 * The fiscal hash (`Huella`): SHA-256 over `name=value` pairs joined by `&`, in the order of the hash specification
 * (AEAT, version 0.1.2; Orden HAC/1177/2024 art. 13). Only this file contains the names and the format of the hashed
 * text.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import type {
  FiscalRecord,
  RecordKind,
  RegistroAlta,
  RegistroAnulacion,
  RegistroEvento,
} from './verifactu-record-types.ts'

/** SHA-256 of the UTF-8 bytes of a text, as 64 hexadecimal digits in either case. Synchronous. */
export type Sha256 = (text: string) => string

/**
 * Names of the hashed fields, in hash order. In an event, the first `NIF` is the producer's, the second the taxpayer's.
 */
export const HASH_FIELDS = {
  alta: [
    'IDEmisorFactura',
    'NumSerieFactura',
    'FechaExpedicionFactura',
    'TipoFactura',
    'CuotaTotal',
    'ImporteTotal',
    'Huella',
    'FechaHoraHusoGenRegistro',
  ],
  anulacion: [
    'IDEmisorFacturaAnulada',
    'NumSerieFacturaAnulada',
    'FechaExpedicionFacturaAnulada',
    'Huella',
    'FechaHoraHusoGenRegistro',
  ],
  evento: [
    'NIF',
    'ID',
    'IdSistemaInformatico',
    'Version',
    'NumeroInstalacion',
    'NIF',
    'TipoEvento',
    'HuellaEvento',
    'FechaHoraHusoGenEvento',
  ],
} as const satisfies Record<RecordKind, readonly string[]>

/** Trims a value like the authority, which uses Java's `trim`: removes all characters up to U+0020 at both ends. */
export const trimmed = (value: string): string => {
  let from = 0
  let to = value.length
  while (value.charCodeAt(from) <= 32) from++
  while (value.charCodeAt(to - 1) <= 32) to--
  return value.slice(from, to)
}

/**
 * Returns the text that is hashed: values are trimmed at both ends and otherwise unchanged, without escaping.
 *
 * @example
 * hashText('anulacion', ['89890001K', '12345679/G34', '01-01-2024', '', '2024-01-01T19:20:40+01:00'])
 * // => 'IDEmisorFacturaAnulada=89890001K&NumSerieFacturaAnulada=12345679/G34&FechaExpedicionFacturaAnulada=01-01-2024&Huella=&FechaHoraHusoGenRegistro=2024-01-01T19:20:40+01:00'
 */
export function hashText(kind: RecordKind, values: readonly string[]): string {
  const names = HASH_FIELDS[kind] as readonly string[] | undefined
  if (!names) throw new TypeError(`"${String(kind)}" is not a kind of record; use alta, anulacion or evento`)
  if (!Array.isArray(values) || values.length !== names.length)
    throw new TypeError(`a hash of kind ${kind} needs ${names.length} values (${names.join(', ')})`)
  let text = ''
  for (let i = 0; i < names.length; i++) {
    const value: unknown = values[i]
    if (typeof value !== 'string')
      throw new TypeError(
        `value ${i + 1} of the hash (${names[i]}) is not a text; send it as in the XML, '' if none`,
      )
    text += i === 0 ? `${names[i]}=${trimmed(value)}` : `&${names[i]}=${trimmed(value)}`
  }
  return text
}

/** The host's UTF-8 encoder. */
interface Encoder {
  encodeInto(text: string, bytes: Uint8Array): { readonly written: number }
}

let scratch = new Uint8Array(1024)
let encoder: Encoder | null | undefined

/** Returns the UTF-8 bytes of a text, with the host's encoder if there is one. Valid until the next call. */
function bytesOf(text: string): Uint8Array {
  if (scratch.length < text.length * 3) scratch = new Uint8Array(text.length * 3)
  if (encoder === undefined) {
    const { TextEncoder } = globalThis as { TextEncoder?: new () => Encoder }
    encoder = TextEncoder ? new TextEncoder() : null
  }
  return scratch.subarray(0, encoder ? encoder.encodeInto(text, scratch).written : encode(text, scratch))
}

/** Lead bits of a UTF-8 character, by the number of bytes that follow. */
const LEADS = [0, 0xc0, 0xe0, 0xf0]

/**
 * Writes the UTF-8 bytes of a text and returns their number. Writes U+FFFD for a lone surrogate, as `TextEncoder` does.
 */
export function encode(text: string, bytes: Uint8Array): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    let code = text.codePointAt(i)!
    if (code < 0x80) {
      bytes[length++] = code
      continue
    }
    if (code >= 0x10000) i++
    else if (code >= 0xd800 && code < 0xe000) code = 0xfffd
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
    bytes[length++] = LEADS[more]! | (code >> (6 * more))
    for (let left = more - 1; left >= 0; left--) bytes[length++] = 0x80 | ((code >> (6 * left)) & 63)
  }
  return length
}

const FRESH = /* @__PURE__ */ sha256.create()
const HASHER = /* @__PURE__ */ sha256.create()
const DIGEST = /* @__PURE__ */ new Uint8Array(32)

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'))

/**
 * SHA-256 without the host's own implementation, from `@noble/hashes`. Resets one hasher for every text by copying the
 * state of a fresh hasher, because creating a hasher takes a third of the time of hashing a typical text.
 */
export const portableSha256: Sha256 = (text) => {
  FRESH._cloneInto(HASHER)
  HASHER.update(bytesOf(text)).digestInto(DIGEST)
  let hex = ''
  for (const byte of DIGEST) hex += HEX[byte]
  return hex
}

const digestOf = (text: string, hash: Sha256): string => {
  const hex = hash(text).toUpperCase()
  if (hex.length !== 64)
    throw new TypeError(`the injected hash gave ${hex.length} characters, not 64 hexadecimal digits`)
  return hex
}

/**
 * Returns the hash of a record from the literal values of its fields, in hash order (`HASH_FIELDS`), exactly as in the
 * XML: `12.3` and `12.30` give different hashes. The previous record's hash is `''` in the first record.
 *
 * The result has 64 upper-case hexadecimal digits. Throws a `TypeError` for an unknown kind, a wrong number of values
 * or a value that is not a text. `hash` replaces the portable SHA-256 with a faster one that the host provides. Source:
 * AEAT hash specification 0.1.2, sections 3 to 6; Orden HAC/1177/2024, art. 13.
 *
 * @example
 * recordHash('alta', ['89890001K', '12345678/G33', '01-01-2024', 'F1', '12.35', '123.45', '', '2024-01-01T19:20:30+01:00'])
 * // => '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60'
 */
export const recordHash = (
  kind: RecordKind,
  values: readonly string[],
  hash: Sha256 = portableSha256,
): string => digestOf(hashText(kind, values), hash)

const altaValues = (record: RegistroAlta): string[] => {
  const { IDFactura: id } = record
  return [
    id.IDEmisorFactura,
    id.NumSerieFactura,
    id.FechaExpedicionFactura,
    record.TipoFactura,
    record.CuotaTotal,
    record.ImporteTotal,
    record.Encadenamiento.RegistroAnterior?.Huella ?? '',
    record.FechaHoraHusoGenRegistro,
  ]
}

const anulacionValues = (record: RegistroAnulacion): string[] => {
  const { IDFactura: id } = record
  return [
    id.IDEmisorFacturaAnulada,
    id.NumSerieFacturaAnulada,
    id.FechaExpedicionFacturaAnulada,
    record.Encadenamiento.RegistroAnterior?.Huella ?? '',
    record.FechaHoraHusoGenRegistro,
  ]
}

const eventoValues = ({ Evento: event }: Pick<RegistroEvento, 'Evento'>): string[] => {
  const { SistemaInformatico: system } = event
  return [
    system.NIF ?? '',
    system.IDOtro?.ID ?? '',
    system.IdSistemaInformatico,
    system.Version,
    system.NumeroInstalacion,
    event.ObligadoEmision.NIF,
    event.TipoEvento,
    event.Encadenamiento.EventoAnterior?.HuellaEvento ?? '',
    event.FechaHoraHusoGenEvento,
  ]
}

function valuesOf(record: FiscalRecord): readonly [RecordKind, readonly string[]] {
  try {
    if ('RegistroAlta' in record) return ['alta', altaValues(record.RegistroAlta)]
    return 'RegistroAnulacion' in record
      ? ['anulacion', anulacionValues(record.RegistroAnulacion)]
      : ['evento', eventoValues(record.RegistroEvento)]
  } catch {
    throw new TypeError('the record lacks a block that its hash needs; checkRecord reports it')
  }
}

/** Returns the text that is hashed for a record. Throws a `TypeError` if a block or value of the hash is missing. */
export function hashTextOf(record: FiscalRecord): string {
  const [kind, values] = valuesOf(record)
  return hashText(kind, values)
}

/**
 * Returns the hash that a record must carry, computed from its own fields; its stored hash (`Huella`) is ignored.
 *
 * Throws a `TypeError` if a field of the hash is missing: check foreign records first (`checkRecord`).
 */
export const hashOf = (record: FiscalRecord, hash: Sha256 = portableSha256): string =>
  digestOf(hashTextOf(record), hash)
