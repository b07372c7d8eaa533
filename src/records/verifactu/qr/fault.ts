/** Faults of the QR of an invoice, and their messages. */
import { CuadraError } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'

/** The value, setting or part of an address that is faulty. */
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
 * Codes of faults:
 *
 * - `type`: not a text, or a setting of the wrong type; `empty`: without content; `length`: too long or too short
 * - `character`: not allowed; `blank_ends`: a leading or trailing blank, which the tax authority trims
 * - `format`: malformed; `impossible_date`: not a calendar day; `digits`: too many digits
 * - `range`: a setting out of range; `unknown`: not one of the allowed values or addresses
 * - `not_allowed`: a part that the address must not have (port, credentials, fragment)
 * - `missing_parameter`, `repeated_parameter`, `unknown_parameter`, `empty_parameter`, `order`: faults of the query
 * - `program_parameter`: a parameter for programs that call the service, never part of the printed QR
 * - `escape`: invalid percent-encoded UTF-8
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

export interface QrFault {
  readonly code: QrFaultCode
  readonly field: QrField
  /** The problem, the reason and the instruction. */
  readonly message: string
  /** Code of the tax authority's QR service for the same fault (1001 to 2006); `null` if it has none. */
  readonly authority_code: number | null
}

/** Thrown when a QR code cannot be built because the calling program passed a wrong value. */
export class QrError extends CuadraError {
  override readonly kind = 'usage'
  override readonly name = 'QrError'
  readonly code: QrFaultCode
  readonly field: QrField
  /** The message in both languages. Messages about values passed by a program are in English in both. */
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

/**
 * Characters that are invisible or change the display of others: control characters, text direction marks, lone
 * surrogates, and blanks other than the space.
 */
const INVISIBLE = /(?! )[\p{C}\p{Z}]/gu

const codeOf = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')

/** Returns a value for a message: short, on one line, in quotes if it is a text. */
export function displayTextOf(value: unknown): string {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? 'an object' : String(value)
  const text = JSON.stringify(value.length > 70 ? `${value.slice(0, 70)}...` : value)
  return text.replace(INVISIBLE, (character) => `\\u{${codeOf(character)}}`)
}

/** Returns a character for a message: its code point, the character itself if visible, and its position. */
export function shownCharacter(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const seen = /[\p{C}\p{Z}]/u.test(character) ? '' : ` ${displayTextOf(character)}`
  return `U+${codeOf(character)}${seen} at position ${at + 1}`
}
