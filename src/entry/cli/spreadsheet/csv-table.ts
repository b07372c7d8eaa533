/** Reads and writes the cells of a CSV file. */
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { required } from '#core/errors/index.ts'
import { LineIndex } from '#core/json/index.ts'
import { addressOf, type CellReference } from './cell-address.ts'
import { escapeFormula } from './cell-values.ts'
import type { Mapping } from './mapping.ts'
import { type CellPosition, FIRST_CELL_POSITION, type Problem } from './problem.ts'

/** Maximum size of a CSV file in bytes, to bound memory and time. */
export const MAX_BYTES = 20 * 1024 * 1024
const MAX_ROWS = 200_000

/** A CSV file: its rows, and the position of each cell in its text. */
export class Table {
  #lines: LineIndex | undefined
  #utf8: Buffer | undefined

  constructor(
    readonly text: string,
    readonly delimiter: string,
    readonly rows: readonly (readonly string[])[],
    /** Offset, in bytes of UTF-8, of the end of each row. */
    readonly ends: readonly number[],
  ) {}

  /** Returns the position of a cell. For a row without this cell, returns the end of the row. */
  positionOf({ row, column }: CellReference): CellPosition {
    this.#utf8 ??= Buffer.from(this.text)
    this.#lines ??= new LineIndex(this.text)
    const start = this.ends[row - 2] ?? 0
    const before = this.#utf8.toString('utf8', 0, start).length
    const raw = this.#utf8.toString('utf8', start, this.ends[row - 1]).replace(/(?<![\r\n])[\r\n]+$/, '')
    let from = 0
    let to = this.#endOfCell(raw, 0)
    for (let index = 0; index < column && to < raw.length; index++) {
      from = to + 1
      to = this.#endOfCell(raw, from)
    }
    const length = Math.max(1, to - from)
    return { ...this.#lines.positionOf(before + from), length }
  }

  #endOfCell(raw: string, from: number): number {
    let isQuoted = false
    for (let at = from; at < raw.length; at++) {
      if (raw[at] === '"') isQuoted = !isQuoted
      else if (raw[at] === this.delimiter && !isQuoted) return at
    }
    return raw.length
  }

  problem(code: string, at: CellReference, extra: Problem['extra'] = {}, path = ''): Problem {
    const cell = addressOf(at)
    return { code, path, extra: { ...extra, cell, row: at.row }, position: this.positionOf(at) }
  }
}

type Reading<T> = { readonly value: T } | { readonly problem: Problem; readonly text: string }

const refused = (
  code: string,
  extra: Problem['extra'] = {},
  position = FIRST_CELL_POSITION,
  text = '',
): Reading<never> => ({
  problem: { code, path: '', extra, position },
  text,
})

/** Whether the bytes begin like a workbook: a ZIP archive (.xlsx, .ods) or a compound file (.xls). */
const isWorkbook = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) || (bytes[0] === 0xd0 && bytes[1] === 0xcf)

const startsWith = (bytes: Uint8Array, ...mark: number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/**
 * Characters of the bytes 0x80 to 0x9F in windows-1252; all other bytes are as in Latin-1. `TextDecoder` of some Node
 * versions wrongly decodes these bytes as Latin-1.
 */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Characters of the bytes that windows-1252 does not define. */
const UNDEFINED = /[\u0081\u008d\u008f\u0090\u009d]/

const decodeWindows = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign)

/** Returns the encoding of a file: that of its byte order mark, or else that of the mapping. */
function encodingOf(bytes: Uint8Array, { encoding }: Mapping): 'utf-8' | 'utf-16le' | 'windows-1252' {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le'
  return encoding === 'windows-1252' ? 'windows-1252' : 'utf-8'
}

