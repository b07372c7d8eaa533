/** Calculates an amount of an invoice that is not printed or not readable from the other amounts. */
import { type Minor, sum, toMinor, toNumber } from '#core/money/index.ts'
import {
  type AmountStatement,
  baseAndTaxPairs,
  candidateFigures,
  combinations,
  type DerivedAmounts,
  type Entry,
  grossOf,
  isTaxOfBase,
  percentsIn,
  type Solution,
  SURCHARGE,
  type WeightedEntry,
  type Withholding,
  withheldBases,
  withSurcharge,
} from './amount-fields.ts'
import type { Figure, Kind } from './figure-kinds.ts'

/** Returns the rate if only one is possible: the only printed rate, or the only legal rate that fits base and total. */
function onlyRate(
  statement: AmountStatement,
  bases: readonly Minor[],
  totals: readonly Minor[],
): number | undefined {
  const legal = statement.rates
  const percents = percentsIn(statement)
  const named = legal.filter((rate) => percents.has(rate))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  // No rate is readable: returns a legal rate only if it is the only one with which a base results in a total.
  const fitting = legal.filter((rate) =>
    totals.some((total) => bases.some((base) => base !== 0 && isTaxOfBase(base, rate, total - base))),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

interface Total {
  readonly total: Minor
  readonly withheld: Minor
}

/** Returns the printed totals, and for each amount payable its sum with each withholding. */
function totalsIn({ figures, code }: AmountStatement): Total[] {
  if (code !== undefined) return [{ total: code, withheld: 0 }]
  const ofKind = (kind: Kind) => figures.filter((one) => one.kind === kind).map(({ value }) => value)
  const withheld = ofKind('withheld').map((value) => Math.abs(value))
  const payable = ofKind('payable').flatMap((value) =>
    (withheld.length === 0 ? [0] : withheld).map((amount) => ({ total: value + amount, withheld: amount })),
  )
  return [...ofKind('total').map((total) => ({ total, withheld: 0 })), ...payable]
}

/** Returns the withholding that explains the difference between a total and the amount payable. */
function withheldFrom(
  { figures, compensation, legalWithholding }: AmountStatement,
  entries: readonly Entry[],
  { withheld }: Total,
): Withholding | undefined {
  if (withheld === 0) return undefined
  const rates = figures.flatMap((one) => (Math.abs(one.value) === withheld ? one.rates : []))
  return withheldBases(entries, compensation)
    .flatMap((base) =>
      [...rates, ...legalWithholding]
        .filter((rate) => rate > 0 && isTaxOfBase(base, rate, withheld))
        .map((rate) => ({ rate, base, amount: withheld, isNamed: true })),
    )
    .at(0)
}

function solutionOf(
  statement: AmountStatement,
  entries: readonly Entry[],
  total: Total,
  derived: DerivedAmounts,
): Solution | undefined {
  const withheld = withheldFrom(statement, entries, total)
  if (total.withheld !== 0 && !withheld) return undefined
  const isPayable = derived !== 'total'
  return {
    ...{ entries, withheld, disbursements: 0, advances: 0, isPayable, derived, weight: 1 },
    total: sum(entries.map(grossOf)),
  }
}

/** Returns the amounts of a kind that are printed in a row with the rate. */
const besideRate = (figures: readonly Figure[], kind: Kind, rate: number): readonly Minor[] => [
  ...new Set(
    figures.filter((one) => one.kind === kind && one.rates.includes(rate)).map(({ value }) => value),
  ),
]

/** Maximum number of pairs tried for each rate. */
const MAX_PAIRS = 3

const weightOf = (chosen: readonly WeightedEntry[]): number => sum(chosen.map(({ weight }) => weight))

/** Returns the breakdowns whose entries, one for each rate, are all readable, the likeliest first. */
function completeEntries(statement: AmountStatement, rates: readonly number[]): (readonly Entry[])[] {
  const figures = candidateFigures(statement.figures)
  const isSurcharged = SURCHARGE.test(statement.plain)
  const byRate = rates.map((rate) => {
    const pairs = baseAndTaxPairs(figures, rate).slice(0, MAX_PAIRS)
    const all = isSurcharged ? pairs.flatMap((pair) => withSurcharge(pair, figures, undefined)) : pairs
    return all.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_PAIRS)
  })
  return [...combinations(byRate)]
    .filter(({ length }) => length === rates.length)
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .map((chosen) => chosen.map(({ entry }: WeightedEntry) => entry))
}

/** Returns the solutions in which the base or tax of one rate was not readable. */
function withoutOneAmount(statement: AmountStatement, rates: readonly number[]): Solution[] {
  const { figures } = statement
  const totals = totalsIn(statement)
  return rates.flatMap((rate) =>
    completeEntries(
      statement,
      rates.filter((other) => other !== rate),
    ).flatMap((others) => {
      const gross = sum(others.map(grossOf))
      const candidates = totals.flatMap((total) => [
        ...besideRate(figures, 'base', rate).map(
          (base) => [total, base, total.total - gross - base, 'tax'] as const,
        ),
        ...besideRate(figures, 'tax', rate).map(
          (tax) => [total, total.total - gross - tax, tax, 'base'] as const,
        ),
      ])
      return candidates.flatMap(([total, base, tax, derived]) =>
        base !== 0 && isTaxOfBase(base, rate, tax)
          ? (solutionOf(statement, [...others, { rate, base, tax }], total, derived) ?? [])
          : [],
      )
    }),
  )
}

/** Returns a solution for a document without a readable total, if the sum of the bases is printed. */
function withoutTotal(statement: AmountStatement, rates: readonly number[]): Solution[] {
  const [entries] = completeEntries(statement, rates)
  const base = sum((entries ?? []).map((entry) => entry.base))
  const isPrinted = statement.figures.some(({ value }) => value === base)
  if (!entries || !isPrinted) return []
  return [solutionOf(statement, entries, { total: 0, withheld: 0 }, 'total') ?? []].flat()
}

/** Returns the solution with several rates and one unreadable amount, if it is the only one. */
function completed(statement: AmountStatement): Solution | undefined {
  const { figures } = statement
  const percents = percentsIn(statement)
  const rates = statement.rates.filter(
    (rate) =>
      baseAndTaxPairs(candidateFigures(figures), rate).length > 0 ||
      (percents.has(rate) &&
        (['base', 'tax'] as const).some((kind) => besideRate(figures, kind, rate).length > 0)),
  )
  if (rates.length < 2) return undefined
  const found = withoutOneAmount(statement, rates)
  const [first, ...others] = found.length > 0 ? found : withoutTotal(statement, rates)
  return others.every((other) => isSameBreakdown(other, first)) ? first : undefined
}

const isSameBreakdown = (one: Solution, other: Solution | undefined): boolean =>
  one.entries.every(({ rate, base, tax }) =>
    other?.entries.some((entry) => entry.rate === rate && entry.base === base && entry.tax === tax),
  )

/** Returns a solution in which the missing amount is calculated from the other amounts and the rates. */
export function derivedSolution(statement: AmountStatement): Solution | undefined {
  const { figures } = statement
  const ofKind = (kind: Kind) => [
    ...new Set(figures.filter((one) => one.kind === kind).map(({ value }) => value)),
  ]
  const totals = totalsIn(statement)
  const [bases, taxes] = [ofKind('base'), ofKind('tax')]
  const rate = onlyRate(
    statement,
    bases,
    totals.map(({ total }) => total),
  )
  if (rate === undefined) return completed(statement)
  const none: Total = { total: 0, withheld: 0 }
  const candidates: readonly (readonly [total: Total, base: Minor, tax: Minor, derived: DerivedAmounts])[] = [
    ...totals.flatMap((one) => bases.map((base) => [one, base, one.total - base, 'tax'] as const)),
    ...totals.flatMap((one) => taxes.map((tax) => [one, one.total - tax, tax, 'base'] as const)),
    ...bases.flatMap((base) => taxes.map((tax) => [none, base, tax, 'total'] as const)),
    ...(statement.isIncluded ? totals.map((one) => [one, ...splitOf(one.total, rate)] as const) : []),
  ]
  for (const [total, base, tax, derived] of candidates) {
    const isMatch = base !== 0 && isTaxOfBase(base, rate, tax)
    const solution = isMatch ? solutionOf(statement, [{ rate, base, tax }], total, derived) : undefined
    if (solution) return solution
  }
  return undefined
}

/** Splits an amount that includes the tax into base and tax. */
function splitOf(total: Minor, rate: number): readonly [base: Minor, tax: Minor, derived: 'both'] {
  const base = toMinor(toNumber(total) / (1 + rate / 100))
  return [base, total - base, 'both']
}
