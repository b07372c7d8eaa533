/** Finds the number and the series of an invoice. */

import {
  type Cell,
  captionedValues,
  cellsAbove,
  compact,
  type DocumentCells,
  type LabelledValue,
  labelledValues,
} from '../cells/cells.ts'
import { printedDate } from '../cells/printed-date.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { matcher, patternSourceOf } from '../labels/index.ts'
import { plainOf } from '../labels/plain-text.ts'
import { isTaxId } from './ids.ts'
import type { TaxQr } from './qr-fields.ts'

/** Matches abbreviations of "number" such as `n.º`. OCR misreads the ordinal sign, for example as 9, e, * or ?. */
const signOf = (ordinals: string) =>
  `(?<![\\wß-ɏ])(?:n\\s?[.,]?\\s?[${ordinals}]{1,2}(?!\\w)|n[.:]|n(?=\\s*:|\\s+\\S*\\d)|#)`
const SIGNS = { text: signOf('ºo°'), ocr: signOf('ºo°*?9”“’"e2a') } as const
// `s/n` means without number.
const numberWordOf = (sign: string) => `(?<!\\bs/)(?:${sign}|${patternSourceOf('number')})`
/** A word for a number in any text, misread or not. */
export const NUMBER_WORD = numberWordOf(SIGNS.ocr)
const NAME = `(?:${patternSourceOf('invoice', 'corrective', 'simplified')})`
const RECEIPT = `(?:${patternSourceOf('receipt')}|${NAME})(?:\\s*/\\s*${NAME})?`
/** A name in two languages, such as `Factura / Invoice`. */
const NAMES = `${NAME}(?:\\s*[/·|-]\\s*${NAME})?`
const ARTICLE = '(?:\\s{0,3}(?:de|da|do|du|della|of|the|la|a)\\b){0,3}'
/** A series with its label before the name, as in `Serie: A Factura: 26/31`. */
const SERIES_BEFORE = `${patternSourceOf('series')}\\s*:?\\s*\\S{1,10}\\s+`
/** A label must not be the beginning of the number itself, as in `FRA-25-042`. */
const END = '(?![-–_/]\\w)'

interface NumberLabel {
  readonly pattern: RegExp
  /** Whether the label always refers to a number. */
  readonly isSure: boolean
}

/** Returns the labels of the number of this invoice, the strongest first. */
function labelsWith(sign: string): readonly NumberLabel[] {
  const word = numberWordOf(sign)
  const sources: readonly (readonly [source: string, isSure: boolean])[] = [
    [
      `${patternSourceOf('invoiceNumber')}(?:\\s*${sign})?|${word}[:\\s]{0,3}${ARTICLE}\\s{0,3}${RECEIPT}`,
      true,
    ],
    [`(?:${NAMES}|${RECEIPT})\\s{0,3}:?\\s{0,3}${word}|^(?:${SERIES_BEFORE})?${NAMES}\\s*:`, true],
    [`(?:^|[a-zß-ɏ.:]\\s)${word}(?=\\s*:|\\s*$)`, true],
    [`^${sign}`, false],
    [`^(?:${NAME}\\s+)?${NAMES}(?=\\s*:|\\s|$)`, false],
    [`^${word}(?=\\s+\\S*\\d)`, false],
  ]
  return sources.map(([source, isSure]) => ({ pattern: new RegExp(`(?:${source})${END}`), isSure }))
}

const LABELS = { text: labelsWith(SIGNS.text), ocr: labelsWith(SIGNS.ocr) } as const

/** Labels of numbers of other documents. */
const OF_ANOTHER = matcher('otherNumber', 'corrected', 'taxId')
export const INVOICE_TITLE = new RegExp(
  `^(?:${patternSourceOf('invoice', 'invoiceNumber')})|${LABELS.ocr[0]?.pattern.source}`,
)

interface Printed {
  readonly text: string
  /** Whether the number goes on after a blank, so that its end is uncertain. */
  readonly isSplit: boolean
}

/** Whether a word has a digit, and only characters of numbers. */
const isNumeric = (word: string): boolean => /\d/.test(word) && /^[A-Za-z\d][\w./\-–]*$/.test(word)
/** Matches a short code in capitals, which may begin a number. */
const CODE = /^[A-Z]{1,5}\d{0,4}$/
const JOINT = /^(?:[-–_]|\/{1,2})$/
const CLOSING = /(?<![.,;:\-/–])[.,;:\-/–]+$/

/** Whether a word can be part of a number. */
const isPart = (word: string): boolean => isNumeric(word.replace(CLOSING, '')) && !isDateOrAmount(word)

/** Whether a word is a date or an amount. */
function isDateOrAmount(word: string): boolean {
  const isShort = word.replaceAll(' ', '').length <= 10 && /^\d/.test(word)
  return /^\d+[.,]\d{2}$/.test(word) || (isShort && printedDate(word) !== undefined)
}

