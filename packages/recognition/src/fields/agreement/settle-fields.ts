/** Chooses the proposed amounts, and scores them. */
import { type Minor, percentOf } from '#core/money/index.ts'
import {
  type AmountStatement,
  amountsExplainedBy,
  type Entry,
  type PayableAdjustments,
  type Solution,
  solutionsOf,
  statedTotal,
  unexplainedTotals,
} from '../candidates/amount-fields.ts'
import { derivedSolution } from '../candidates/derive.ts'
import type { Figure } from '../candidates/figure-kinds.ts'
import type { DocumentCells } from '../cells/cells.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { TRUST } from '../found.ts'
import { type Field, matcher } from '../labels/index.ts'

export interface Treatment {
  readonly tax_treatment_code: string
  readonly exemption_reason_code?: string
}

export interface Amounts extends PayableAdjustments {
  readonly entries: readonly Entry[]
  /** Treatment of entries without tax. */
  readonly untaxed: Treatment | undefined
  readonly total: Minor
  /** The printed base of amounts without entries, if base and tax add up to the total. */
  readonly base?: Minor | undefined
  readonly scores: {
    readonly breakdown: number
    readonly base: number
    readonly tax: number
    readonly total: number
    readonly withheld: number
  }
  readonly reasons: readonly ReasonCode[]
}

