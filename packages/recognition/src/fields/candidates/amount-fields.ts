/**
 * Finds bases, taxes and a total that are printed separately on an invoice and agree arithmetically. A misread amount
 * breaks the agreement.
 */
import { surchargesOf } from '#core/catalogs/index.ts'
import { type Minor, percentOf, sum } from '#core/money/index.ts'
import { ratesIn } from '../cells/figures.ts'
import { matcher } from '../labels/index.ts'
import type { Figure, Kind } from './figure-kinds.ts'

/** One rate of the breakdown. */
export interface Entry {
  readonly rate: number
  readonly base: Minor
  readonly tax: Minor
  readonly surcharge?: { readonly rate: number; readonly amount: Minor }
}

export interface Withholding {
  readonly rate: number
  readonly base: Minor
  readonly amount: Minor
  /** Whether a printed label names the withholding. If not, only arithmetic shows that it is a withholding. */
  readonly isNamed: boolean
}

/** Amounts that are subtracted from or added to the total to obtain the amount payable. */
export interface PayableAdjustments {
  readonly withheld: Withholding | undefined
  readonly disbursements: Minor
  readonly advances: Minor
}

/** The amount that is not printed and was calculated from printed amounts; `both` means base and tax. */
export type DerivedAmounts = 'base' | 'tax' | 'total' | 'both'

export interface Solution extends PayableAdjustments {
  readonly entries: readonly Entry[]
  /** Whether the amount payable is printed. */
  readonly isPayable: boolean
  /** Sum of bases, taxes and surcharges. */
  readonly total: Minor
  /** The amount that was calculated from the other amounts. */
  readonly derived?: DerivedAmounts
  readonly weight: number
}

/** Maximum difference, in cents, between the tax of a sum and the sum of taxes rounded by line. */
const ROUNDING = 1

export const isTaxOfBase = (base: Minor, rate: number, tax: Minor): boolean =>
  Math.sign(base) === Math.sign(tax) && Math.abs(percentOf(base, rate) - tax) <= ROUNDING

export interface WeightedEntry {
  readonly entry: Entry
  readonly weight: number
}

const SAME_ROW = 3
const NAMED = 3
const RATE_BESIDE = 3

/** Kinds of amounts, according to their labels, that cannot be a tax. */
const NO_TAX: readonly (Kind | undefined)[] = ['withheld', 'base', 'total', 'disbursement', 'advance']

/** Kinds of amounts, according to their labels, that cannot be a base. */
const NO_BASE: readonly (Kind | undefined)[] = ['withheld', 'disbursement', 'advance']

/** Returns the weight of the evidence that two figures are the base and the tax at a rate. */
const weightOf = (base: Figure, tax: Figure, rate: number): number =>
  (base.cell.row === tax.cell.row ? SAME_ROW : 0) +
  (base.kind === 'base' ? NAMED : 0) +
  (tax.kind === 'tax' ? NAMED : 0) +
  (tax.rates.includes(rate) ? RATE_BESIDE : 0) +
  (base.rates.includes(rate) ? 1 : 0) -
  (base.kind === 'other' ? NAMED : 0)

/** Returns pairs of figures that can be the base and the tax at a rate, the likeliest first. */
export function baseAndTaxPairs(figures: readonly Figure[], rate: number): WeightedEntry[] {
  const pairs = new Map<string, WeightedEntry>()
  const taxes = figures.filter(({ kind, value }) => value !== 0 && !NO_TAX.includes(kind))
  for (const base of figures.filter(({ kind }) => !NO_BASE.includes(kind)))
    for (const tax of taxes) {
      if (base === tax || !isTaxOfBase(base.value, rate, tax.value)) continue
      const weight = weightOf(base, tax, rate)
      const key = `${base.value} ${tax.value}`
      const earlier = pairs.get(key)
      if (!earlier || earlier.weight < weight)
        pairs.set(key, { entry: { rate, base: base.value, tax: tax.value }, weight })
    }
  return [...pairs.values()].sort((a, b) => b.weight - a.weight).slice(0, 8)
}

