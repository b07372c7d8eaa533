/** Finds the issue date and the other dates of an invoice. */

import {
  type Cell,
  captionedValues,
  type DocumentCells,
  type LabelledValue,
  labelledValues,
} from '../cells/cells.ts'
import { type PrintedDate, printedDate } from '../cells/printed-date.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { matcher, patternSourceOf } from '../labels/index.ts'
import { isSentence, ofThisInvoice } from './number-fields.ts'
import type { TaxQr } from './qr-fields.ts'

const DATE = patternSourceOf('date')
/** Labels of the issue date, the strongest first. */
const ISSUE_LABELS: readonly RegExp[] = [
  matcher('issueDate'),
  new RegExp(
    `(?:^|[\\s,/])${DATE}(?:\\s*/\\s*${DATE})?(?=\\s*:|\\s*$|\\s+\\d|\\s+[a-z]{3,9}\\.?\\s+\\d{1,2},?\\s+\\d{4})`,
  ),
]
const DUE_LABEL = matcher('dueDate')
const OPERATION_LABEL = matcher('operationDate')
/** Words before a label by which the date is that of another document or event. */
const OF_ANOTHER = matcher('otherNumber', 'dueDate', 'otherDocument', 'corrected')

/** A date, and whether it directly follows its label. */
type Hit = LabelledValue<PrintedDate & { readonly isDirect: boolean }>

/** Whether a label refers to another document or event: by the words before it in its row. */
function isOfAnother({ rows }: DocumentCells, { label, labelCell, cell }: Hit): boolean {
  const isBeside = cell.row === labelCell.row
  const before = isBeside
    ? (rows[labelCell.row] ?? []).slice(0, labelCell.column).map(({ plain }) => plain)
    : []
  return OF_ANOTHER.test([...before, label].join(' '))
}

/** Returns the values that satisfy a condition; if there are none, all values. */
const preferred = <T>(values: readonly T[], condition: (value: T) => boolean): readonly T[] =>
  values.some(condition) ? values.filter(condition) : values

/** Returns the dates of a label: if possible, those directly behind it, and those in its row. */
function hitsOf(
  sheet: DocumentCells,
  label: RegExp,
  isWanted: (hit: Hit) => boolean = () => true,
  find = labelledValues,
): readonly Hit[] {
  const hits = find(sheet, label, (text) => {
    const date = printedDate(text.slice(0, 40))
    return date && { ...date, isDirect: /^\W*\d/.test(text) }
  })
  const own = preferred(ofThisInvoice(sheet, hits.filter(isWanted)), (hit) => !isSentence(hit))
  const direct = preferred(own, ({ value }) => value.isDirect)
  // A date below its label may be that of the first row of a table.
  return preferred(direct, ({ cell, labelCell }) => cell.row === labelCell.row)
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** Whether the document is in English only, so that its dates may have the month first. */
const isEnglish = ({ plain }: DocumentCells): boolean =>
  /\binvoice\b/.test(plain) && !/\bfactura\b/.test(plain)

/** Matches the place before a date, as in a letter: `Madrid, a 1 de marzo de 2026`, `Tarnos, le 18/02/2026`. */
const PLACE_AND_DATE = /^(?:en |a )?[\p{L}’' -]{3,40},\s*(?:a|en|el|le|den|il|em|o|on)?\s*(?=\d)/u

/** Returns the date of the only cell that consists of a place and a date. It is sure if no date is above it. */
function letterDay({ cells, source }: DocumentCells): ScoredValue<string> | undefined {
  const days = cells.flatMap(({ text, plain }) => {
    const place = PLACE_AND_DATE.exec(plain)
    const rest = place ? text.slice(place[0].length) : ''
    return rest !== '' && rest.length < 30 ? (printedDate(rest)?.value ?? []) : []
  })
  const [only, ...more] = unique(days)
  if (only === undefined || more.length > 0) return undefined
  const first = cells.map(({ text }) => printedDate(text)?.value).find((day) => day !== undefined)
  return source === 'text' && first === only
    ? scoredValue(only, TRUST.named)
    : scoredValue(only, TRUST.found, 'date_unchecked')
}

/** Matches a date with the time of day, which a till prints without a label. */
const DATE_AND_TIME = /(?<!\d)\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}[\s/-]{1,6}(?:\p{L}+:?\s*)?\d{1,2}:\d{2}(?!\d)/u

/** Returns the day of the dates that are printed with a time of day, if there is only one. */
function tillDay({ rows }: DocumentCells): string | undefined {
  const days = rows.flatMap((cells) => {
    const [text] = DATE_AND_TIME.exec(cells.map((cell) => cell.text).join(' ')) ?? []
    return text === undefined ? [] : (printedDate(text.replace(/\d{1,2}:\d{2}$/, ''))?.value ?? [])
  })
  const [only, ...more] = unique(days)
  return more.length > 0 ? undefined : only
}

/** Returns the date in the row of the invoice number, or the only date of the document. */
function lonelyDay({ cells, rows }: DocumentCells, number: Cell | undefined): string | undefined {
  const daysIn = (some: readonly Cell[]) => unique(some.flatMap(({ text }) => printedDate(text)?.value ?? []))
  for (const days of [daysIn(number ? (rows[number.row] ?? []) : []), daysIn(cells)])
    if (days.length === 1) return days[0]
  return undefined
}

/** Returns the date of the tax QR, with a low score if the print contradicts it. */
function dateOfCode({ source }: DocumentCells, { date }: TaxQr, hits: readonly Hit[]): ScoredValue<string> {
  const isDenied = hits.length > 0 && source === 'text' && !hits.some(({ value }) => value.value === date)
  return isDenied ? scoredValue(date, TRUST.found, 'date_contradicted') : scoredValue(date, TRUST.certain)
}

/** Returns the date that is printed without a label. */
function unlabelledDay(
  sheet: DocumentCells,
  today: string,
  number: Cell | undefined,
): ScoredValue<string> | undefined {
  const letter = letterDay(sheet)
  if (letter && letter.value <= today) return letter
  const value = tillDay(sheet) ?? lonelyDay(sheet, number)
  return value === undefined || value > today
    ? undefined
    : scoredValue(value, sheet.source === 'ocr' ? TRUST.doubted : TRUST.found, 'date_unchecked')
}

/** Years in which a tax can be deducted (Ley 37/1992 art. 99.Tres). */
const DEDUCTIBLE_YEARS = 4
const yearsBetween = (from: string, to: string): number =>
  Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(4) < from.slice(4) ? 1 : 0)

