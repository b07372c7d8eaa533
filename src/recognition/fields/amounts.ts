/**
 * Finds the amounts of an invoice that agree: bases, taxes and a total, printed separately. A misreading breaks the
 * agreement.
 */
import { surchargesOf, taxRatesOf } from '../../catalogs/index.ts'
import { type Minor, percentOf, sum } from '../../money/index.ts'
import { type Cell, overlaps, type Sheet } from './cells.ts'
import { amountsIn, ratesIn } from './figures.ts'

type Kind = 'total' | 'payable' | 'base' | 'tax' | 'surcharge' | 'withheld' | 'other'

/** An amount with the text printed beside it. */
export interface Figure {
  readonly value: Minor
  readonly cell: Cell
  readonly kind: Kind | undefined
  /** Percentages in its row. */
  readonly rates: readonly number[]
}

/** Labels of each kind of amount; the first match decides. */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  [
    'other',
    /\b(?:suplido|anticipo|a cuenta|entregado|pagado|descuento|dto|discount|saldo|capital|portes|unitario|precio|price)/,
  ],
  ['surcharge', /\b(?:recargo|rec\.? ?eq|r\.? ?e\.?(?= |$|\d)|surcharge)/],
  ['withheld', /\b(?:i\.?r\.?p\.?f|retencion|retencio|ret\.|withh)/],
  [
    'payable',
    /\b(?:liquido|total a (?:pagar|percibir|ingresar|cobrar)|a pagar|amount due|total due|balance due|importe a pagar|neto a pagar|total pendiente)/,
  ],
  [
    'base',
    /\b(?:bases?\b|b\.? ?i\.?\b|sub-?total|total (?:bruto|neto|base|lineas)|importe neto|taxable|net (?:amount|total)|total net\b|total (?:sin|antes de) (?:iva|impuestos)|suma\b)/,
  ],
  [
    'tax',
    /\b(?:cuotas?|quota|total (?:iva|i\.v\.a|impuestos|vat|tax)|i\.?v\.?a\b|igic|ipsi|vat|tax amount|impuesto)/,
  ],
  ['total', /\b(?:total|importe factura)/],
]

