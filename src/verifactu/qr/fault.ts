/** What can be wrong with the QR of an invoice, and how it is told. */
import { CuadraError } from '../../errors/index.ts'
import type { Text } from '../../invoice/item.ts'

/** Where something is wrong: a value, a setting, or a part of an address that was read. */
export type QrField =
  | 'nif'
  | 'numSerie'
  | 'fecha'
  | 'importe'
  | 'environment'
  | 'verifiable'
  | 'size'
  | 'quietZone'
  | 'legend'
  | 'fontSize'
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'host'
  | 'port'
  | 'path'
  | 'query'
  | 'fragment'
  | 'formato'
  | 'idioma'

/**
 * What is wrong.
 *
 * - `type` not a text (or not what a setting must be); `empty` nothing in it; `length` too long or too short
 * - `character` one that may not be there; `blank_ends` a blank at one end, which the tax agency trims
 * - `format` not written as it must be; `impossible_date` no day of the calendar; `digits` too many of them
 * - `range` a setting out of its bounds; `unknown` not one of the values or addresses that exist
 * - `not_allowed` a part that the address may not have (port, credentials, fragment)
 * - `missing_parameter`, `repeated_parameter`, `unknown_parameter`, `empty_parameter`, `order` of the query
 * - `program_parameter` is for programs that ask the service and never part of the printed QR
 * - `escape` is no percent-encoded UTF-8
 */
export type QrFaultCode =
  | 'type'
  | 'empty'
  | 'length'
  | 'character'
  | 'blank_ends'
  | 'format'
  | 'impossible_date'
  | 'digits'
  | 'range'
  | 'unknown'
  | 'not_allowed'
  | 'missing_parameter'
  | 'repeated_parameter'
  | 'unknown_parameter'
  | 'empty_parameter'
  | 'order'
  | 'program_parameter'
  | 'escape'

/** One thing that is wrong. */
export interface QrFault {
  readonly code: QrFaultCode
  readonly field: QrField
  /** What is wrong, why, and how to mend it. */
  readonly message: string
  /** Code with which the QR service of the tax agency refuses the same thing (1001 to 2006); `null` if it has none. */
  readonly authority_code: number | null
}

/** A QR code that cannot be made: the calling program passed something wrong. */
export class QrError extends CuadraError {
  override readonly kind = 'usage'
  override readonly name = 'QrError'
  readonly code: QrFaultCode
  readonly field: QrField
  /** The message in both languages; that of a value, which is a program's, is English in both. */
  readonly messageText: Text

  constructor({ code, field, message }: Omit<QrFault, 'authority_code'>, spanish = message) {
    super(message)
    this.code = code
    this.field = field
    this.messageText = { en: message, es: spanish }
  }
}

export const fault = (
  field: QrField,
  code: QrFaultCode,
  message: string,
  authority_code: number | null = null,
): QrFault => ({ code, field, message, authority_code })

/** What a reader would not see, or would see elsewhere: controls, directions, lone surrogates, odd blanks. */
const INVISIBLE = /(?! )[\p{C}\p{Z}]/gu

const codeOf = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')

/** A value for a message: short, on one line, in quotes if it is a text. */
export function shown(value: unknown): string {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? 'an object' : String(value)
  const text = JSON.stringify(value.length > 70 ? `${value.slice(0, 70)}...` : value)
  return text.replace(INVISIBLE, (character) => `\\u{${codeOf(character)}}`)
}

/** A character for a message: its code point, itself if it can be seen, and its place. */
export function shownCharacter(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const seen = /[\p{C}\p{Z}]/u.test(character) ? '' : ` ${shown(character)}`
  return `U+${codeOf(character)}${seen} at position ${at + 1}`
}
