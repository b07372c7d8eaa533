/** Finds number, dates and type of an invoice. */
import {
  captionedValues,
  cellsAbove,
  type DocumentCells,
  type LabelledValue,
  labelledValues,
} from './cells.ts'
import { type PrintedDate, printedDate } from './date-fields.ts'
import { type ScoredValue, scoredValue, TRUST } from './found.ts'
import { isTaxId } from './ids.ts'
import { matcher, patternSourceOf } from './labels/index.ts'
import type { TaxQr } from './qr-fields.ts'

/** Words that identify an invoice. */
export const INVOICE_WORD = matcher('invoice')

/** Matches abbreviations of "number" such as `n.º`. OCR misreads the ordinal sign, for example as 9, e, * or ?. */
const SIGN = '(?<!\\w)(?:n\\s?[.,]?\\s?[ºo°*?9”“’"e2a]{1,2}(?!\\w)|n[.:]|n(?=\\s*:|\\s+\\S*\\d)|#)'
const NUMBER_WORD = `(?:${SIGN}|${patternSourceOf('number')})`
const NAME = patternSourceOf('invoice')
/** A name in two languages, such as `Factura / Invoice`. */
const NAMES = `${NAME}(?:\\s*[/·|-]\\s*${NAME})?`
const ARTICLE = '(?:\\s{0,3}(?:de|da|do|du|della|of|the|la|a)\\b){0,3}'
/** Labels of the number of this invoice, the strongest first. */
const NUMBER_LABELS: readonly RegExp[] = [
  new RegExp(
    `${patternSourceOf('invoiceNumber')}(?:\\s*${SIGN})?|${NUMBER_WORD}[:\\s]{0,3}${ARTICLE}\\s{0,3}${NAME}`,
  ),
  new RegExp(`${NAMES}\\s{0,3}:?\\s{0,3}${NUMBER_WORD}|^${NAMES}\\s*:`),
  new RegExp(`${NUMBER_WORD}(?=\\s*:|\\s*$)|^${SIGN}`),
  new RegExp(`^(?:${NAME}\\s+)?${NAMES}(?=\\s*:|\\s|$)`),
  new RegExp(`^${NUMBER_WORD}(?=\\s+\\S*\\d)`),
]
/** Index in `NUMBER_LABELS` of the last label that always refers to a number. */
const SURE = 2
/** Labels of numbers of other documents. */
const OF_ANOTHER = matcher('otherNumber', 'corrected')

const NUMBER =
  /^((?=[^\s\d]*\d)[A-Za-z0-9][\w./\-–]*|[A-Za-z]{1,4}[\s-]{1,9}(?=[^\s\d]*\d)[\w./\-–]+)((?:\s?[/-]\s?[A-Za-z_./-]*\d[\w./-]*)*)/

function numberOf(text: string): string | undefined {
  const [whole = ''] = NUMBER.exec(text.replace(/^[^\p{L}\p{N}]+/u, '')) ?? []
  const value = whole.replace(/(?<![.,;:\-/–])[.,;:\-/–]+$/, '')
  if (!/\d/.test(value) || value.length > 60) return undefined
  if (isTaxId(value)) return undefined
  const date = printedDate(value)
  if (date && value.length <= 10 && /^\d/.test(value)) return undefined
  // An amount is not an invoice number.
  return /^\d+[.,]\d{2}$/.test(value) ? undefined : value
}

const isOfAnother = ({ label }: LabelledValue<unknown>): boolean => OF_ANOTHER.test(label)

const CORRECTED_BLOCK = matcher('corrected')
/** Maximum number of rows of the block that describes the corrected invoice. */
const BLOCK_ROWS = 6