/** Returns how many of the next words go on with a number. */
function continuationOf(before: string, [word = '', next = '']: readonly string[]): number {
  if (/[.,;:]$/.test(before)) return 0
  if (JOINT.test(word)) return isPart(next) || CODE.test(next) ? 2 : 0
  if (/^[-–/]\d/.test(word) || /[-–/]$/.test(before)) return 1
  return isPart(word) && (CODE.test(before) || /^\d{2,}$/.test(word)) ? 1 : 0
}

const isNumber = (value: string): boolean =>
  /\d/.test(value) && value.length <= 60 && !isTaxId(value) && !isDateOrAmount(value)

/** Returns the number with which a text begins. */
function numberOf(text: string): Printed | undefined {
  const words = text
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^n[.ºo°]{1,2}[-\s]*(?=\d)/i, '')
    .split(/\s+/)
  const [first = '', ...rest] = words
  if (!isPart(first) && !(CODE.test(first) && continuationOf(first, rest) > 0)) return undefined
  let [used, isJoined] = [1, false]
  for (;;) {
    const before = words[used - 1] ?? ''
    const more = continuationOf(before, words.slice(used))
    if (more === 0) break
    isJoined ||= more === 1 && /\d/.test(before)
    used += more
  }
  const value = words.slice(0, used).join(' ').replace(CLOSING, '')
  // A number that fills its text is complete.
  return isNumber(value) ? { text: value, isSplit: isJoined && used < words.length } : undefined
}

type Hit = LabelledValue<Printed>

/** Whether a number is that of another document. A label that names the invoice does not depend on the cell before it. */
const isOfAnother = ({ label, before, rest }: Hit, isNamed: boolean): boolean =>
  OF_ANOTHER.test(`${isNamed ? '' : before} ${label}${rest}`)

const CORRECTED_BLOCK = matcher('corrected')
/** Maximum number of rows of the block that describes the corrected invoice. */
const BLOCK_ROWS = 6

/** Returns the values outside of the block of the corrected invoice; if there are none outside, returns all values. */
export function ofThisInvoice<T>(
  sheet: DocumentCells,
  hits: readonly LabelledValue<T>[],
): readonly LabelledValue<T>[] {
  const own = hits.filter(({ labelCell }) =>
    [labelCell, ...cellsAbove(sheet, labelCell, BLOCK_ROWS)].every(
      ({ plain }) => !CORRECTED_BLOCK.test(plain),
    ),
  )
  return own.length > 0 ? own : hits
}

/** Returns the number after a mere title, where a postcode may stand: in another cell, the number must be alone. */
function numberAfterTitle(text: string, isBehindLabel: boolean): Printed | undefined {
  const number = numberOf(text)
  return isBehindLabel || number?.text === text ? number : undefined
}

/** Minimum number of words in lower case by which a cell is a sentence. */
const SENTENCE = 6
export const isSentence = ({ cell: { text } }: LabelledValue<unknown>): boolean =>
  text.length > 50 && (text.match(/(?<=^|\s)\p{Ll}{2,}/gu)?.length ?? 0) >= SENTENCE

/** Matches what may follow a number in its cell: nothing, or the date of the invoice. */
const NO_MORE = /^[\s,;.]*(?:(?:de|del|fecha|a|date|on)\b.{0,30}\d|$)/

/** Whether a number is all that stands beside its label, as in `Factura 26/118`. */
function isAlone({ cell, labelCell, value: { text } }: Hit): boolean {
  if (cell !== labelCell) return cell.text === text && text.length > 3 && !/^\d{5}$/.test(text)
  const [, after = ''] = cell.text.split(text)
  return NO_MORE.test(plainOf(after))
}

/** Matches the sign before the rest of a number that has a cell of its own. */
const JOINED = /^[-–/]\s?/

/** Returns the number with its other part in the next cell, below the same heading or before the next label. */
function withNextCell(sheet: DocumentCells, hit: Hit): Hit {
  const { cell, labelCell, value } = hit
  const next = sheet.rows[cell.row]?.[cell.column + 1]
  if (!next || cell.text !== value.text) return hit
  const text = `${value.text} ${next.text}`
  const rest = next.text.replace(JOINED, '')
  if (!isPart(rest)) return hit
  if (rest !== next.text) return { ...hit, value: { ...value, text } }
  const heading = sheet.rows[labelCell.row]?.[labelCell.column + 1]
  const isUnder = heading ? next.right <= heading.left : next.left < labelCell.right
  const isOfLabel = cell.row === labelCell.row || isUnder
  return isOfLabel ? { ...hit, value: { text, isSplit: true } } : hit
}

/** A number with the places where it is printed. */
interface Candidate {
  readonly text: string
  readonly hits: readonly Hit[]
}

/** Returns the different numbers of hits, the most frequent on the document first. */
function candidatesOf(hits: readonly Hit[], sheet: DocumentCells): Candidate[] {
  const found = new Map<string, Hit[]>()
  for (const hit of hits) {
    const key = compact(hit.value.text)
    found.set(key, [...(found.get(key) ?? []), hit])
  }
  const text = compact(sheet.plain)
  const times = (key: string) => text.split(key).length
  return [...found]
    .sort(([a], [b]) => times(b) - times(a))
    .map(([, same]) => ({ text: same[0]?.value.text ?? '', hits: same }))
}

