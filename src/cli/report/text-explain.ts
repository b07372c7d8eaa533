/** Why every cent, for people. */
import type { ExplanationRow } from '../../api/index.ts'
import { segmentsOf, valueAt } from '../../invoice/pointer.ts'
import { clip, printable, widthOf, wrap } from '../../terminal/printable.ts'
import type { Colors } from '../input/colors.ts'
import { numbersOf } from '../input/numbers.ts'
import type { Settings } from '../input/settings.ts'
import type { Verdict } from '../input/verdict.ts'
import { formulaValues } from './formula-values.ts'
import { wordsOf } from './words.ts'

/** Columns beside name and amount in which a formula can be read; where there are fewer, it goes below. */
const LEAST = 24

/** A total of nothing: there is nothing to explain. */
const isEmpty = ({ rounded, path, inputs }: ExplanationRow): boolean =>
  rounded === 0 && path.startsWith('/invoice/totals/') && inputs.every(({ value }) => value === 0)

/** Title of a part of the invoice: `Line 1  Cuaderno cosido`. */
function titleOf(parent: string, verdict: Verdict, settings: Settings, colors: Colors): string {
  const words = wordsOf(settings.locale)
  const [, list, index] = segmentsOf(parent)
  const group = words.group[list as keyof typeof words.group]
  if (group === undefined) return colors.bold(parent)
  if (list !== 'lines' || index === undefined)
    return colors.bold(index === undefined ? group : `${group} ${Number(index) + 1}`)
  const text = valueAt(verdict.document, `${parent}/item_description`)
  const description = typeof text === 'string' ? colors.dim(clip(printable(text), settings.width - 12)) : ''
  return `${colors.bold(`${group} ${Number(index) + 1}`)}  ${description}`
}

const parentOf = (path: string): string => {
  const [invoice, list, index] = path.slice(1).split('/')
  return index !== undefined && /^\d+$/.test(index) ? `/${invoice}/${list}/${index}` : `/${invoice}/${list}`
}

export function explainLines(verdict: Verdict, settings: Settings, colors: Colors): string[] {
  const rows = (verdict.answer.explanation ?? []).filter((row) => !isEmpty(row))
  const words = wordsOf(settings.locale)
  const numbers = numbersOf(settings.locale)
  const named = rows.map((row) => ({ row, parent: parentOf(row.path) }))
  const label = ({ row, parent }: (typeof named)[number]) => row.path.slice(parent.length + 1)
  const figure = (row: ExplanationRow) =>
    row.path.includes('/unit_price') ? numbers.plain(row.rounded) : numbers.amount(row.rounded)
  /** Cents of euros, by their name; the original currency may have none. */
  const off = ({ path }: ExplanationRow, difference: number) =>
    path.includes('/invoice_currency/')
      ? words.byAmount(numbers.amount(Math.abs(difference)), difference < 0)
      : words.cents(Math.round(difference * 100))
  const nameWidth = named.reduce((width, entry) => Math.max(width, label(entry).length), 0)
  const figureWidth = rows.reduce((width, row) => Math.max(width, figure(row).length), 0)
  const lines: string[] = []
  let title = ''
  for (const entry of named) {
    const { row, parent } = entry
    if (parent !== title) lines.push('', `  ${titleOf(parent, verdict, settings, colors)}`)
    title = parent
    const values = formulaValues(row, numbers, words)
    const inexact = row.exact.endsWith('…') || Number(row.exact) !== row.rounded
    const exact = inexact ? `${numbers.exact(row.exact)} → ${figure(row)}` : figure(row)
    const working =
      values === figure(row) && !inexact
        ? ''
        : values === ''
          ? inexact
            ? exact
            : ''
          : `${values} = ${exact}`
    const name = label(entry).padEnd(nameWidth)
    const amount = ' '.repeat(figureWidth - widthOf(figure(row))) + colors.bold(figure(row))
    const beside = settings.width - nameWidth - figureWidth - 8
    const indent = ' '.repeat(beside < LEAST ? 6 : nameWidth + figureWidth + 8)
    const more = (text: string, paint: (line: string) => string) =>
      beside < LEAST
        ? wrap(text, settings.width - 6).map((line) => indent + paint(line))
        : [indent + paint(text)]
    if (beside < LEAST) lines.push(`    ${name}  ${amount}`, ...more(printable(row.formula), (line) => line))
    else lines.push(`    ${name}  ${amount}  ${printable(row.formula)}`)
    if (working !== '') lines.push(...more(working, colors.dim))
    if (row.line_by_line && row.line_by_line.difference !== 0) {
      const { value, difference } = row.line_by_line
      lines.push(...more(words.lineByLine(numbers.amount(value), off(row, difference)), colors.yellow))
    }
    if (row.remainder) {
      const { difference, total } = row.remainder
      lines.push(...more(words.remainder(off(row, difference), numbers.amount(total)), colors.yellow))
    }
  }
  return lines
}