/** Decodes a file, without its byte order mark. */
export function decode(bytes: Uint8Array, mapping: Mapping): Reading<string> {
  if (bytes.length > MAX_BYTES) return refused('csv.too_large', { max_bytes: MAX_BYTES })
  if (isWorkbook(bytes)) return refused('csv.workbook')
  const encoding = encodingOf(bytes, mapping)
  const text = encoding === 'windows-1252' ? decodeWindows(bytes) : new TextDecoder(encoding).decode(bytes)
  const at = text.search(encoding === 'windows-1252' ? UNDEFINED : '\ufffd')
  const isValid = at < 0 || (encoding === 'utf-8' && isUtf8(bytes))
  if (!isValid)
    return refused('csv.encoding', { encoding }, { ...new LineIndex(text).positionOf(at), length: 1 }, text)
  const binary = text.indexOf('\0')
  if (binary < 0) return { value: text }
  return refused('csv.not_text', {}, { ...new LineIndex(text).positionOf(binary), length: 1 }, text)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The code of each error of the parser. */
const SYNTAX: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'csv.quote_not_closed',
  CSV_INVALID_CLOSING_QUOTE: 'csv.quote_inside',
  INVALID_OPENING_QUOTE: 'csv.quote_inside',
}

/** Returns the probable delimiter if a file was read with the wrong one, so that its first row has a single cell. */
function otherDelimiter([name = '', ...others]: readonly string[], delimiter: string): string | undefined {
  if (others.length > 0) return undefined
  return [';', ',', '\t', '|'].find((sign) => sign !== delimiter && name.includes(sign))
}

/** Splits a text into cells. */
export function readTable(text: string, delimiter: string): Reading<Table> {
  const rows: string[][] = []
  const ends: number[] = []
  const table = new Table(text, delimiter, rows, ends)
  try {
    parse(text, {
      delimiter,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: MAX_ROWS + 1,
      on_record: (cells: string[], { bytes }: { bytes: number }) => {
        rows.push(cells)
        ends.push(bytes)
        return null
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const other = otherDelimiter(rows[0] ?? [], delimiter)
    if (other) return refused('csv.delimiter', { delimiter, received: other }, FIRST_CELL_POSITION, text)
    const at = { row: rows.length + 1, column: Number(error.column ?? 0) }
    ends.push(Buffer.byteLength(text))
    return { problem: table.problem(SYNTAX[error.code] ?? 'csv.quote_inside', at), text }
  }
  if (rows.length > MAX_ROWS) return refused('csv.too_many_rows', { max_rows: MAX_ROWS })
  const other = otherDelimiter(rows[0] ?? [], delimiter)
  return other
    ? refused('csv.delimiter', { delimiter, received: other }, FIRST_CELL_POSITION, text)
    : { value: table }
}

/** Returns the CSV text of rows. */
export const csvText = (rows: readonly (readonly string[])[], { delimiter }: Mapping): string =>
  stringify(rows as string[][], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ })

/** Returns the row of column names. */
export const headerOf = ({ columns }: Mapping): string[] => columns.map(({ name }) => escapeFormula(name))

/** Returns the byte of a character in windows-1252; undefined if there is none. */
function windowsByte(sign: string): number | undefined {
  const code = sign.codePointAt(0) ?? 0
  const at = WINDOWS.indexOf(sign)
  if (at >= 0) return UNDEFINED.test(sign) ? undefined : 0x80 + at
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : undefined
}

/** Returns the first character of a text that the encoding of the mapping cannot represent. */
export const unencodableCharacterOf = (text: string, { encoding }: Mapping): string | undefined =>
  encoding === 'windows-1252' ? [...text].find((sign) => windowsByte(sign) === undefined) : undefined

/** Encodes a text. Throws for characters that the encoding cannot represent; check with `unencodableCharacterOf` first. */
export function encode(text: string, { encoding }: Mapping): Uint8Array {
  if (encoding !== 'windows-1252') return Buffer.from(text)
  return Uint8Array.from(text, (sign) => required(windowsByte(sign)))
}

/** Returns the byte order mark for the encoding of the mapping; empty if it has none. */
export const byteOrderMarkOf = ({ encoding }: Mapping): string => (encoding === 'utf-8-bom' ? '\ufeff' : '')