/** Texts on a document, and the tax treatments that they imply. The first two name the reason. */
const MENTIONS: readonly (readonly [RegExp, Treatment])[] = [
  [matcher('reverseCharge'), { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }],
  [
    /art(?:iculo|\.)?\s*(?:n\.?º?\s*)?20\b/,
    { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' },
  ],
  ...(
    [
      ['exempt', { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' }],
      ['notSubject', { tax_treatment_code: 'NON_TAXABLE' }],
    ] as const satisfies readonly (readonly [Field, Treatment])[]
  ).map(([field, treatment]) => [matcher(field), treatment] as const),
]

const untaxedIn = (plain: string): Treatment | undefined =>
  MENTIONS.find(([mention]) => mention.test(plain))?.[1]

const isTreatmentNamed = (plain: string): boolean =>
  MENTIONS.slice(0, 2).some(([mention]) => mention.test(plain))

const isSame = (a: Solution, b: Solution): boolean =>
  a.total === b.total &&
  a.withheld?.amount === b.withheld?.amount &&
  a.disbursements === b.disbursements &&
  a.advances === b.advances &&
  JSON.stringify(a.entries.toSorted((x, y) => x.rate - y.rate)) ===
    JSON.stringify(b.entries.toSorted((x, y) => x.rate - y.rate))

/** Whether no other printed amount has the same tax at this rate. For a very small tax, several amounts can. */
const isOnlyBase = (figures: readonly Figure[], { rate, base, tax }: Entry): boolean =>
  figures.every(({ value }) => value === base || percentOf(value, rate) !== tax)

/** Whether no other rate results in the same tax on the base. For a very small base, several rates can. */
const isOnly = (rates: readonly number[], rate: number, base: Minor, tax: Minor): boolean =>
  percentOf(base, rate) === tax &&
  rates.every((other) => (percentOf(base, other) === tax) === (other === rate))

/** Whether the amounts match to the cent and allow no other rate or base, so that a misreading is all but excluded. */
const isExact = ({ entries }: Solution, { rates: legal, figures }: AmountStatement): boolean =>
  // The breakdown must include every rate printed beside a tax, even if the tax is small.
  figures.every(
    ({ kind, rates }) =>
      kind !== 'tax' ||
      rates.every((rate) => !legal.includes(rate) || entries.some((entry) => entry.rate === rate)),
  ) &&
  entries.every((entry) => {
    const { rate, base, tax, surcharge } = entry
    return (
      (rate === 0 || (isOnly(legal, rate, base, tax) && isOnlyBase(figures, entry))) &&
      (surcharge === undefined || percentOf(base, surcharge.rate) === surcharge.amount)
    )
  })

/** Whether an amount is stated as the total or as the amount payable of the document. */
const isTotalStated = (best: Solution, { figures, code }: AmountStatement): boolean => {
  const explained = amountsExplainedBy(best)
  return code !== undefined || figures.some(({ isStated, value }) => isStated && explained.has(value))
}

/** Whether the amount payable is printed, and no other rate results in the same withholding. */
const isWithheldSure = ({ withheld, isPayable }: Solution, { legalWithholding }: AmountStatement): boolean =>
  isPayable && (!withheld || isOnly(legalWithholding, withheld.rate, withheld.base, withheld.amount))

/** Returns the scores of the amounts: `parts` for the breakdown, `total` for the total, and 0 for the withholding. */
const scoresOf = (parts: number, total: number): Amounts['scores'] => ({
  breakdown: parts,
  base: parts,
  tax: parts,
  total,
  withheld: 0,
})

/** Returns the solutions that differ from the best one but have about as much evidence. */
const alternativesOf = (best: Solution, all: readonly Solution[]): readonly Solution[] =>
  all.filter((one) => one.weight >= best.weight - 1 && !isSame(one, best))

/** Returns the score of amounts that agree and are not contradicted. */
function trustIn(
  best: Solution,
  { source }: DocumentCells,
  byCode: boolean,
  statement: AmountStatement,
): number {
  if (source === 'ocr' && !byCode) return TRUST.agreed
  // The untaxed base is a sum of several bases, which may have different treatments.
  const isAdded = best.entries.some(
    ({ rate, base }) => rate === 0 && statement.figures.every(({ value }) => value !== base),
  )
  if (isAdded) return TRUST.agreed
  if (isExact(best, statement) && isTotalStated(best, statement)) return TRUST.checked
  return source === 'text' ? TRUST.named : TRUST.agreed
}

/** Whether the document has a withholding that a solution does not have. */
const isWithheldUnread = ({ withheld }: Solution, { figures, withheldRates }: AmountStatement): boolean =>
  !withheld &&
  (withheldRates.length > 0 || figures.some(({ kind, value }) => kind === 'withheld' && value !== 0))

/** Returns the reasons why a person should check the amounts, although they agree. */
function reasonsAgainst(best: Solution, all: readonly Solution[], statement: AmountStatement): ReasonCode[] {
  const { code, figures } = statement
  const checks: readonly (readonly [boolean, ReasonCode])[] = [
    [alternativesOf(best, all).length > 0, 'amounts_unchecked'],
    [code !== undefined && code !== best.total, 'total_contradicted'],
    [unexplainedTotals(best, figures).length > 0, 'total_unexplained'],
    [isWithheldUnread(best, statement), 'withholding_unread'],
    [best.withheld?.isNamed === false, 'withholding_unnamed'],
    [best.derived !== undefined, 'amount_derived'],
    [best.entries.some(({ rate }) => rate === 0) && !isTreatmentNamed(statement.plain), 'treatment_guessed'],
  ]
  return checks.flatMap(([applies, reason]) => (applies ? [reason] : []))
}

/** Reasons that lower the score of all amounts. */
const DOUBTS: readonly ReasonCode[] = ['total_contradicted', 'total_unexplained', 'withholding_unread']

function agreedAmounts(
  best: Solution,
  all: readonly Solution[],
  sheet: DocumentCells,
  statement: AmountStatement,
): Amounts {
  const reasons = reasonsAgainst(best, all, statement)
  const isDoubted = reasons.some((one) => DOUBTS.includes(one))
  const byCode = statement.code === best.total && !isDoubted
  const checked = reasons.includes('amounts_unchecked')
    ? TRUST.found
    : trustIn(best, sheet, byCode, statement)
  const plain = isDoubted ? TRUST.doubted : checked
  const hasUntaxed = best.entries.some(({ rate }) => rate === 0)
  return {
    ...best,
    untaxed: hasUntaxed ? (untaxedIn(statement.plain) ?? EXEMPT) : undefined,
    scores: {
      ...scoresOf(plain, byCode ? TRUST.certain : plain),
      withheld: withheldTrust(best, statement, plain),
    },
    reasons,
  }
}

const EXEMPT: Treatment = { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' }

/** Returns the score of the withholding. The total excludes it, so only the amount payable can confirm it. */
function withheldTrust(best: Solution, statement: AmountStatement, plain: number): number {
  if (best.withheld?.isNamed === false) return Math.min(plain, TRUST.found)
  return isWithheldSure(best, statement) ? plain : Math.min(plain, TRUST.agreed)
}

/** Returns amounts of which some were calculated. Calculated amounts get the score of unconfirmed values. */
function derivedAmounts(one: Solution, statement: AmountStatement): Amounts {
  const reasons = reasonsAgainst(one, [], statement)
  const isDoubted = reasons.some((reason) => DOUBTS.includes(reason))
  const printed = isDoubted ? TRUST.doubted : TRUST.agreed
  const isDerived = (part: 'base' | 'tax') => one.derived === part || one.derived === 'both'
  const trust = (derived: boolean) => (derived ? Math.min(printed, TRUST.found) : printed)
  const isCode = statement.code === one.total && !isDoubted
  return {
    ...one,
    untaxed: undefined,
    scores: {
      ...scoresOf(Math.min(printed, TRUST.found), isCode ? TRUST.certain : trust(one.derived === 'total')),
      base: trust(isDerived('base')),
      tax: trust(isDerived('tax')),
    },
    reasons,
  }
}

const NO_EXTRAS: PayableAdjustments = { withheld: undefined, disbursements: 0, advances: 0 }

/** Returns the total of the QR, else the last stated or labelled total, and whether there is only one stated total. */
function totalIn({
  figures,
  code,
}: AmountStatement): { readonly total: Minor; readonly isOnly: boolean } | undefined {
  const ofKind = (kind: Figure['kind']) => figures.filter((one) => one.kind === kind)
  const stated = figures.filter(({ isStated }) => isStated)
  const last = [stated, ofKind('total'), ofKind('payable')].find(({ length }) => length > 0)?.at(-1)?.value
  const total = code ?? last
  return total === undefined
    ? undefined
    : { total, isOnly: new Set(stated.map(({ value }) => value)).size < 2 }
}

/** Returns the amounts of an invoice without tax, in which the total equals the base. */
function withoutTax(statement: AmountStatement): Amounts | undefined {
  const { figures, plain, code } = statement
  const untaxed = untaxedIn(plain)
  const read = totalIn(statement)
  if (!untaxed || !read) return undefined
  const { total, isOnly } = read
  // An amount labelled as tax shows that the invoice has tax.
  if (figures.some(({ kind, value }) => kind === 'tax' && value !== 0)) return undefined
  const isTwice = figures.some(({ kind, value }) => kind === 'base' && value === total)
  const score = !isOnly ? TRUST.doubted : isTwice ? TRUST.agreed : TRUST.found
  return {
    ...NO_EXTRAS,
    entries: [{ rate: 0, base: total, tax: 0 }],
    untaxed,
    total,
    scores: {
      ...scoresOf(isTwice ? score : Math.min(score, TRUST.found), code === undefined ? score : TRUST.certain),
    },
    reasons: [
      ...(isTreatmentNamed(plain) ? [] : (['treatment_guessed'] as const)),
      ...(isTwice ? [] : (['amounts_unchecked'] as const)),
      ...(isOnly ? [] : (['total_unexplained'] as const)),
    ],
  }
}

/** Returns the last printed base that is the total, or the total without the last printed tax. */
function baseOf({ figures, isOtherTax }: AmountStatement, total: Minor): Minor | undefined {
  const last = (kind: Figure['kind']) => figures.findLast((one) => one.kind === kind)?.value
  const base = last('base')
  return !isOtherTax && base !== undefined && [0, last('tax')].includes(total - base) ? base : undefined
}

/** Returns the labelled total, if no amounts agree with it. The breakdown stays empty. */
function unverifiedAmounts(statement: AmountStatement): Amounts | undefined {
  const { code, isOtherTax } = statement
  const read = totalIn(statement)
  if (!read) return undefined
  const { isOnly } = read
  const total = code ?? statedTotal(statement) ?? read.total
  const base = baseOf(statement, total)
  const unsure = base === undefined ? 0 : TRUST.found
  return {
    ...NO_EXTRAS,
    entries: [],
    untaxed: undefined,
    total,
    base,
    scores: {
      ...scoresOf(0, code === undefined ? (isOnly ? TRUST.found : TRUST.doubted) : TRUST.certain),
      base: unsure,
      tax: unsure,
    },
    reasons: [
      isOtherTax ? 'tax_not_available' : 'amounts_disagree',
      ...(isOnly ? [] : (['total_unexplained'] as const)),
    ],
  }
}

/** Whether a solution does not explain the stated total, and the document has no tax QR. */
function isMissed(one: Solution, statement: AmountStatement): boolean {
  const stated = statedTotal(statement)
  if (stated === undefined || statement.code !== undefined) return false
  return unexplainedTotals(one, statement.figures).some(({ value }) => value === stated)
}

/** Returns the amounts of a document. */
export function amountsOf(statement: AmountStatement, sheet: DocumentCells): Amounts | undefined {
  if (statement.isOtherTax) return unverifiedAmounts(statement)
  const all = solutionsOf(statement)
  const ofCode = all.filter(({ total }) => total === statement.code)
  const [best] = ofCode.length > 0 ? ofCode : all
  // The stated total has precedence over amounts that may agree by chance.
  if (best && !isMissed(best, statement))
    return agreedAmounts(best, ofCode.length > 0 ? ofCode : all, sheet, statement)
  const one = derivedSolution(statement)
  if (one && !isMissed(one, statement)) return derivedAmounts(one, statement)
  return withoutTax(statement) ?? unverifiedAmounts(statement)
}
