/** Checks JSON beyond `JSON.parse`: for repeated keys, too many members or entries, and text that cannot be stored. */
import { escapeSegment } from '#core/invoice/pointer.ts'
import { JsonFault, LineIndex, walkJson } from '#core/json/index.ts'
import { invalidRequest } from '../errors/api-error.ts'

const LONGEST_SHOWN = 80
export const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
export const COMMA = 44
export const SPACE = 32

/** `[` and `{` differ only in this bit, as do `]` and `}`. */
const CASE = 32
export const isOpeningBracket = (byte: number): boolean => (byte | CASE) === 123
export const isClosingBracket = (byte: number): boolean => (byte | CASE) === 125

/** Properties of a JSON text that are known before it is parsed. They are meaningless if the text is not JSON. */
export interface JsonMeasures {
  /** Maximum nesting depth. */
  readonly depth: number
  /** Number of members of all objects: the colons outside strings. */
  readonly members: number
  /** Number of entries of all lists. */
  readonly entries: number
  /** Whether any string contains an escape sequence. */
  readonly hasEscapes: boolean
}

/** Returns the index of the closing quote of the string that begins at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Whether the object or list that begins at `start` has any content. */
function hasContent(bytes: Uint8Array, start: number): boolean {
  let at = start + 1
  while ((bytes[at] as number) <= SPACE) at++
  return !isClosingBracket(bytes[at] as number)
}

/**
 * Counts the members and entries of a JSON text, and measures its depth, in one pass over its bytes. All structural
 * characters of JSON are ASCII, also in UTF-8 text. Every comma separates two children of an object or list, so a
 * non-empty one has one more child than commas. Each child is a member or an entry.
 */
export function measureJson(bytes: Uint8Array): JsonMeasures {
  let level = 0
  let depth = 0
  let members = 0
  let children = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === COLON) members++
    else if (byte === COMMA) children++
    else if (isOpeningBracket(byte)) {
      level++
      if (level > depth) depth = level
      children += Number(hasContent(bytes, at))
    } else if (isClosingBracket(byte)) level--
  }
  return { depth, members, entries: children - members, hasEscapes: bytes.includes(BACKSLASH) }
}

/** Numbers of members in a parsed value. */
interface Tally {
  /** Number of members of all objects. */
  members: number
  /** Number of members of the largest object. */
  widest: number
}

function count(value: object, tally: Tally): void {
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object' && one !== null) count(one, tally)
    return
  }
  // Parsed objects have only own members, so `for…in` is safe. It avoids creating an array of keys for each object.
  let members = 0
  for (const name in value) {
    members++
    const one = (value as Readonly<Record<string, unknown>>)[name]
    if (typeof one === 'object' && one !== null) count(one, tally)
  }
  tally.members += members
  if (members > tally.widest) tally.widest = members
}

function tallyOf(value: unknown): Tally {
  const tally: Tally = { members: 0, widest: 0 }
  if (typeof value === 'object' && value !== null) count(value, tally)
  return tally
}

/** The keys of an object read so far; undefined before the first key. */
interface ObjectKeys {
  keys?: Set<string>
}

/** Throws an error with the position of the first repeated key in an object. The text must be valid JSON. */
function refuseFirstRepeated(text: string): void {
  const member = (parent: ObjectKeys, start: number, end: number): ObjectKeys => {
    const quoted = text.slice(start, end)
    const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
    parent.keys ??= new Set()
    if (parent.keys.has(name)) {
      const { line, column } = new LineIndex(text).positionOf(start)
      const shown = name.slice(0, LONGEST_SHOWN)
      throw invalidRequest(
        `the key "${shown}" is repeated at line ${line}, column ${column}`,
        `la clave «${shown}» está repetida en la línea ${line}, columna ${column}`,
        { line, column },
      )
    }
    parent.keys.add(name)
    return {}
  }
  try {
    walkJson<ObjectKeys>(text, {}, { member, entry: () => ({}) })
  } catch (error) {
    // `JSON.parse` has accepted the text. If this parser rejects it, the result of `JSON.parse` is used.
    if (!(error instanceof JsonFault)) throw error
  }
}

