/** Why every cent, for people. */
import type { ExplanationRow } from '../index.ts'
import { segmentsOf, valueAt } from '../invoice/pointer.ts'
import type { Colors } from './colors.ts'
import type { Verdict } from './judge.ts'
import { type NumberWords, numbersOf } from './numbers.ts'
import { clip, printable, widthOf } from './printable.ts'
import type { Settings } from './settings.ts'
import { wordsOf } from './words.ts'

const nameOf = (path: string): string => segmentsOf(path).at(-1) ?? path
const MOST_SHOWN = 6

const isMoney = (name: string): boolean => !/quantity|rate|unit_price/.test(name)

/** The formula with its values, where each of its names has one; for a sum, the values that it adds. */
function withValues(
  { formula, inputs }: ExplanationRow,
  numbers: NumberWords,
  more: (n: number) => string,
): string {
  const show = ({ path, value }: { path: string; value: number }) =>
    isMoney(nameOf(path)) ? numbers.amount(value) : numbers.plain(value)
  if (inputs.length === 0) return ''
  const values = new Map(inputs.map((input) => [nameOf(input.path), show(input)]))
  if (values.size === inputs.length && !formula.startsWith('sum of')) {
    // A name without a value is a member that the document does not have: nothing to add.
    const filled = formula.replace(/(?: [-+] )?\b(?:invoice_currency\.)?[a-z]+(?:_[a-z]+)+\b/g, (match) => {
      const sign = /^ [-+] /.exec(match)?.[0] ?? ''
      const value = values.get(nameOf(match.slice(sign.length).replaceAll('.', '/').replace(/^/, '/')))
      return value === undefined ? '\u0000' : sign + value
    })
    const used = [...values.values()].filter((value) => filled.includes(value)).length
    const dropped = filled.replaceAll('\u0000', '')
    if (used > 0 && !/[a-z]{2}/.test(dropped))
      return dropped.replace(/\bquantity\b/, values.get('quantity') ?? '')
    if (formula.startsWith('quantity x')) return inputs.map(show).join(' x ')
  }
  const shown = inputs.slice(0, MOST_SHOWN)
  const rest = inputs.length - shown.length
  const sum = formula.startsWith('sum of')
  const tail = /^sum of .*?( x .*| - taxable_base)$/.exec(formula)?.[1] ?? ''
  if (sum && !tail.includes('taxable_base')) {
    const added = `${shown.map(show).join(' + ')}${rest > 0 ? ` + … (${more(rest)})` : ''}`
    return tail && inputs.length > 1 ? `(${added})${tail}` : added + tail
  }
  return (
    shown.map((input) => `${nameOf(input.path)} ${show(input)}`).join(', ') +
    (rest > 0 ? `, ${more(rest)}` : '')
  )
}

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
  const rows = verdict.answer.explanation ?? []
  const words = wordsOf(settings.locale)
  const numbers = numbersOf(settings.locale)
  const named = rows.map((row) => ({ row, parent: parentOf(row.path) }))
  const label = ({ row, parent }: (typeof named)[number]) => row.path.slice(parent.length + 1)
  const figure = (row: ExplanationRow) =>
    row.path.includes('/unit_price') ? numbers.plain(row.rounded) : numbers.amount(row.rounded)
  const nameWidth = named.reduce((width, entry) => Math.max(width, label(entry).length), 0)
  const figureWidth = rows.reduce((width, row) => Math.max(width, figure(row).length), 0)
  const lines: string[] = []
  let title = ''
  for (const entry of named) {
    const { row, parent } = entry
    if (parent !== title) lines.push('', `  ${titleOf(parent, verdict, settings, colors)}`)
    title = parent
    const values = withValues(row, numbers, words.more)
    const inexact = row.exact.endsWith('…') || Number(row.exact) !== row.rounded
    const exact = inexact ? `${numbers.exact(row.exact)} → ${figure(row)}` : figure(row)
    const working = values === figure(row) ? '' : values === '' ? exact : `${values} = ${exact}`
    const name = label(entry).padEnd(nameWidth)
    const amount = ' '.repeat(figureWidth - widthOf(figure(row))) + colors.bold(figure(row))
    lines.push(`    ${name}  ${amount}  ${printable(row.formula)}`)
    const indent = ' '.repeat(nameWidth + figureWidth + 8)
    if (working !== '') lines.push(indent + colors.dim(working))
    if (row.line_by_line) {
      const { value, difference } = row.line_by_line
      const cents = Math.round(difference * 100)
      if (cents !== 0)
        lines.push(indent + colors.yellow(words.lineByLine(numbers.amount(value), words.cents(cents))))
    }
  }
  return lines
}
