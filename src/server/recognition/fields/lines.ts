/** The lines of an invoice, where a table of them can be read whose sums are those of the breakdown. */
import { type Minor, multiply, percentOf, sum } from '../../../money/index.ts'
import { type Cell, overlaps, type Sheet } from './cells.ts'
import { amountsIn, numberOf, ratesIn } from './figures.ts'
import type { Amounts } from './settle.ts'

export interface Line {
  readonly description: string
  readonly quantity: number
  readonly price: number
  readonly discount: number | undefined
  readonly rate: number
  /** Whether quantity and price were read under headings of their own, and give the amount. */
  readonly isChecked: boolean
}

type Column = 'description' | 'quantity' | 'price' | 'discount' | 'amount' | 'rate'

const COLUMNS: readonly (readonly [Column, RegExp])[] = [
  ['description', /\b(?:concepto|descripcio|articulo|detalle|producto|servicio|description|item|concepte)/],
  ['quantity', /\b(?:cant|uds?\b|unidades|qty|quantity|horas|hours|quant)/],
  ['price', /\b(?:precio|p\.? ?u(?:nit)?|pvp|price|rate\b|preu|unitario)/],
  ['discount', /\b(?:dto|desc\.|descuento|disc|%\s?dto)/],
  ['rate', /(?:\biva\b|\bvat\b|\btipo\b|\bigic\b|% ?iva|\btax\b)/],
  ['amount', /\b(?:importe|total|amount|subtotal|neto|import)\b/],
]

type Headings = ReadonlyMap<Column, Cell>

/** The headings of a table of lines; undefined where a row is something else. */
function headingsIn(cells: readonly Cell[]): Headings | undefined {
  if (cells.some(({ text }) => amountsIn(text).length > 0)) return undefined
  const found = new Map<Column, Cell>()
  for (const cell of cells) {
    const column = COLUMNS.find(([name, words]) => !found.has(name) && words.test(cell.plain))?.[0]
    if (column) found.set(column, cell)
  }
  return found.has('description') && (found.has('amount') || found.has('price')) && found.size >= 2
    ? found
    : undefined
}

/** What comes behind the lines. */
const END =
  /\b(?:base imponible|sub-?total|total|suma y sigue|bases?\b|iva \d|cuota|taxable|importe neto|forma de pago|observaciones|vencimiento|a deducir)/
const NUMBER = /^-?\d{1,3}(?:[.,]\d{3})*(?:[.,]\d{1,6})?$|^-?\d+(?:[.,]\d{1,6})?$/

interface Numbers {
  readonly cell: Cell
  readonly value: number
}

const numberIn = (text: string): number | undefined => {
  const bare = text.replaceAll(/[€$£]|\b(?:eur|uds?|h|u|kg|ud)\b\.?/gi, '').trim()
  if (!NUMBER.test(bare)) return undefined
  const size = numberOf(bare.replace(/^-/, ''))
  return bare.startsWith('-') ? -size : size
}

const isUnder = (heading: Cell | undefined, cell: Cell): boolean =>
  heading !== undefined && overlaps(heading, cell)

interface Draft {
  description: string
  readonly quantity: number
  readonly price: number
  readonly discount: number | undefined
  readonly amount: Minor
  readonly rate: number | undefined
  readonly isChecked: boolean
}

const netOf = (quantity: number, price: number, discount: number): Minor => {
  const cost = multiply(quantity, price)
  return cost - percentOf(cost, discount)
}

/** A line out of a row; undefined: a row of text only. Null: one that cannot be a line. */
function lineOf(cells: readonly Cell[], headings: Headings): Draft | null | undefined {
  const numbers: Numbers[] = []
  const rates: Numbers[] = []
  const texts: string[] = []
  for (const cell of cells) {
    const value = numberIn(cell.text)
    const [rate] = ratesIn(cell.text)
    if (rate && cell.text.replace(/[\d.,%\s]/g, '') === '') rates.push({ cell, value: rate.value })
    else if (value !== undefined && !isUnder(headings.get('description'), cell)) numbers.push({ cell, value })
    else texts.push(cell.text)
  }
  const description = texts.join(' ').trim()
  if (numbers.length === 0) return undefined
  const under = (column: Column): Numbers | undefined =>
    numbers.find(({ cell }) => isUnder(headings.get(column), cell))
  const last = numbers.at(-1)
  const amount = under('amount') ?? last
  if (!amount || description === '') return null
  const minor = multiply(1, amount.value)
  const rate =
    rates.find(({ cell }) => isUnder(headings.get('rate'), cell)) ??
    (headings.has('discount') ? undefined : rates[0]) ??
    under('rate')
  const discount = rates.find(({ cell }) => isUnder(headings.get('discount'), cell)) ?? under('discount')
  const [quantity, price] = [under('quantity'), under('price')]
  const shared = { description, amount: minor, rate: rate?.value, discount: discount?.value || undefined }
  if (quantity && price && netOf(quantity.value, price.value, discount?.value ?? 0) === minor)
    return { ...shared, quantity: quantity.value, price: price.value, isChecked: true }
  // In the order in which tables have them.
  for (const [at, first] of numbers.entries())
    for (const second of numbers.slice(at + 1))
      if (
        first !== amount &&
        second !== amount &&
        netOf(first.value, second.value, discount?.value ?? 0) === minor
      )
        return { ...shared, quantity: first.value, price: second.value, isChecked: false }
  if (quantity && price) return null
  return {
    ...shared,
    quantity: 1,
    price: amount.value,
    discount: undefined,
    isChecked: !quantity && !price && numbers.length === 1,
  }
}

/** The rows of the tables of lines, on whatever pages. */
function draftsIn(sheet: Sheet): Draft[] | undefined {
  const drafts: Draft[] = []
  let headings: Headings | undefined
  let page = -1
  for (const cells of sheet.rows) {
    const [first] = cells
    if (!first) continue
    const found = headingsIn(cells)
    if (found) {
      headings = found
      page = first.page
      continue
    }
    if (!headings || first.page !== page) continue
    if (cells.some(({ plain }) => END.test(plain)) && cells.some(({ text }) => amountsIn(text).length > 0)) {
      headings = undefined
      continue
    }
    const line = lineOf(cells, headings)
    if (line === null) return undefined
    if (line) drafts.push(line)
    else if (drafts.length > 0) {
      const before = drafts.at(-1) as Draft
      before.description = `${before.description} ${cells.map(({ text }) => text).join(' ')}`
    }
  }
  return drafts
}

/** The lines whose sum, for each rate, is the base that the breakdown has for it. */
export function linesIn(sheet: Sheet, { entries }: Amounts): Line[] | undefined {
  const drafts = draftsIn(sheet)
  if (!drafts || drafts.length === 0) return undefined
  const [only] = entries
  const isSingle = entries.length === 1
  const rateOf = ({ rate }: Draft): number | undefined =>
    isSingle ? only?.rate : entries.find((entry) => entry.rate === rate)?.rate
  for (const { rate, base } of entries) {
    const own = drafts.filter((draft) => rateOf(draft) === rate)
    if (sum(own.map(({ amount }) => amount)) !== base) return undefined
  }
  if (drafts.some((draft) => rateOf(draft) === undefined)) return undefined
  return drafts.map((draft) => ({
    description: draft.description.slice(0, 2500),
    quantity: draft.quantity,
    price: draft.price,
    discount: draft.discount,
    rate: rateOf(draft) ?? 0,
    isChecked: draft.isChecked,
  }))
}