/** Minimum number of bytes of an invoice line in JSON. */
const BYTES_PER_ENTRY = 80
/** Maximum number of members of an object. Objects of the API specification have less than a tenth of this number. */
const MAX_MEMBERS = 1000

const mostEntries = (maxBytes: number): number => Math.floor(maxBytes / BYTES_PER_ENTRY)

/** Whether a body of at most `maxBytes` has few enough list entries to be parsed. */
export const hasFewEntries = ({ entries }: JsonMeasures, maxBytes: number): boolean =>
  entries <= mostEntries(maxBytes)

/**
 * Refuses a body with too many list entries before it is parsed. A list of millions of empty entries fits into a body.
 * Parsed, it would take a multiple of the memory, and reporting every problem would take minutes.
 */
export function refuseTooMany(measures: JsonMeasures, maxBytes: number): void {
  const most = mostEntries(maxBytes)
  if (!hasFewEntries(measures, maxBytes))
    throw invalidRequest(
      `the lists have ${measures.entries} entries; at most ${most} are read`,
      `las listas tienen ${measures.entries} elementos; se leen ${most} como máximo`,
      { max_entries: most },
    )
}

/**
 * Refuses a document with repeated keys or too many members in an object. A repeated key is a mistake that `JSON.parse`
 * hides, because it silently uses the last value.
 */
export function refuseWrongKeys(text: string, { members }: JsonMeasures, value: unknown): void {
  const tally = tallyOf(value)
  // Searches for a repeated key only if the numbers of members differ: a search takes longer than parsing.
  if (members !== tally.members) refuseFirstRepeated(text)
  refuseTooWide(tally)
}

function refuseTooWide(tally: Tally): void {
  if (tally.widest > MAX_MEMBERS)
    throw invalidRequest(
      `an object has ${tally.widest} fields; at most ${MAX_MEMBERS} are read`,
      `un objeto tiene ${tally.widest} campos; se leen ${MAX_MEMBERS} como máximo`,
      { max_fields: MAX_MEMBERS },
    )
}

/**
 * Matches escape sequences of characters that neither a database nor XML can store. Without escapes, a valid UTF-8 text
 * cannot contain these characters.
 */
const SUSPECT = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const UNSTORABLE = /\u0000|\p{Surrogate}/u

/**
 * Returns the JSON pointer to the first text or key with a character that cannot be stored; undefined if there is none.
 */
function pathOfUnstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, one] of Object.entries(value)) {
    if (UNSTORABLE.test(name)) return path || '/'
    const found = pathOfUnstorable(one, `${path}/${escapeSegment(name)}`)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Refuses NUL and unpaired surrogates, which are valid in JSON. PostgreSQL refuses NUL, and UTF-8 cannot encode
 * unpaired surrogates. If the server removed them, the stored text would differ from the text that was sent.
 */
export function refuseUnstorable(text: string, { hasEscapes }: JsonMeasures, value: unknown): void {
  if (!hasEscapes || !SUSPECT.test(text)) return
  const path = pathOfUnstorable(value)
  if (path === undefined) return
  const shown = path.slice(0, LONGEST_SHOWN) || '/'
  throw invalidRequest(
    `the text at ${shown} contains a NUL character or an unpaired surrogate: remove it`,
    `el texto en ${shown} tiene un carácter NUL o medio par sustituto: quítelo`,
    { path: path.slice(0, 200) },
  )
}

/** Whether a value certainly has no repeated keys or unstorable text. Throws if it has too many members. */
export function isSound(text: string, { members, hasEscapes }: JsonMeasures, value: unknown): boolean {
  const tally = tallyOf(value)
  if (members !== tally.members) return false
  refuseTooWide(tally)
  return !(hasEscapes && SUSPECT.test(text))
}
