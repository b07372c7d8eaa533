/** Built-in types of XML Schema: their valid texts and their whitespace handling. */

/**
 * Whitespace handling: `preserve` changes nothing, `replace` turns each whitespace character into a blank, `collapse`
 * also trims the text and reduces runs of blanks to one.
 */
export type Spaces = 'preserve' | 'replace' | 'collapse'

export interface BuiltIn {
  readonly spaces: Spaces
  /** Whether a normalised text is valid for the type; absent if every text is valid. */
  readonly test?: (text: string) => boolean
}

const matching = (pattern: RegExp): BuiltIn => ({ spaces: 'collapse', test: (text) => pattern.test(text) })

const NAME_START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u3001-\\uD7FF'
const NC_NAME = new RegExp(`^[${NAME_START}][${NAME_START}\\-.\\d\\u00B7\\u0300-\\u036F]*$`)

const ZONE = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?'
const DAY = '-?(\\d{4,})-(\\d\\d)-(\\d\\d)'
const HOUR = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00(?:\\.0+)?)'
const DATE = new RegExp(`^${DAY}${ZONE}$`)
const TIME = new RegExp(`^${HOUR}${ZONE}$`)
const DATE_TIME = new RegExp(`^${DAY}T${HOUR}${ZONE}$`)

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether the date exists in the calendar. XML Schema has no year 0. */
function isDay(parts: RegExpExecArray | null): boolean {
  if (!parts) return false
  const [, year, month, day] = parts.map(Number) as [number, number, number, number]
  if (year === 0 || (parts[1]!.length > 4 && parts[1]!.startsWith('0'))) return false
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leap ? 1 : 0)
}

const isBase64Character = (code: number): boolean =>
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2b ||
  code === 0x2f

/**
 * Whether the text is base64. Blanks may stand between any characters. Uses a loop, because a regular expression fails
 * on megabytes of text.
 */
function isBase64(text: string): boolean {
  let count = 0
  let padding = 0
  let last = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x20) continue
    if (code === 0x3d) padding++
    else if (padding > 0 || !isBase64Character(code)) return false
    else last = code
    count++
  }
  if (count % 4 !== 0 || padding > 2) return false
  // The unused bits of the last character are zero.
  const end = String.fromCharCode(last)
  return padding === 0 || (padding === 1 ? /[AEIMQUYcgkosw048]/ : /[AQgw]/).test(end)
}

const URI = /^(?:[^\t\n\r%#[\]]|%[\dA-Fa-f]{2}|\[[\dA-Fa-f:.]*\])*(?:#(?:[^\t\n\r%#[\]]|%[\dA-Fa-f]{2})*)?$/

/** Whether the text is a URI. Like other readers, it accepts invalid characters, but not broken escapes. */
function isUri(text: string): boolean {
  const scheme = /^([^/?#:]*):/.exec(text)
  return URI.test(text) && (!scheme || /^[A-Za-z][A-Za-z\d+.-]*$/.test(scheme[1]!))
}

const LONG = 9_223_372_036_854_775_807n

function isLong(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false
  const digits = text.replace(/^[+-]?0*(?=\d)/, '')
  if (digits.length > 19) return false
  return BigInt(digits) <= (text.startsWith('-') ? LONG + 1n : LONG)
}

export const BUILT_IN: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ['xs:string', { spaces: 'preserve' }],
  ['xs:normalizedString', { spaces: 'replace' }],
  ['xs:token', { spaces: 'collapse' }],
  ['xs:language', matching(/^[A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*$/)],
  ['xs:ID', matching(NC_NAME)],
  ['xs:anyURI', { spaces: 'collapse', test: isUri }],
  ['xs:boolean', matching(/^(?:true|false|[01])$/)],
  ['xs:decimal', matching(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/)],
  ['xs:double', matching(/^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|-?INF|NaN)$/)],
  ['xs:integer', matching(/^[+-]?\d+$/)],
  ['xs:long', { spaces: 'collapse', test: isLong }],
  ['xs:date', { spaces: 'collapse', test: (text) => isDay(DATE.exec(text)) }],
  ['xs:time', matching(TIME)],
  ['xs:dateTime', { spaces: 'collapse', test: (text) => isDay(DATE_TIME.exec(text)) }],
  ['xs:base64Binary', { spaces: 'collapse', test: isBase64 }],
])

/** Returns the text with the whitespace handling of its type. */
export function normalised(text: string, spaces: Spaces): string {
  if (spaces === 'preserve' || !/^[ \t\n\r]|[\t\n\r]| {2}|[ \t\n\r]$/.test(text)) return text
  const replaced = text.replace(/[\t\n\r]/g, ' ')
  return spaces === 'replace' ? replaced : replaced.replace(/ {2,}/g, ' ').replace(/^ | $/g, '')
}
