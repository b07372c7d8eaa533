/** Chooses the proposed amounts, with the trust in each. */
import { taxRatesOf } from '../../catalogs/index.ts'
import { type Minor, percentOf, sum } from '../../money/index.ts'
import {
  derivedOf,
  type Entry,
  type Figure,
  type Solution,
  type Statement,
  solutionsOf,
  vatRatesOf,
  type Withholding,
} from './amounts.ts'
import type { Sheet } from './cells.ts'
import { TRUST } from './found.ts'
import type { ReasonCode } from './reasons.ts'

export interface Treatment {
  readonly tax_treatment_code: string
  readonly exemption_reason_code?: string
}

export interface Amounts {
  readonly entries: readonly Entry[]
  /** Treatment of entries without tax. */
  readonly untaxed: Treatment | undefined
  readonly withheld: Withholding | undefined
  readonly total: Minor
  readonly scores: {
    readonly breakdown: number
    readonly base: number
    readonly tax: number
    readonly total: number
    readonly withheld: number
  }
  readonly reasons: readonly ReasonCode[]
}

/** Treatments that mentions on the document imply. */
const MENTIONS: readonly (readonly [RegExp, Treatment])[] = [
  [/inversi[oó]n del sujeto pasivo|reverse charge/, { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }],
  [
    /art(?:iculo|\.)?\s*(?:n\.?º?\s*)?20\b/,
    { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' },
  ],
  [/exent|exempt/, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' }],
  [/no sujet|not subject|outside the scope/, { tax_treatment_code: 'NON_TAXABLE' }],
]

const untaxedIn = (plain: string): Treatment | undefined =>
  MENTIONS.find(([mention]) => mention.test(plain))?.[1]

const isSame = (a: Solution, b: Solution): boolean =>
  a.total === b.total &&
  a.withheld?.amount === b.withheld?.amount &&
  JSON.stringify(a.entries.toSorted((x, y) => x.rate - y.rate)) ===
    JSON.stringify(b.entries.toSorted((x, y) => x.rate - y.rate))

/** Whether no other rate gives the same tax. With a very small base, several rates may. */
const isOnly = (rates: readonly number[], rate: number, base: Minor, tax: Minor): boolean =>
  percentOf(base, rate) === tax &&
  rates.every((other) => (percentOf(base, other) === tax) === (other === rate))

/** Whether the amounts match to the cent, which two compensating misreadings do not. */
const isExact = ({ entries }: Solution, { taxGroup, day, figures }: Statement): boolean =>
  // A rate printed with its tax belongs to the breakdown, however small.
  figures.every(
    ({ kind, rates }) =>
      kind !== 'tax' ||
      rates.every(
        (rate) => !vatRatesOf(taxGroup, day).includes(rate) || entries.some((entry) => entry.rate === rate),
      ),
  ) &&
  entries.every(
    ({ rate, base, tax, surcharge }) =>
      (rate === 0 || isOnly(vatRatesOf(taxGroup, day), rate, base, tax)) &&
      (surcharge === undefined || percentOf(base, surcharge.rate) === surcharge.amount),
  )

/** Whether the amount payable is printed, and no other rate gives the same withholding. */
const isWithheldSure = ({ entries, withheld, isPayable }: Solution, { day }: Statement): boolean => {
  const base = sum(entries.map((entry) => entry.base))
  return isPayable && (!withheld || isOnly(taxRatesOf('IRPF', day), withheld.rate, base, withheld.amount))
}

/** Returns scores with the same trust in all parts, its own for the total, and no withholding. */
const scoresOf = (parts: number, total: number): Amounts['scores'] => ({
  breakdown: parts,
  base: parts,
  tax: parts,
  total,
  withheld: 0,
})

/** Returns the different solutions with about as much evidence as the best one. */
const alternativesOf = (best: Solution, all: readonly Solution[]): readonly Solution[] =>
  all.filter((one) => one.weight >= best.weight - 1 && !isSame(one, best))

/** Returns the trust in amounts that agree and that nothing contradicts. */
function trustIn(best: Solution, { source }: Sheet, byCode: boolean, statement: Statement): number {
  if (source === 'ocr' && !byCode) return TRUST.agreed
  if (isExact(best, statement)) return TRUST.checked
  return source === 'text' ? TRUST.named : TRUST.agreed
}

function agreedAmounts(
  best: Solution,
  all: readonly Solution[],
  sheet: Sheet,
  statement: Statement,
): Amounts {
  const { code } = statement
  const untaxed = untaxedIn(statement.plain)
  const hasAlternatives = alternativesOf(best, all).length > 0
  const isContradicted = code !== undefined && code !== best.total
  const hasUntaxed = best.entries.some(({ rate }) => rate === 0)
  const byCode = code !== undefined && !isContradicted
  const plain = hasAlternatives || isContradicted ? TRUST.found : trustIn(best, sheet, byCode, statement)
  return {
    entries: best.entries,
    untaxed: hasUntaxed
      ? (untaxed ?? { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' })
      : undefined,
    withheld: best.withheld,
    total: best.total,
    scores: {
      ...scoresOf(plain, byCode ? TRUST.certain : plain),
      // Withholding is not part of the total: only the amount payable confirms it.
      withheld: isWithheldSure(best, statement) ? plain : Math.min(plain, TRUST.agreed),
    },
    reasons: [
      ...(hasAlternatives ? (['amounts_unchecked'] as const) : []),
      ...(isContradicted ? (['total_contradicted'] as const) : []),
      ...(hasUntaxed ? (['treatment_guessed'] as const) : []),
    ],
  }
}

function derivedAmounts(one: Solution, code: Minor | undefined): Amounts {
  const trust = (part: Solution['derived']) => (one.derived === part ? TRUST.found : TRUST.agreed)
  return {
    entries: one.entries,
    untaxed: undefined,
    withheld: undefined,
    total: one.total,
    scores: {
      ...scoresOf(TRUST.found, code === one.total ? TRUST.certain : trust('total')),
      base: trust('base'),
      tax: trust('tax'),
    },
    reasons: ['amount_derived'],
  }
}

const last = (figures: readonly Figure[], kind: Figure['kind']): Minor | undefined =>
  figures.findLast((one) => one.kind === kind)?.value

/** Returns the amounts of an invoice without tax: its total is its base. */
function withoutTax({ figures, plain, code }: Statement): Amounts | undefined {
  const untaxed = untaxedIn(plain)
  const total = code ?? last(figures, 'total') ?? last(figures, 'payable')
  if (!untaxed || total === undefined) return undefined
  // An amount labelled as tax contradicts it.
  if (figures.some(({ kind, value }) => kind === 'tax' && value !== 0)) return undefined
  const isTwice = figures.some(({ kind, value }) => kind === 'base' && value === total)
  const score = isTwice ? TRUST.agreed : TRUST.found
  return {
    entries: [{ rate: 0, base: total, tax: 0 }],
    untaxed,
    withheld: undefined,
    total,
    scores: scoresOf(score, code === undefined ? score : TRUST.certain),
    reasons: ['treatment_guessed', ...(isTwice ? [] : (['amounts_unchecked'] as const))],
  }
}

/** Returns the labelled amounts when nothing agrees, with no trust in any of them. */
function unverifiedAmounts({ figures, code }: Statement): Amounts | undefined {
  const total = code ?? last(figures, 'total') ?? last(figures, 'payable')
  if (total === undefined) return undefined
  const base = last(figures, 'base')
  const tax = last(figures, 'tax') ?? (base === undefined ? undefined : total - base)
  const isAll = base !== undefined && tax !== undefined && base + tax === total
  const entry = isAll ? { rate: 0, base, tax } : { rate: 0, base: total, tax: 0 }
  return {
    entries: [entry],
    untaxed: undefined,
    withheld: undefined,
    total,
    scores: scoresOf(0, code === undefined ? TRUST.found : TRUST.certain),
    reasons: ['amounts_disagree'],
  }
}

/** Returns the amounts of a document. */
export function amountsOf(statement: Statement, sheet: Sheet): Amounts | undefined {
  const all = solutionsOf(statement)
  const ofCode = all.filter(({ total }) => total === statement.code)
  const [best] = ofCode.length > 0 ? ofCode : all
  if (best) return agreedAmounts(best, ofCode.length > 0 ? ofCode : all, sheet, statement)
  const one = derivedOf(statement)
  if (one) return derivedAmounts(one, statement.code)
  return withoutTax(statement) ?? unverifiedAmounts(statement)
}