/** Returns the values outside of the block of the corrected invoice; if there are none outside, returns all values. */
function ofThisInvoice<T>(
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

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const compact = (number: string): string => number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** Returns the text that begins with the printed series and continues with digits, if there is only one. */
function numberOfSeries(sheet: DocumentCells): ScoredValue<string> | undefined {
  const series = seriesIn(sheet)
  if (series === undefined) return undefined
  const texts = sheet.cells.map(({ text }) => text).filter((text) => text.startsWith(series))
  const [only, ...more] = unique(
    texts.filter((text) => /^[-/. ]?\d[\d/.-]*$/.test(text.slice(series.length))),
  )
  return only === undefined || more.length > 0
    ? undefined
    : scoredValue(only, TRUST.found, 'number_unchecked')
}

/** Returns the invoice number: that of the tax QR if there is one, else the printed number. */
export function numberIn(sheet: DocumentCells, code: TaxQr | undefined): ScoredValue<string> | undefined {
  const hitsOf = (find: typeof labelledValues, label: RegExp) =>
    ofThisInvoice(
      sheet,
      find(sheet, label, numberOf).filter((hit) => !isOfAnother(hit)),
    )
  const behind = NUMBER_LABELS.map((label) => hitsOf(labelledValues, label))
  const isBehind = behind.some(({ length }) => length > 0)
  const byLabel = isBehind ? behind : NUMBER_LABELS.map((label) => hitsOf(captionedValues, label))
  const strength = byLabel.findIndex((hits) => hits.length > 0)
  const values = unique((byLabel[strength] ?? []).map(({ value }) => value))
  const [printed] = values
  if (code) {
    const stands = compact(sheet.plain).includes(compact(code.number))
    // Text recognised from pixels is too uncertain to contradict the QR.
    if (stands || printed === undefined || sheet.source === 'ocr')
      return scoredValue(code.number, TRUST.certain)
    return scoredValue(code.number, TRUST.found, 'number_contradicted')
  }
  if (printed === undefined) return numberOfSeries(sheet)
  if (values.length > 1) return scoredValue(printed, TRUST.doubted, 'several_numbers')
  if (sheet.source === 'ocr') {
    const places = new Set(byLabel.flat().flatMap(({ value, cell }) => (value === printed ? [cell] : [])))
    return scoredValue(printed, places.size > 1 ? TRUST.agreed : TRUST.found, 'number_unchecked')
  }
  const isSure = isBehind && strength <= SURE
  return isSure ? scoredValue(printed, TRUST.named) : scoredValue(printed, TRUST.agreed, 'number_unchecked')
}

const SERIES = new RegExp(`^${patternSourceOf('series')}(?=\\s*:|\\s*$)`)

/** Returns the series, if it is printed with a label, separately from the number. */
export function seriesIn(sheet: DocumentCells): string | undefined {
  const read = (text: string) => /^([A-Z0-9][A-Z0-9-]{0,19})(?=\s|$)/.exec(text)?.[1]
  const [hit] = labelledValues(sheet, SERIES, read)
  return hit?.value
}

const DATE = patternSourceOf('date')
const ISSUE_LABELS: readonly RegExp[] = [
  matcher('issueDate'),
  new RegExp(
    `(?:^|[\\s,/])${DATE}(?:\\s*/\\s*${DATE})?(?=\\s*:|\\s*$|\\s+\\d|\\s+[a-z]{3,9}\\.?\\s+\\d{1,2},?\\s+\\d{4})`,
  ),
]
const DUE_LABEL = matcher('dueDate')
const OPERATION_LABEL = matcher('operationDate')

const daysBehind = (sheet: DocumentCells, label: RegExp, find = labelledValues): PrintedDate[] => {
  const days = new Map<string, PrintedDate>()
  const hits = find(sheet, label, (text) => printedDate(text.slice(0, 40)))
  for (const { value } of ofThisInvoice(sheet, hits)) days.set(value.value, value)
  return [...days.values()]
}

/** Whether the document is in English only, so that its dates may have the month first. */
const isEnglish = ({ plain }: DocumentCells): boolean =>
  /\binvoice\b/.test(plain) && !/\bfactura\b/.test(plain)

/** Matches the place before a date, as in a letter: `Madrid, a 1 de marzo de 2026`, `Tarnos, le 18/02/2026`. */
const PLACE_AND_DATE = /^(?:en |a )?[\p{L}’' -]{3,40},\s*(?:a|en|el|le|den|il|em|o|on)?\s*(?=\d)/u

/** Returns the date of the only cell that consists of a place and a date. */
function letterDay({ cells, source }: DocumentCells): ScoredValue<string> | undefined {
  const days = cells.flatMap(({ text, plain }) => {
    const place = PLACE_AND_DATE.exec(plain)
    const rest = place ? text.slice(place[0].length) : ''
    return rest !== '' && rest.length < 30 ? (printedDate(rest)?.value ?? []) : []
  })
  const [only, ...more] = unique(days)
  if (only === undefined || more.length > 0) return undefined
  return scoredValue(only, source === 'ocr' ? TRUST.found : TRUST.agreed, 'date_unchecked')
}

/** Returns the date if the document has only one, which is usually the issue date. */
function onlyDay({ cells, source }: DocumentCells): ScoredValue<string> | undefined {
  const [only, ...more] = unique(cells.flatMap(({ text }) => printedDate(text)?.value ?? []))
  if (only === undefined || more.length > 0) return undefined
  return scoredValue(only, source === 'ocr' ? TRUST.doubted : TRUST.found, 'date_unchecked')
}

/** Returns the issue date: that of the tax QR if there is one, else the printed date. Dates after `today` score low. */
export function dateIn(
  sheet: DocumentCells,
  code: TaxQr | undefined,
  today: string,
): ScoredValue<string> | undefined {
  const isGuessed = sheet.source === 'ocr'
  const daysBy = (find?: typeof labelledValues) =>
    ISSUE_LABELS.map((label) => daysBehind(sheet, label, find)).find(({ length }) => length > 0)
  const behind = daysBy()
  const days = behind ?? daysBy(captionedValues) ?? []
  const [day] = days
  if (code) {
    const isDenied = day && !isGuessed && !days.some(({ value }) => value === code.date)
    return isDenied
      ? scoredValue(code.date, TRUST.found, 'date_contradicted')
      : scoredValue(code.date, TRUST.certain)
  }
  if (!day) return letterDay(sheet) ?? onlyDay(sheet)
  const { value } = day
  if (value > today) return scoredValue(value, TRUST.doubted, 'date_in_future')
  if (days.length > 1) return scoredValue(value, TRUST.doubted, 'several_dates')
  if (day.isAmbiguous && isEnglish(sheet)) return scoredValue(value, TRUST.found, 'date_ambiguous')
  if (isGuessed) return scoredValue(value, TRUST.found, 'date_unchecked')
  return behind ? scoredValue(value, TRUST.named) : scoredValue(value, TRUST.agreed, 'date_unchecked')
}

/** Returns the date after a label, such as the due date or the date of operation. */
function optionalDay(sheet: DocumentCells, label: RegExp): ScoredValue<string> | undefined {
  const days = daysBehind(sheet, label)
  const [day] = days
  if (!day) return undefined
  const isSure = days.length === 1 && sheet.source === 'text' && !(day.isAmbiguous && isEnglish(sheet))
  return scoredValue(day.value, isSure ? TRUST.named : TRUST.found)
}

export const dueDateIn = (sheet: DocumentCells): ScoredValue<string> | undefined =>
  optionalDay(sheet, DUE_LABEL)
export const operationDateIn = (sheet: DocumentCells): ScoredValue<string> | undefined =>
  optionalDay(sheet, OPERATION_LABEL)

export type TypeCode = '01' | '02' | '03'

const CORRECTIVE = new RegExp(`${patternSourceOf('corrective')}|^abono\\b`, 'm')
const SIMPLIFIED = matcher('simplified')
const CORRECTED = new RegExp(`${patternSourceOf('corrected')}(?:\\s*${NUMBER_WORD})?`)

/** Returns the invoice type that the terms on the document imply. */
export function typeIn({ plain }: DocumentCells): TypeCode {
  if (CORRECTIVE.test(plain)) return '03'
  return SIMPLIFIED.test(plain) ? '02' : '01'
}

const NOT_INVOICE = matcher('notInvoice')
/** Matches the title of a document that is not an invoice, alone or with its number. */
const OTHER_TITLE = new RegExp(
  `^(?:${patternSourceOf('otherDocument')})\\s{0,3}(?:${NUMBER_WORD})?[\\s:.]{0,9}(?:[^\\s\\d]*\\d\\S*)?$`,
)
const INVOICE_TITLE = new RegExp(
  `^(?:${patternSourceOf('invoice', 'invoiceNumber')})|${NUMBER_LABELS[0]?.source}`,
)
/** Matches numbers of pro forma invoices, quotations and delivery notes. */
const OTHER_NUMBER = /^(?:pf|prof|proforma|pres|presup|pto|alb)[-/. ]?\d/i
/** Minimum height of a title, as a multiple of the usual text height. */
const TITLE_SIZE = 1.2

/** Whether a document declares itself to be something other than an invoice, such as a pro forma or a delivery note. */
export function isOtherDocument({ plain, cells }: DocumentCells, number: string | undefined): boolean {
  if (NOT_INVOICE.test(plain) || (number !== undefined && OTHER_NUMBER.test(number))) return true
  const titles = cells.filter((cell) => OTHER_TITLE.test(cell.plain))
  const heights = cells.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b)
  const usual = heights[Math.floor(heights.length / 2)] ?? 0
  const isLarge = titles.some(({ top, bottom }) => bottom - top > TITLE_SIZE * usual)
  return isLarge || (titles.length > 0 && !cells.some((cell) => INVOICE_TITLE.test(cell.plain)))
}

/** Returns the number of the invoice that a corrective invoice corrects. */
export const correctedIn = (sheet: DocumentCells): string | undefined =>
  labelledValues(sheet, CORRECTED, numberOf)[0]?.value