/** Returns the issue date: that of the tax QR if there is one, else the printed date. Dates after `today` score low. */
export function dateIn(
  sheet: DocumentCells,
  code: TaxQr | undefined,
  today: string,
  number: Cell | undefined,
): ScoredValue<string> | undefined {
  const hitsBy = (find: typeof labelledValues) =>
    ISSUE_LABELS.map((label) => hitsOf(sheet, label, (hit) => !isOfAnother(sheet, hit), find)).find(
      ({ length }) => length > 0,
    )
  const behind = hitsBy(labelledValues)
  const hits = behind ?? hitsBy(captionedValues) ?? []
  if (code) return dateOfCode(sheet, code, hits)
  // Of several dates, the one beside the invoice number is the likeliest.
  const near = hits.find(({ cell }) => number && Math.abs(cell.row - number.row) < 2)
  const day = (near ?? hits[0])?.value
  if (!day) return unlabelledDay(sheet, today, number)
  const { value } = day
  const doubts: readonly (readonly [boolean, number, ReasonCode])[] = [
    [value > today, TRUST.doubted, 'date_in_future'],
    [yearsBetween(value, today) >= DEDUCTIBLE_YEARS, TRUST.found, 'date_old'],
    [hits.some((hit) => hit.value.value !== value), TRUST.doubted, 'several_dates'],
    [day.isAmbiguous && isEnglish(sheet), TRUST.found, 'date_ambiguous'],
    [sheet.source === 'ocr', TRUST.found, 'date_unchecked'],
    [hits.every(isSentence), TRUST.found, 'date_unchecked'],
    [!behind, TRUST.agreed, 'date_unchecked'],
  ]
  const [, score, reason] = doubts.find(([applies]) => applies) ?? []
  return score && reason ? scoredValue(value, score, reason) : scoredValue(value, TRUST.named)
}

/** Returns the date after a label, such as the due date or the date of operation. */
function optionalDay(sheet: DocumentCells, label: RegExp): ScoredValue<string> | undefined {
  const hits = hitsOf(sheet, label)
  const [day] = hits.map((hit) => hit.value)
  if (!day) return undefined
  const isOne = hits.every((hit) => hit.value.value === day.value)
  const isSure = isOne && sheet.source === 'text' && !(day.isAmbiguous && isEnglish(sheet))
  return scoredValue(day.value, isSure ? TRUST.named : TRUST.found)
}

export const dueDateIn = (sheet: DocumentCells): ScoredValue<string> | undefined =>
  optionalDay(sheet, DUE_LABEL)
export const operationDateIn = (sheet: DocumentCells): ScoredValue<string> | undefined =>
  optionalDay(sheet, OPERATION_LABEL)