/** Returns the pair without surcharge, and with each surcharge that is printed or completes the total of the tax QR. */
export function withSurcharge(
  pair: WeightedEntry,
  figures: readonly Figure[],
  code: Minor | undefined,
): WeightedEntry[] {
  const { entry, weight } = pair
  const found: WeightedEntry[] = [pair]
  const rest = code === undefined ? 0 : code - entry.base - entry.tax
  for (const rate of surchargesOf(entry.rate)) {
    if (rate === 0) continue
    const isSurcharge = (value: Minor) => value !== 0 && isTaxOfBase(entry.base, rate, value)
    const printed = figures.find(({ value }) => isSurcharge(value))
    const amount = printed?.value ?? rest
    if (!isSurcharge(amount)) continue
    const beside = printed?.rates.includes(rate) ? RATE_BESIDE : 0
    const named = printed?.kind === 'surcharge' ? NAMED : 0
    found.push({ entry: { ...entry, surcharge: { rate, amount } }, weight: weight + beside + named })
  }
  return found
}

export const grossOf = ({ base, tax, surcharge }: Entry): Minor => sum([base, tax, surcharge?.amount ?? 0])

/** Yields the combinations of at most one entry for each rate. */
export function* combinations(
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

/** Maximum number of combinations that are tried. */
const MAX_COMBINATIONS = 20_000

interface PrintedTotal {
  readonly total: Minor
  readonly weight: number
}

/** Returns the amounts that can be the total, with their weight. */
function totalsOf(figures: readonly Figure[], code: Minor | undefined): PrintedTotal[] {
  const found = new Map<Minor, number>()
  const note = (value: Minor, weight: number) => found.set(value, Math.max(found.get(value) ?? 0, weight))
  for (const { value, kind, isStated } of figures) {
    if (kind === 'total') note(value, isStated ? 6 : 4)
    if (kind === 'payable') note(value, 5)
  }
  if (code !== undefined) note(code, 12)
  return [...found].map(([total, weight]) => ({ total, weight }))
}

/**
 * Returns the amounts on which tax may be withheld: the base, and for farmers first the base plus their compensation,
 * because the compensation is part of their income (art. 95.4 RD 439/2007).
 */
export function withheldBases(entries: readonly Entry[], compensation: readonly number[]): readonly Minor[] {
  const base = sum(entries.map((entry) => entry.base))
  const added = sum(entries.filter(({ rate }) => compensation.includes(rate)).map(({ tax }) => tax))
  return added === 0 ? [base] : [base + added, base]
}

/** Returns the withholdings that match the base at a rate printed in their row or, without one, at a legal rate. */
function withholdingsOf({ figures, legalWithholding }: Printed, base: Minor): Withholding[] {
  return figures
    .filter(({ kind, value }) => kind === 'withheld' && value !== 0)
    .flatMap(({ value, rates }) => {
      const size = Math.abs(value)
      return (rates.length > 0 ? rates : legalWithholding)
        .filter((rate) => rate > 0 && isTaxOfBase(Math.abs(base), rate, size))
        .map((rate) => ({ rate, base, amount: base < 0 ? -size : size, isNamed: true }))
    })
}

/**
 * Returns withholdings with an unknown label: a printed amount equals the base at a legal rate, and the total minus
 * this amount is printed as a total.
 */
function unnamedWithholdings(
  { figures, legalWithholding }: Printed,
  base: Minor,
  total: Minor,
): Withholding[] {
  return figures.flatMap(({ isStated, value: payable }) => {
    const amount = total - payable
    const isPrinted = figures.some(
      ({ value, kind }) => Math.abs(value) === Math.abs(amount) && kind !== 'total' && kind !== 'advance',
    )
    // If the stated total equals the base, the amount is the tax and not a withholding.
    if (!isStated || payable === base || amount === 0 || !isPrinted) return []
    return legalWithholding
      .filter((rate) => rate > 0 && isTaxOfBase(base, rate, amount))
      .map((rate) => ({ rate, base, amount, isNamed: false }))
  })
}

/** Returns withholdings with a printed rate but an unreadable amount, if the resulting amount payable is printed. */
function unreadWithholdings({ figures, withheldRates }: Printed, base: Minor, total: Minor): Withholding[] {
  return withheldRates
    .map((rate) => ({ rate, base, amount: percentOf(base, rate), isNamed: true }))
    .filter(({ amount }) => figures.some(({ value }) => value === total - amount))
}

/** Returns possible sums of the amounts of a kind: 0, each amount alone, and all amounts together. */
function sumsOf(figures: readonly Figure[], kind: Kind): readonly Minor[] {
  const values = [...new Set(figures.filter((one) => one.kind === kind).map(({ value }) => Math.abs(value)))]
  return [...new Set([0, ...values.slice(0, MAX_EXTRAS), sum(values)])]
}

/** Maximum number of disbursements, and of advances, that are tried one by one. */
const MAX_EXTRAS = 4

export interface AmountStatement {
  readonly plain: string
  readonly figures: readonly Figure[]
  /** Total that the tax QR states. */
  readonly code: Minor | undefined
  /** Legal tax rates above 0, and the rates of `compensation`. */
  readonly rates: readonly number[]
  /** Rates of the farmers' compensation that the document names. */
  readonly compensation: readonly number[]
  /** Legal rates of withholdings. */
  readonly legalWithholding: readonly number[]
  /** Rates of withholdings that are printed without a readable amount. */
  readonly withheldRates: readonly number[]
  /** Whether the document states that amounts include the tax. */
  readonly isIncluded: boolean
  /** Whether the document charges a tax that cannot be registered, such as IGIC for a company with IVA. */
  readonly isOtherTax: boolean
}

/** The printed amounts and rates of a document, with the legal rates of withholding. */
type Printed = Pick<AmountStatement, 'figures' | 'compensation' | 'legalWithholding' | 'withheldRates'>

const numbersIn = ({ plain, figures }: AmountStatement): ReadonlySet<number> =>
  new Set([
    ...ratesIn(plain).map(({ value }) => value),
    // In a column of rates, the numbers often have no percent sign.
    ...figures.map(({ value }) => value / 100),
    ...[...plain.matchAll(/(?<![\d.,])\d{1,2}(?![\d.,%])/g)].map(([text]) => Number(text)),
  ])

export const percentsIn = ({ plain }: AmountStatement): ReadonlySet<number> =>
  new Set(ratesIn(plain).map(({ value }) => value))

/** Maximum number of figures that are combined. Of a longer document, keeps the last labelled and the last figures. */
const MAX_FIGURES = 160

export const candidateFigures = (figures: readonly Figure[]): readonly Figure[] => {
  if (figures.length <= MAX_FIGURES) return figures
  const named = figures.filter(({ kind }) => kind !== undefined && kind !== 'other')
  return [...named.slice(-MAX_FIGURES / 2), ...figures.slice(-MAX_FIGURES / 2)]
}

const onlyOf = (figures: readonly Figure[]): Minor | undefined => {
  const [only, ...more] = new Set(figures.map(({ value }) => value))
  return more.length === 0 ? only : undefined
}

/** Returns the only total whose label names the invoice, as in `Total factura`. */
const namedTotal = (figures: readonly Figure[]): Minor | undefined =>
  onlyOf(figures.filter(({ isStated, isNamed, kind }) => isStated && isNamed && kind === 'total'))

/** Returns the only total that is stated, else the only one whose label names the invoice. */
export const statedTotal = ({ figures }: Pick<AmountStatement, 'figures'>): Minor | undefined =>
  onlyOf(figures.filter(({ isStated, kind }) => isStated && kind === 'total')) ?? namedTotal(figures)

/** Returns all amounts that a document with this solution may print as totals. */
export function amountsExplainedBy(
  one: Pick<Solution, 'entries' | 'total'> & PayableAdjustments,
): ReadonlySet<Minor> {
  const { entries, total, withheld, disbursements, advances } = one
  const base = sum(entries.map((entry) => entry.base))
  const tax = sum(entries.map((entry) => entry.tax))
  const amount = withheld?.amount ?? 0
  const steps = [base, base + tax, total].flatMap((value) => [value, value - amount])
  return new Set([
    ...steps.flatMap((value) => [
      value,
      value + disbursements,
      value - advances,
      value + disbursements - advances,
    ]),
    ...entries.flatMap((entry) => [entry.base, entry.tax, grossOf(entry)]),
    ...[tax, total - base - tax, total - base, amount, -amount, disbursements, advances, -advances],
    0,
  ])
}

/** Returns the stated totals that a solution does not explain. */
export const unexplainedTotals = (one: Solution, figures: readonly Figure[]): readonly Figure[] => {
  const explained = amountsExplainedBy(one)
  return figures.filter(({ isStated, value }) => isStated && !explained.has(value))
}

const EXPLAINED = 3

/** Returns possible combinations of withholding, disbursements and advances in the amount payable. */
function extrasFor(entries: readonly Entry[], total: Minor, statement: Printed): PayableAdjustments[] {
  const { figures, compensation } = statement
  const bases = withheldBases(entries, compensation)
  const labelled = bases.flatMap((base) => withholdingsOf(statement, base))
  const unread =
    labelled.length > 0 ? labelled : bases.flatMap((base) => unreadWithholdings(statement, base, total))
  const withholdings =
    unread.length > 0 ? unread : bases.flatMap((base) => unnamedWithholdings(statement, base, total))
  return [undefined, ...withholdings].flatMap((withheld) =>
    sumsOf(figures, 'disbursement').flatMap((disbursements) =>
      sumsOf(figures, 'advance').map((advances) => ({ withheld, disbursements, advances })),
    ),
  )
}

/** Returns the solutions whose entries add up to a printed total, with or without withholding and extras. */
function matchingSolutions(
  entries: readonly Entry[],
  total: Minor,
  weight: number,
  wanted: readonly PrintedTotal[],
  statement: Printed,
): Solution[] {
  return extrasFor(entries, total, statement).flatMap((extras) => {
    const { withheld, disbursements, advances } = extras
    const after = total - (withheld?.amount ?? 0)
    const payable = after + disbursements - advances
    const printed = wanted.find((one) => [total, after, total + disbursements, payable].includes(one.total))
    if (!printed) return []
    const isPayable = wanted.some((one) => one.total === payable)
    const one = { entries, ...extras, isPayable, total, weight: 0 }
    const added = [disbursements, advances].filter((amount) => isPayable && amount !== 0).length
    const named = (withheld?.isNamed ? 1 : 0) + added
    const contradictions = new Set(unexplainedTotals(one, statement.figures).map(({ value }) => value)).size
    return [{ ...one, weight: weight + printed.weight + named * NAMED - contradictions * EXPLAINED }]
  })
}

/** Whether a figure can be an untaxed base of an invoice that also has taxed bases. */
const canBeUntaxed = ({ kind, rates, cell }: Figure, isMentioned: boolean): boolean =>
  (kind === 'base' && (isMentioned || rates.includes(0))) ||
  ((kind === undefined || kind === 'tax') && rates.length === 1 && rates[0] === 0) ||
  UNTAXED.test(cell.plain)

const UNTAXED = matcher('exempt', 'notSubject', 'reverseCharge')
/** Maximum number of untaxed bases that are combined. */
const MAX_UNTAXED = 6

/** Returns possible sums of the untaxed bases of an invoice: undefined for none, and the sum of each subset. */
function untaxedSums(figures: readonly Figure[], isMentioned: boolean): readonly (Minor | undefined)[] {
  const bases = figures.filter((one) => one.value !== 0 && canBeUntaxed(one, isMentioned))
  const values = [...new Set(bases.map(({ value }) => value))]
  let sums: readonly Minor[] = [0]
  for (const value of values.slice(0, MAX_UNTAXED)) sums = [...sums, ...sums.map((one) => one + value)]
  return [undefined, ...new Set([...sums.slice(1), ...values])]
}
export const SURCHARGE = matcher('surcharge')

/** Returns all solutions, the best first. Tries numbers with a percent sign as rates, then all printed numbers. */
export function solutionsOf(statement: AmountStatement): Solution[] {
  for (const printed of [percentsIn(statement), numbersIn(statement)]) {
    const tried = statement.rates.filter((rate) => printed.has(rate))
    const found = solutionsWith(statement, tried)
    if (found.length > 0) return found
  }
  return []
}

function solutionsWith(statement: AmountStatement, tried: readonly number[]): Solution[] {
  const figures = candidateFigures(statement.figures)
  const isSurcharged = SURCHARGE.test(statement.plain)
  const byRate = tried.map((rate) => {
    const pairs = baseAndTaxPairs(figures, rate)
    return isSurcharged ? pairs.flatMap((pair) => withSurcharge(pair, figures, statement.code)) : pairs
  })
  // The first match is used, so totals with a higher weight come first.
  const stated = statement.code === undefined ? namedTotal(figures) : undefined
  const wanted = totalsOf(figures, statement.code)
    .filter(({ total }) => stated === undefined || total === stated)
    .sort((a, b) => b.weight - a.weight)
  const extras = untaxedSums(figures, UNTAXED.test(statement.plain))
  const found: Solution[] = []
  let tries = 0
  for (const chosen of combinations(byRate)) {
    if (chosen.length === 0 || ++tries > MAX_COMBINATIONS) continue
    const taxed = chosen.map(({ entry }) => entry)
    const gross = sum(taxed.map(grossOf))
    const weight = sum(chosen.map((one) => one.weight)) / chosen.length + chosen.length
    for (const extra of extras) {
      const entries = extra === undefined ? taxed : [...taxed, { rate: 0, base: extra, tax: 0 }]
      const total = sum([gross, extra ?? 0])
      found.push(...matchingSolutions(entries, total, weight, wanted, { ...statement, figures }))
    }
  }
  return found.sort((a, b) => b.weight - a.weight || Math.abs(b.total) - Math.abs(a.total))
}
