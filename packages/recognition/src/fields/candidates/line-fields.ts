/** Reads the lines of an invoice from its tables, if their sums match the breakdown. */
import { type Minor, multiply, percentOf, sum } from '#core/money/index.ts'
import type { Cell, DocumentCells } from '../cells/cells.ts'
import { amountsIn, parsePrintedNumber, ratesIn } from '../cells/figures.ts'
import type { Entry } from './amount-fields.ts'

export interface Line {
  readonly description: string
  readonly quantity: number
  readonly price: number
  readonly discount: number | undefined
  readonly rate: number
  /** Whether quantity and price have columns and their product is the amount, or the amount is the only number. */
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

/** Returns the headings of a table of lines; undefined if the row has no such headings. */
function headingsIn(cells: readonly Cell[]): Headings | undefined {
  if (cells.some(({ text }) => amountsIn(text).length > 0)) return undefined
  const found = new Map<Column, Cell>()
  for (const cell of cells) {
    const column = COLUMNS.find(([name, label]) => !found.has(name) && label.test(cell.plain))?.[0]
    if (column) found.set(column, cell)
  }
  return found.has('description') && (found.has('amount') || found.has('price')) && found.size >= 2
    ? found
    : undefined
}

/** Matches texts that follow the lines of an invoice. */
const END =
  /\b(?:base imponible|sub-?total|total|suma y sigue|bases?\b|iva \d|cuota|taxable|importe neto|forma de pago|observaciones|vencimiento|a deducir)/
/** Matches a decimal number in a text, such as the price in "276 kWh x 0,083445 €/kWh". */
const DECIMAL = /\d[.,]\d/
const NUMBER = /^-?\d{1,3}(?:[.,'’]\d{3})*(?:[.,]\d{1,6})?$|^-?\d+(?:[.,]\d{1,6})?$/

interface Numbers {
  readonly cell: Cell
  readonly value: number
}

const numberIn = (text: string): number | undefined => {
  const bare = text.replaceAll(/[€$£]|\b(?:eur|uds?|h|u|kg|ud)\b\.?/gi, '').trim()
  if (!NUMBER.test(bare)) return undefined
  const size = parsePrintedNumber(bare.replace(/^-/, ''))
  return bare.startsWith('-') ? -size : size
}

/** Returns the horizontal distance of two cells; 0 if they overlap. */
const gapOf = (a: Cell, b: Cell): number => Math.max(0, a.left - b.right, b.left - a.right)

/**
 * Returns the column of each cell of a row: by index if the row has as many cells as headings, else the nearest column.
 */
function columnsOf(cells: readonly Cell[], headings: Headings, all: number): ReadonlyMap<Cell, Column> {
  const found = new Map<Cell, Column>()
  for (const cell of cells) {
    const [nearest] = [...headings].sort(
      ([, a], [, b]) =>
        (cells.length === all ? Math.abs(a.column - cell.column) - Math.abs(b.column - cell.column) : 0) ||
        gapOf(a, cell) - gapOf(b, cell),
    )
    if (nearest) found.set(cell, nearest[0])
  }
  return found
}

type Draft = Omit<Line, 'description' | 'rate'> & {
  description: string
  readonly amount: Minor
  readonly rate: number | undefined
}

const netOf = (quantity: number, price: number, discount: number): Minor => {
  const cost = multiply(quantity, price)
  return cost - percentOf(cost, discount)
}

/** A table of lines: its headings, and the number of cells in the row of headings. */
interface Table {
  readonly headings: Headings
  readonly cells: number
  readonly page: number
}

/** Splits the cells of a row into rates, other numbers and text. */
function partsOf(cells: readonly Cell[], columns: ReadonlyMap<Cell, Column>) {
  const numbers: Numbers[] = []
  const rates: Numbers[] = []
  const texts: string[] = []
  for (const cell of cells) {
    const value = numberIn(cell.text)
    const [rate] = ratesIn(cell.text)
    if (rate && cell.text.replace(/[\d.,%\s]/g, '') === '') rates.push({ cell, value: rate.value })
    else if (value !== undefined && columns.get(cell) !== 'description') numbers.push({ cell, value })
    else texts.push(cell.text)
  }
  return { numbers, rates, description: texts.join(' ').trim() }
}

/** Returns the invoice line in a row; undefined for a row of text, null for a row that cannot be an invoice line. */
function lineOf(cells: readonly Cell[], { headings, cells: all }: Table): Draft | null | undefined {
  const columns = columnsOf(cells, headings, all)
  const { numbers, rates, description } = partsOf(cells, columns)
  const rightmost = numbers.at(-1)
  if (!rightmost) return undefined
  if (description === '') return null
  const under = (column: Column, among: readonly Numbers[] = numbers): Numbers | undefined =>
    among.find(({ cell }) => columns.get(cell) === column)
  const amount = under('amount') ?? rightmost
  const rate = under('rate', rates) ?? (headings.has('discount') ? undefined : rates[0]) ?? under('rate')
  const discount = (under('discount', rates) ?? under('discount'))?.value || undefined
  const shared = { description, amount: multiply(1, amount.value), rate: rate?.value, discount }
  const gives = ([quantity, price]: Factors): boolean =>
    netOf(quantity.value, price.value, discount ?? 0) === shared.amount
  const [quantity, price] = [under('quantity'), under('price')]
  const named: Factors | undefined = quantity && price && [quantity, price]
  const isChecked = named !== undefined && gives(named)
  const others = numbers.filter((one) => one !== amount)
  const factors = isChecked ? named : pairOf(others, gives)
  if (factors) return { ...shared, quantity: factors[0].value, price: factors[1].value, isChecked }
  if (named) return null
  const isAlone = numbers.length === 1 && !quantity && !price && !DECIMAL.test(description)
  return { ...shared, quantity: 1, price: amount.value, discount: undefined, isChecked: isAlone }
}

/** Quantity and price. */
type Factors = readonly [Numbers, Numbers]

/** Returns the first pair of numbers that may be quantity and price, in the usual order of tables. */
function pairOf(numbers: readonly Numbers[], gives: (pair: Factors) => boolean): Factors | undefined {
  for (const [at, first] of numbers.entries())
    for (const second of numbers.slice(at + 1)) if (gives([first, second])) return [first, second]
  return undefined
}

/** Returns a line of a table without headings: text, then quantity, price and amount. */
function bareLineOf(cells: readonly Cell[]): Draft | undefined {
  if (cells.length < 4) return undefined
  const numbers = cells.slice(-3).map((cell) => ({ cell, value: numberIn(cell.text) }))
  const [quantity, price, amount] = numbers.map(({ value }) => value)
  if (quantity === undefined || price === undefined || amount === undefined) return undefined
  const minor = multiply(1, amount)
  if (netOf(quantity, price, 0) !== minor) return undefined
  const texts = cells.slice(0, -3).filter(({ text }) => /\p{L}/u.test(text))
  const description = texts.map(({ text }) => text).join(' ')
  if (description === '') return undefined
  return {
    description,
    quantity,
    price,
    discount: undefined,
    amount: minor,
    rate: undefined,
    isChecked: false,
  }
}

/** Whether a row ends the lines: it has a total, or the headings of another table. */
const isEnd = (cells: readonly Cell[]): boolean =>
  cells.some(({ plain }) => END.test(plain)) &&
  (cells.length > 1 || cells.some(({ text }) => amountsIn(text).length > 0))

/** Returns the rows of all tables of lines, on all pages. */
function draftsIn(sheet: DocumentCells): Draft[] {
  const drafts: Draft[] = []
  let table: Table | undefined
  for (const cells of sheet.rows) {
    const [first] = cells
    if (!first) continue
    const headings = headingsIn(cells)
    if (headings) {
      table = { headings, cells: cells.length, page: first.page }
      continue
    }
    if (table?.page !== first.page) continue
    const line = isEnd(cells) ? null : lineOf(cells, table)
    const last = drafts.at(-1)
    if (line === null) table = undefined
    else if (line) drafts.push(line)
    else if (last) last.description += ` ${cells.map(({ text }) => text).join(' ')}`
  }
  return drafts
}

/** Returns the lines if, for each rate, their sum is the base of the breakdown. */
export function linesIn(sheet: DocumentCells, entries: readonly Entry[]): Line[] | undefined {
  const tabled = draftsIn(sheet)
  const drafts = tabled.length > 0 ? tabled : sheet.rows.flatMap((cells) => bareLineOf(cells) ?? [])
  if (drafts.length === 0) return undefined
  const [only] = entries
  const isSingle = entries.length === 1
  const rateOf = ({ rate }: Pick<Draft, 'rate'>): number | undefined =>
    isSingle ? only?.rate : entries.find((entry) => entry.rate === rate)?.rate
  for (const { rate, base } of entries) {
    const own = drafts.filter((draft) => rateOf(draft) === rate)
    if (sum(own.map(({ amount }) => amount)) !== base) return undefined
  }
  if (drafts.some((draft) => rateOf(draft) === undefined)) return undefined
  return drafts.map(({ amount: _, ...draft }) => ({
    ...draft,
    description: draft.description.slice(0, 2500),
    rate: rateOf(draft) ?? 0,
  }))
}