/** Whether two spellings are of one number: one has a series before it that the other lacks. */
const isSameNumber = (one: string, other: string): boolean => {
  const [a, b] = [compact(one), compact(other)]
  return a.endsWith(b) || b.endsWith(a)
}

/** Returns the number of the tax QR, with a low score if the print contradicts it. */
function numberOfCode(sheet: DocumentCells, { number }: TaxQr, isPrinted: boolean): ScoredValue<string> {
  // Text recognised from pixels is too uncertain to contradict the QR.
  return compact(sheet.plain).includes(compact(number)) || !isPrinted || sheet.source === 'ocr'
    ? scoredValue(number, TRUST.certain)
    : scoredValue(number, TRUST.found, 'number_contradicted')
}

/** Returns the hits of each label: behind the labels or, if there are none, above them. */
function hitsByLabel(sheet: DocumentCells): readonly (readonly Hit[])[] {
  const [behind = [], above = []] = [labelledValues, captionedValues].map((find) =>
    LABELS[sheet.source].map((label, at) => {
      const hits = find(sheet, label.pattern, label.isSure ? numberOf : numberAfterTitle)
      const own = hits.filter(
        (hit) =>
          !isOfAnother(hit, at < 2) &&
          // Only a complete label has more words, as in `Número de factura de impuestos`.
          (at === 0 || !/\p{L}/u.test(hit.rest)),
      )
      return ofThisInvoice(sheet, own).map((hit) => withNextCell(sheet, hit))
    }),
  )
  return behind.some(({ length }) => length > 0) ? behind : above
}

/** Returns the score of the only number of the strongest label. */
function scoredNumber(
  { text, hits }: Candidate,
  strength: number,
  byLabel: readonly (readonly Hit[])[],
): ScoredValue<string> {
  const others = byLabel.flatMap((some, at) => (LABELS.text[at]?.isSure ? some : some.filter(isAlone)))
  const isDenied = others.some(({ value }) => !isSameNumber(value.text, text))
  if (isDenied || hits.every(({ value }) => value.isSplit) || hits.every(isSentence))
    return scoredValue(text, TRUST.found, 'number_unchecked')
  const isBehind = hits.some(({ cell, labelCell }) => cell.row >= labelCell.row)
  return isBehind && (LABELS.text[strength]?.isSure || hits.some(isAlone))
    ? scoredValue(text, TRUST.named)
    : scoredValue(text, TRUST.agreed, 'number_unchecked')
}

/** Returns the invoice number: that of the tax QR if there is one, else the printed number. */
export function numberIn(sheet: DocumentCells, code: TaxQr | undefined): ScoredValue<string> | undefined {
  const byLabel = hitsByLabel(sheet)
  const strength = byLabel.findIndex((hits) => hits.length > 0)
  const [best, ...more] = candidatesOf(byLabel[strength] ?? [], sheet)
  if (code) return numberOfCode(sheet, code, best !== undefined)
  if (best === undefined) return numberOfSeries(sheet)
  const { text } = best
  if (more.some((one) => !isSameNumber(one.text, text)))
    return scoredValue(text, TRUST.doubted, 'several_numbers')
  if (sheet.source === 'text') return scoredNumber(best, strength, byLabel)
  const places = new Set(byLabel.flat().flatMap(({ value, cell }) => (value.text === text ? [cell] : [])))
  return scoredValue(text, places.size > 1 ? TRUST.agreed : TRUST.found, 'number_unchecked')
}

/** Returns the text that begins with the printed series and continues with digits, if there is only one. */
function numberOfSeries(sheet: DocumentCells): ScoredValue<string> | undefined {
  const series = seriesIn(sheet)
  if (series === undefined) return undefined
  const texts = sheet.cells.map(({ text }) => text).filter((text) => text.startsWith(series))
  const [only, ...more] = new Set(
    texts.filter((text) => /^[-/. ]?\d[\d/.-]*$/.test(text.slice(series.length))),
  )
  return only === undefined || more.length > 0
    ? undefined
    : scoredValue(only, TRUST.found, 'number_unchecked')
}

const SERIES = new RegExp(`(?:^|\\s)${patternSourceOf('series')}(?=\\s*:|\\s*$)`)

/** Returns the series, if it is printed with a label, separately from the number. */
export function seriesIn(sheet: DocumentCells): string | undefined {
  const read = (text: string) => /^([A-Z0-9][A-Z0-9-]{0,19})(?=\s|$)/.exec(text)?.[1]
  const [hit] = labelledValues(sheet, SERIES, read)
  return hit?.value
}

const CORRECTED = new RegExp(`${patternSourceOf('corrected')}(?:\\s*${NUMBER_WORD})?`)

/** Returns the number of the invoice that a corrective invoice corrects. */
export const correctedIn = (sheet: DocumentCells): string | undefined =>
  labelledValues(sheet, CORRECTED, numberOf)[0]?.value.text

/** Returns the first cell with a number. */
export const numberCell = ({ cells }: DocumentCells, number: string | undefined): Cell | undefined =>
  number === undefined ? undefined : cells.find(({ text }) => compact(text).includes(compact(number)))
