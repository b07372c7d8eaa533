/**
 * The amounts of an invoice are believed where they agree: bases, taxes and a total that were printed apart from each
 * other, and that no misreading leaves in agreement.
 */
import { surchargesOf, taxRatesOf } from '../../catalogs/index.ts'
import { type Minor, percentOf, sum } from '../../money/index.ts'
import { type Cell, overlaps, type Sheet } from './cells.ts'
import { amountsIn, ratesIn } from './figures.ts'

type Kind = 'total' | 'payable' | 'base' | 'tax' | 'surcharge' | 'withheld' | 'other'

/** An amount with what is printed beside it. */
export interface Figure {
  readonly value: Minor
  readonly cell: Cell
  readonly kind: Kind | undefined
  /** Percentages of its row. */
  readonly rates: readonly number[]
}

/** The first that fits says what an amount is. */
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

/** `IVA incluido` says of a total that it is one. */
const INCLUDED =
  /\b(?:iva|vat|igic|impuestos?)\.? (?:incl|inc\.)|\(?i\.?v\.?a\.? incl|\bcon iva\b|\binc\w*\.? (?:iva|vat)/

// `Total factura con IVA 21 %` is a total still; `Base imponible IVA 21 %` is a base.
const kindOf = (plain: string): Kind | undefined =>
  INCLUDED.test(plain) ? 'total' : KINDS.find(([, words]) => words.test(plain))?.[0]

/** Words, as in `I.R.P.F. 15 %`; the name of a currency is none. */
const hasLetters = (cell: Cell): boolean =>
  /[a-z]\W?[a-z]/.test(cell.plain.replaceAll(/\b(?:eur|euros?|usd|gbp)\b/g, ''))

/** Rows that a table heading is looked for above its figures. */
const HEADING_ROWS = 40

/** The heading of the column in which a figure stands. */
function headingOf({ rows }: Sheet, cell: Cell): Cell | undefined {
  for (let row = cell.row - 1; row >= Math.max(0, cell.row - HEADING_ROWS); row--) {
    const cells = rows[row] ?? []
    if (cells[0]?.page !== cell.page) return undefined
    // Only a row of headings, in which nothing is a figure, heads a column.
    if (cells.some(({ text }) => amountsIn(text).length > 0)) continue
    // Headings on the left of their columns, figures on the right: then they go by their order.
    const isAlike = cells.length === rows[cell.row]?.length
    const above = cells.find(
      (other) => (isAlike ? other.column === cell.column : overlaps(other, cell)) && hasLetters(other),
    )
    if (above && cells.length > 1 && kindOf(above.plain)) return above
  }
  return undefined
}

/** Of several things in one cell, `Base 45,14 IVA 10 %`, the last one that has words. */
const lastLabel = (plain: string): string =>
  plain.split(/\d[\d.,]{2,}/).findLast((part) => /[a-z]{2}/.test(part)) ?? plain

/** What an amount is called: in its own cell, else by the first cell of its row, in tables by the heading of its column. */
function calledOf(sheet: Sheet, cell: Cell, before: string): Kind | undefined {
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

/** All amounts of a document. */
export function figuresIn(sheet: Sheet): Figure[] {
  const figures: Figure[] = []
  for (const cells of sheet.rows) {
    const rates = cells.flatMap(({ text }) => ratesIn(text).map(({ value }) => value))
    for (const cell of cells) {
      let end = 0
      for (const amount of amountsIn(cell.text)) {
        const kind = calledOf(sheet, cell, cell.plain.slice(end, amount.start))
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
  /** What is left to pay stands on the document. */
  readonly isPayable: boolean
  /** Bases, tax and surcharge. */
  readonly total: Minor
  /** What had to be worked out from the others. */
  readonly derived?: 'base' | 'tax' | 'total'
  readonly weight: number
}

/** Taxes of lines, rounded one by one, differ from the tax of their sum by this at the most. */
const ROUNDING = 1

const isTax = (base: Minor, rate: number, tax: Minor): boolean =>
  Math.sign(base) === Math.sign(tax) && Math.abs(percentOf(base, rate) - tax) <= ROUNDING

interface Weighed {
  readonly entry: Entry
  readonly weight: number
}

const SAME_ROW = 3
const NAMED = 3
const RATE_BESIDE = 3

/** What no tax is called. */
const NO_TAX: readonly (Kind | undefined)[] = ['withheld', 'base', 'total']

/** How much speaks for two figures as base and tax of a rate. */
const weightOf = (base: Figure, tax: Figure, rate: number): number =>
  (base.cell.row === tax.cell.row ? SAME_ROW : 0) +
  (base.kind === 'base' ? NAMED : 0) +
  (tax.kind === 'tax' ? NAMED : 0) +
  (tax.rates.includes(rate) ? RATE_BESIDE : 0) +
  (base.rates.includes(rate) ? 1 : 0) -
  (base.kind === 'other' ? NAMED : 0)

/** Pairs of figures that can be base and tax of a rate, the likeliest first. */
function pairsOf(figures: readonly Figure[], rate: number): Weighed[] {
  const pairs = new Map<string, Weighed>()
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

/** The same pair with each surcharge that is printed for it. */
function withSurcharge(pair: Weighed, figures: readonly Figure[]): Weighed[] {
  const { entry, weight } = pair
  const found: Weighed[] = [pair]
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

/** Combinations of at most one entry for each rate. */
function* combinations(byRate: readonly (readonly Weighed[])[], at = 0): Generator<readonly Weighed[]> {
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

/** A document that names so many rates is looked at no further. */
const MOST_COMBINATIONS = 20_000

interface Wanted {
  readonly total: Minor
  readonly weight: number
}

/** What can be the total, the likeliest first. */
function totalsOf(figures: readonly Figure[], code: Minor | undefined): Wanted[] {
  const found = new Map<Minor, number>()
  const note = (value: Minor, weight: number) => found.set(value, Math.max(found.get(value) ?? 0, weight))
  for (const { value, kind } of figures) {
    if (kind === 'total') note(value, 6)
    if (kind === 'payable') note(value, 5)
  }
  if (code !== undefined) note(code, 12)
  return [...found].map(([total, weight]) => ({ total, weight }))
}

/** What is withheld, at a rate of its own row, or of the law where its row has none. */
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
  /** The total of the tax QR. */
  readonly code: Minor | undefined
  /** The day that rates are those of. */
  readonly day: string | undefined
  readonly taxGroup: string
}

const mentioned = ({ plain, figures }: Statement): ReadonlySet<number> =>
  new Set([
    ...ratesIn(plain).map(({ value }) => value),
    // A column of rates has no percent sign in it.
    ...figures.map(({ value }) => value / 100),
    ...[...plain.matchAll(/(?<![\d.,])\d{1,2}(?![\d.,%])/g)].map(([text]) => Number(text)),
  ])

const hasPercent = ({ plain }: Statement): ReadonlySet<number> =>
  new Set(ratesIn(plain).map(({ value }) => value))

/** The most figures that are tried with each other: the first and the last of a long document hold its totals. */
const MOST_FIGURES = 160

const withinReach = (figures: readonly Figure[]): readonly Figure[] => {
  if (figures.length <= MOST_FIGURES) return figures
  const named = figures.filter(({ kind }) => kind !== undefined && kind !== 'other')
  return [...named.slice(-MOST_FIGURES / 2), ...figures.slice(-MOST_FIGURES / 2)]
}

/** What the law lets a rate be on a day. */
export const vatRatesOf = (taxGroup: string, day: string | undefined): readonly number[] =>
  taxRatesOf(taxGroup, day).filter((rate) => rate > 0)

/** What makes one of the printed totals out of entries, with and without what is withheld. */
function agreeing(
  entries: readonly Entry[],
  total: Minor,
  weight: number,
  wanted: readonly Wanted[],
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

/** Everything that agrees, the best first. */
export function solutionsOf(statement: Statement): Solution[] {
  const figures = withinReach(statement.figures)
  const percents = hasPercent(statement)
  const inText = mentioned(statement)
  const legal = vatRatesOf(statement.taxGroup, statement.day)
  const rates = legal.filter((rate) => percents.has(rate))
  const tried = rates.length > 0 ? rates : legal.filter((rate) => inText.has(rate))
  const isSurcharged = /recargo|\br\.? ?e\.?\b|surcharge|rec\. ?eq/.test(statement.plain)
  const byRate = tried.map((rate) => {
    const pairs = pairsOf(figures, rate)
    return isSurcharged ? pairs.flatMap((pair) => withSurcharge(pair, figures)) : pairs
  })
  const wanted = totalsOf(figures, statement.code)
  // A base without tax beside the others: exempt or at 0 %.
  const untaxed = figures.filter(
    ({ kind, rates }) =>
      kind === 'base' && (rates.includes(0) || /exent|exempt|no sujet/.test(statement.plain)),
  )
  const found: Solution[] = []
  let tries = 0
  for (const chosen of combinations(byRate)) {
    if (chosen.length === 0 || ++tries > MOST_COMBINATIONS) continue
    const taxed = chosen.map(({ entry }) => entry)
    const gross = sum(taxed.map(grossOf))
    const weight = sum(chosen.map((one) => one.weight)) / chosen.length + chosen.length
    const extras: (Minor | undefined)[] = [undefined, ...new Set(untaxed.map(({ value }) => value))]
    for (const extra of extras) {
      const entries = extra === undefined ? taxed : [...taxed, { rate: 0, base: extra, tax: 0 }]
      const total = sum([gross, extra ?? 0])
      found.push(...agreeing(entries, total, weight, wanted, { figures, day: statement.day }))
    }
  }
  return found.sort((a, b) => b.weight - a.weight || Math.abs(b.total) - Math.abs(a.total))
}

/** The only rate that an amount can be of: the one that is named, or that alone leads from a base to a total. */
function onlyRate(
  statement: Statement,
  bases: readonly Minor[],
  totals: readonly Minor[],
): number | undefined {
  const legal = vatRatesOf(statement.taxGroup, statement.day)
  const percents = hasPercent(statement)
  const named = legal.filter((rate) => percents.has(rate))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  // Where the row of the tax is lost altogether, one rate of the law may be the only one that leads to the total.
  const fitting = legal.filter((rate) =>
    totals.some((total) => bases.some((base) => base !== 0 && isTax(base, rate, total - base))),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** What is worked out where one of base, tax and total could not be read: two of them and the rate give it. */
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
  /** The first pair of base and tax that the rate fits, with what is worked out of it. */
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
