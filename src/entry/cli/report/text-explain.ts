/** Formats explanations as text. */

import { segmentsOf, valueAt } from '#core/invoice/pointer.ts'
import type { ExplanationRow, Locale } from '#engine/index.ts'
import { clip, printable, widthOf, wrap } from '../../terminal/printable.ts'
import type { DocumentResult } from '../input/check-document.ts'
import type { Colors } from '../input/colors.ts'
import { numbersOf } from '../input/input-numbers.ts'
import type { Settings } from '../input/input-settings.ts'
import { formulaValues } from './formula-values.ts'
import { GROUPS, messagesOf } from './report-messages.ts'

/** Minimum number of columns for a formula beside name and amount. With fewer columns, the formula goes below them. */
const MIN_FORMULA_WIDTH = 24

/** Whether a row is a total of zeros, with nothing to explain. */
const isEmpty = ({ rounded, path, inputs }: ExplanationRow): boolean =>
  rounded === 0 && path.startsWith('/invoice/totals/') && inputs.every(({ value }) => value === 0)

/** Returns the title of a part of the invoice: `Line 1  Cuaderno cosido`. */
function titleOf(parent: string, result: DocumentResult, settings: Settings, colors: Colors): string {
  const [, list = '', index] = segmentsOf(parent)
  const group = GROUPS[list]?.[settings.locale]
  if (group === undefined) return colors.bold(parent)
  if (list !== 'lines' || index === undefined)
    return colors.bold(index === undefined ? group : `${group} ${Number(index) + 1}`)
  const text = valueAt(result.document, `${parent}/item_description`)
  const description = typeof text === 'string' ? colors.dim(clip(printable(text), settings.width - 12)) : ''
  return `${colors.bold(`${group} ${Number(index) + 1}`)}  ${description}`
}

const parentOf = (path: string): string => {
  const [invoice, list, index] = path.slice(1).split('/')
  return index !== undefined && /^\d+$/.test(index) ? `/${invoice}/${list}/${index}` : `/${invoice}/${list}`
}

/** A row with the path of its part of the invoice, and its name within that part. */
interface Entry {
  readonly row: ExplanationRow
  readonly parent: string
  readonly label: string
  /** The formatted amount. */
  readonly figure: string
}

/** Returns `9.99 x 3 = 29.97`, or the exact value before rounding. Empty if neither adds information to the amount. */
function workingOf({ row, figure }: Entry, { locale }: Settings): string {
  const numbers = numbersOf(locale)
  const values = formulaValues(row, numbers, messagesOf(locale))
  const inexact = row.exact.endsWith('…') || Number(row.exact) !== row.rounded
  const exact = inexact ? `${numbers.exact(row.exact)} → ${figure}` : figure
  if (values === '') return inexact ? exact : ''
  return values === figure && !inexact ? '' : `${values} = ${exact}`
}

/** Returns notes on how rounding affects the amount. */
function roundingNotes({ path, line_by_line, remainder }: ExplanationRow, locale: Locale): string[] {
  const messages = messagesOf(locale)
  const { amount } = numbersOf(locale)
  /** Returns the difference in cents, or as an amount in the original currency, which may have no cents. */
  const off = (difference: number) =>
    path.includes('/invoice_currency/')
      ? messages.byAmount(amount(Math.abs(difference)), difference < 0)
      : messages.cents(Math.round(difference * 100))
  const notes: string[] = []
  if (line_by_line && line_by_line.difference !== 0)
    notes.push(messages.lineByLine(amount(line_by_line.value), off(line_by_line.difference)))
  if (remainder) notes.push(messages.remainder(off(remainder.difference), amount(remainder.total)))
  return notes
}

const widest = (texts: readonly string[]): number =>
  texts.reduce((width, text) => Math.max(width, text.length), 0)

export function explainLines(result: DocumentResult, settings: Settings, colors: Colors): string[] {
  const { locale, width } = settings
  const { plain, amount } = numbersOf(locale)
  const rows = (result.outcome.explanation ?? []).filter((row) => !isEmpty(row))
  const entries = rows.map((row): Entry => {
    const parent = parentOf(row.path)
    const figure = row.path.includes('/unit_price') ? plain(row.rounded) : amount(row.rounded)
    return { row, parent, label: row.path.slice(parent.length + 1), figure }
  })
  const nameWidth = widest(entries.map(({ label }) => label))
  const figureWidth = widest(entries.map(({ figure }) => figure))
  const isNarrow = width - nameWidth - figureWidth - 8 < MIN_FORMULA_WIDTH
  const indent = ' '.repeat(isNarrow ? 6 : nameWidth + figureWidth + 8)
  const below = (text: string, paint: (line: string) => string) =>
    (isNarrow ? wrap(text, width - 6) : [text]).map((line) => indent + paint(line))
  const lines: string[] = []
  let title = ''
  for (const entry of entries) {
    const { row, parent, label, figure } = entry
    if (parent !== title) lines.push('', `  ${titleOf(parent, result, settings, colors)}`)
    title = parent
    const head = `    ${label.padEnd(nameWidth)}  ${' '.repeat(figureWidth - widthOf(figure))}${colors.bold(figure)}`
    const formula = printable(row.formula)
    if (isNarrow) lines.push(head, ...below(formula, (line) => line))
    else lines.push(`${head}  ${formula}`)
    const working = workingOf(entry, settings)
    if (working !== '') lines.push(...below(working, colors.dim))
    for (const note of roundingNotes(row, locale)) lines.push(...below(note, colors.yellow))
  }
  return lines
}