/** Matches `IVA incluido`, which identifies a total. */
const INCLUDED =
  /\b(?:iva|vat|igic|impuestos?)\.? (?:incl|inc\.)|\(?i\.?v\.?a\.? incl|\bcon iva\b|\binc\w*\.? (?:iva|vat)/

// `Total factura con IVA 21 %` is a total; `Base imponible IVA 21 %` is a base.
const kindOf = (plain: string): Kind | undefined =>
  INCLUDED.test(plain) ? 'total' : KINDS.find(([, label]) => label.test(plain))?.[0]

/** Whether the cell has words, such as `I.R.P.F. 15 %`, other than the name of a currency. */
const hasLetters = (cell: Cell): boolean =>
  /[a-z]\W?[a-z]/.test(cell.plain.replaceAll(/\b(?:eur|euros?|usd|gbp)\b/g, ''))

/** Maximum rows between a figure and its column heading. */
const HEADING_ROWS = 40

/** Returns the heading of the column of a figure. */
function headingOf({ rows }: Sheet, cell: Cell): Cell | undefined {
  for (let row = cell.row - 1; row >= Math.max(0, cell.row - HEADING_ROWS); row--) {
    const cells = rows[row] ?? []
    if (cells[0]?.page !== cell.page) return undefined
    // A row with figures is not a row of headings.
    if (cells.some(({ text }) => amountsIn(text).length > 0)) continue
    // Headings may be left-aligned and figures right-aligned, so rows with as many cells match by position.
    const isAlike = cells.length === rows[cell.row]?.length
    const above = cells.find(
      (other) => (isAlike ? other.column === cell.column : overlaps(other, cell)) && hasLetters(other),
    )
    if (above && cells.length > 1 && kindOf(above.plain)) return above
  }
  return undefined
}

/** Returns the last part with letters of a cell such as `Base 45,14 IVA 10 %`. */
const lastLabel = (plain: string): string =>
  plain.split(/\d[\d.,]{2,}/).findLast((part) => /[a-z]{2}/.test(part)) ?? plain

/**
 * Returns the kind of an amount: from the text before it in its cell, else from the first cell of its row or, in a
 * table, from the heading of its column.
 */
function kindOfFigure(sheet: Sheet, cell: Cell, before: string): Kind | undefined {
  if (/[a-z]\W?[a-z]/.test(before)) return kindOf(before)
  const row = sheet.rows[cell.row] ?? []
  const left = row.slice(0, cell.column).findLast(hasLetters)
  const beside = left ? row.slice(left.column + 1) : row
  const isInTable = sum(beside.map(({ text }) => amountsIn(text).length)) > 1
  const named = left && kindOf(lastLabel(left.plain))
  if (named && !isInTable) return named
  const heading = headingOf(sheet, cell)
  return (heading && kindOf(heading.plain)) ?? named
}

/** Returns all amounts of a document. */
export function figuresIn(sheet: Sheet): Figure[] {
  const figures: Figure[] = []
  for (const cells of sheet.rows) {
    const rates = cells.flatMap(({ text }) => ratesIn(text).map(({ value }) => value))
    for (const cell of cells) {
      let end = 0
      for (const amount of amountsIn(cell.text)) {
        const kind = kindOfFigure(sheet, cell, cell.plain.slice(end, amount.start))
        figures.push({ value: amount.value, cell, kind, rates })
        end = amount.end
      }
    }
  }
  return figures
}

/** One rate of the breakdown. */
export interface Entry {
  readonly rate: number
  readonly base: Minor
  readonly tax: Minor
  readonly surcharge?: { readonly rate: number; readonly amount: Minor }
}

export interface Withholding {
  readonly rate: number
  readonly amount: Minor
}

export interface Solution {
  readonly entries: readonly Entry[]
  readonly withheld: Withholding | undefined
  /** Whether the amount payable is printed. */
  readonly isPayable: boolean
  /** Bases, tax and surcharge. */
  readonly total: Minor
  /** The amount that was calculated from the others. */
  readonly derived?: 'base' | 'tax' | 'total'
  readonly weight: number
}

/** Maximum difference, in cents, between the tax of a sum and the sum of taxes rounded by line. */
const ROUNDING = 1

const isTax = (base: Minor, rate: number, tax: Minor): boolean =>
  Math.sign(base) === Math.sign(tax) && Math.abs(percentOf(base, rate) - tax) <= ROUNDING

interface WeightedEntry {
  readonly entry: Entry
  readonly weight: number
}

const SAME_ROW = 3
const NAMED = 3
const RATE_BESIDE = 3

/** Kinds of amounts that cannot be a tax. */
const NO_TAX: readonly (Kind | undefined)[] = ['withheld', 'base', 'total']

/** Returns the evidence that two figures are base and tax of a rate. */
const weightOf = (base: Figure, tax: Figure, rate: number): number =>
  (base.cell.row === tax.cell.row ? SAME_ROW : 0) +
  (base.kind === 'base' ? NAMED : 0) +
  (tax.kind === 'tax' ? NAMED : 0) +
  (tax.rates.includes(rate) ? RATE_BESIDE : 0) +
  (base.rates.includes(rate) ? 1 : 0) -
  (base.kind === 'other' ? NAMED : 0)

/** Returns pairs of figures that can be base and tax of a rate, the likeliest first. */
function pairsOf(figures: readonly Figure[], rate: number): WeightedEntry[] {
  const pairs = new Map<string, WeightedEntry>()
  const taxes = figures.filter(({ kind, value }) => value !== 0 && !NO_TAX.includes(kind))
  for (const base of figures.filter(({ kind }) => kind !== 'withheld'))
    for (const tax of taxes) {
      if (base === tax || !isTax(base.value, rate, tax.value)) continue
      const weight = weightOf(base, tax, rate)
      const key = `${base.value} ${tax.value}`
      const earlier = pairs.get(key)
      if (!earlier || earlier.weight < weight)
        pairs.set(key, { entry: { rate, base: base.value, tax: tax.value }, weight })
    }
  return [...pairs.values()].sort((a, b) => b.weight - a.weight).slice(0, 8)
}

/** Returns the pair, and the pair with each surcharge that is printed for it. */
function withSurcharge(pair: WeightedEntry, figures: readonly Figure[]): WeightedEntry[] {
  const { entry, weight } = pair
  const found: WeightedEntry[] = [pair]
  for (const rate of surchargesOf(entry.rate)) {
    if (rate === 0) continue
    const amount = figures.find(({ value }) => value !== 0 && isTax(entry.base, rate, value))
    if (amount)
      found.push({
        entry: { ...entry, surcharge: { rate, amount: amount.value } },
        weight:
          weight +
          (amount.rates.includes(rate) ? RATE_BESIDE : 0) +
          (amount.kind === 'surcharge' ? NAMED : 0),
      })
  }
  return found
}

const grossOf = ({ base, tax, surcharge }: Entry): Minor => sum([base, tax, surcharge?.amount ?? 0])

/** Yields the combinations of at most one entry for each rate. */
function* combinations(
  byRate: readonly (readonly WeightedEntry[])[],
  at = 0,
): Generator<readonly WeightedEntry[]> {
  const here = byRate[at]
  if (!here) {
    yield []
    return
  }
  for (const rest of combinations(byRate, at + 1)) {
    yield rest
    for (const one of here) yield [one, ...rest]
  }
}

/** Limit of the combinations that are tried. */
const MAX_COMBINATIONS = 20_000

interface PrintedTotal {
  readonly total: Minor
  readonly weight: number
}

/** Returns the amounts that can be the total, with their weight. */
function totalsOf(figures: readonly Figure[], code: Minor | undefined): PrintedTotal[] {
  const found = new Map<Minor, number>()
  const note = (value: Minor, weight: number) => found.set(value, Math.max(found.get(value) ?? 0, weight))
  for (const { value, kind } of figures) {
    if (kind === 'total') note(value, 6)
    if (kind === 'payable') note(value, 5)
  }
  if (code !== undefined) note(code, 12)
  return [...found].map(([total, weight]) => ({ total, weight }))
}

/** Returns the withholdings that match the base, at a rate of their row or, without one, at a legal rate. */
function withholdingsOf(figures: readonly Figure[], base: Minor, day: string | undefined): Withholding[] {
  return figures
    .filter(({ kind, value }) => kind === 'withheld' && value !== 0)
    .flatMap(({ value, rates }) => {
      const size = Math.abs(value)
      return (rates.length > 0 ? rates : taxRatesOf('IRPF', day))
        .filter((rate) => rate > 0 && isTax(Math.abs(base), rate, size))
        .map((rate) => ({ rate, amount: base < 0 ? -size : size }))
    })
}

export interface Statement {
  readonly plain: string
  readonly figures: readonly Figure[]
  /** Total of the tax QR. */
  readonly code: Minor | undefined
  /** Date that determines the legal rates. */
  readonly day: string | undefined
  readonly taxGroup: string
}

const numbersIn = ({ plain, figures }: Statement): ReadonlySet<number> =>
  new Set([
    ...ratesIn(plain).map(({ value }) => value),
    // Columns of rates have no percent sign.
    ...figures.map(({ value }) => value / 100),
    ...[...plain.matchAll(/(?<![\d.,])\d{1,2}(?![\d.,%])/g)].map(([text]) => Number(text)),
  ])

const hasPercent = ({ plain }: Statement): ReadonlySet<number> =>
  new Set(ratesIn(plain).map(({ value }) => value))

/** Limit of the figures that are combined: the totals of a long document are among the first and the last. */
const MAX_FIGURES = 160

const candidateFigures = (figures: readonly Figure[]): readonly Figure[] => {
  if (figures.length <= MAX_FIGURES) return figures
  const named = figures.filter(({ kind }) => kind !== undefined && kind !== 'other')
  return [...named.slice(-MAX_FIGURES / 2), ...figures.slice(-MAX_FIGURES / 2)]
}

/** Returns the legal rates of a tax group on a date. */
export const vatRatesOf = (taxGroup: string, day: string | undefined): readonly number[] =>
  taxRatesOf(taxGroup, day).filter((rate) => rate > 0)

/** Returns the solutions in which entries give a printed total, with and without withholding. */
function matchingSolutions(
  entries: readonly Entry[],
  total: Minor,
  weight: number,
  wanted: readonly PrintedTotal[],
  { figures, day }: Pick<Statement, 'figures' | 'day'>,
): Solution[] {
  const base = sum(entries.map((entry) => entry.base))
  return [undefined, ...withholdingsOf(figures, base, day)].flatMap((withheld) => {
    const payable = total - (withheld?.amount ?? 0)
    const isPayable = wanted.some((one) => one.total === payable)
    return wanted
      .filter((printed) => printed.total === total || printed.total === payable)
      .map((printed) => ({
        entries,
        withheld,
        isPayable,
        total,
        weight: weight + printed.weight + (withheld ? NAMED : 0),
      }))
  })
}

/** Returns all solutions, the best first. */
export function solutionsOf(statement: Statement): Solution[] {
  const figures = candidateFigures(statement.figures)
  const percents = hasPercent(statement)
  const inText = numbersIn(statement)
  const legal = vatRatesOf(statement.taxGroup, statement.day)
  const rates = legal.filter((rate) => percents.has(rate))
  const tried = rates.length > 0 ? rates : legal.filter((rate) => inText.has(rate))
  const isSurcharged = /recargo|\br\.? ?e\.?\b|surcharge|rec\. ?eq/.test(statement.plain)
  const byRate = tried.map((rate) => {
    const pairs = pairsOf(figures, rate)
    return isSurcharged ? pairs.flatMap((pair) => withSurcharge(pair, figures)) : pairs
  })
  const wanted = totalsOf(figures, statement.code)
  // A base without tax among others: exempt, or at 0 %.
  const untaxed = figures.filter(
    ({ kind, rates }) =>
      kind === 'base' && (rates.includes(0) || /exent|exempt|no sujet/.test(statement.plain)),
  )
  const found: Solution[] = []
  let tries = 0
  for (const chosen of combinations(byRate)) {
    if (chosen.length === 0 || ++tries > MAX_COMBINATIONS) continue
    const taxed = chosen.map(({ entry }) => entry)
    const gross = sum(taxed.map(grossOf))
    const weight = sum(chosen.map((one) => one.weight)) / chosen.length + chosen.length
    const extras: (Minor | undefined)[] = [undefined, ...new Set(untaxed.map(({ value }) => value))]
    for (const extra of extras) {
      const entries = extra === undefined ? taxed : [...taxed, { rate: 0, base: extra, tax: 0 }]
      const total = sum([gross, extra ?? 0])
      found.push(...matchingSolutions(entries, total, weight, wanted, { figures, day: statement.day }))
    }
  }
  return found.sort((a, b) => b.weight - a.weight || Math.abs(b.total) - Math.abs(a.total))
}

/** Returns the only possible rate: the one printed, or the only legal one that leads from a base to a total. */
function onlyRate(
  statement: Statement,
  bases: readonly Minor[],
  totals: readonly Minor[],
): number | undefined {
  const legal = vatRatesOf(statement.taxGroup, statement.day)
  const percents = hasPercent(statement)
  const named = legal.filter((rate) => percents.has(rate))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  // Without a readable rate, only one legal rate may lead to the total.
  const fitting = legal.filter((rate) =>
    totals.some((total) => bases.some((base) => base !== 0 && isTax(base, rate, total - base))),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Returns the solution with one of base, tax and total calculated from the other two and the rate. */
export function derivedOf(statement: Statement): Solution | undefined {
  const { figures, code } = statement
  const ofKind = (kind: Kind) => [
    ...new Set(figures.filter((one) => one.kind === kind).map(({ value }) => value)),
  ]
  const isWithheld = figures.some(({ kind }) => kind === 'withheld')
  const printed = [...ofKind('total'), ...(isWithheld ? [] : ofKind('payable'))]
  const totals = code === undefined ? printed : [code]
  const [bases, taxes] = [ofKind('base'), ofKind('tax')]
  const rate = onlyRate(statement, bases, totals)
  if (rate === undefined) return undefined
  /** Returns the first pair of base and tax that matches the rate, with the calculated amount. */
  const first = (
    pairs: readonly (readonly [base: Minor, tax: Minor])[],
    derived: 'base' | 'tax' | 'total',
  ) => {
    const pair = pairs.find(([base, tax]) => base !== 0 && isTax(base, rate, tax))
    if (!pair) return undefined
    const [base, tax] = pair
    const entries = [{ rate, base, tax }]
    return {
      entries,
      withheld: undefined,
      isPayable: derived !== 'total',
      total: base + tax,
      derived,
      weight: 1,
    }
  }
  return (
    first(
      totals.flatMap((total) => bases.map((base) => [base, total - base] as const)),
      'tax',
    ) ??
    first(
      totals.flatMap((total) => taxes.map((tax) => [total - tax, tax] as const)),
      'base',
    ) ??
    first(
      bases.flatMap((base) => taxes.map((tax) => [base, tax] as const)),
      'total',
    )
  )
}
