/**
 * The reference calculation: a second, independent implementation of `design/calculation.md` (sections 2 to
 * 6 and 9), in exact rational arithmetic and without any care for speed. A differential test compares the
 * engine with it. It shares no code with the engine, and must not.
 *
 * What it takes: a canonical `json_1_1` document that is already normalised as far as meaning goes, that is,
 * every line has its final `tax_treatment_code`, `tax_regime_key` and reason codes. What it leaves alone:
 * validation, comparison with the amounts sent (all are recalculated), and `taxes_outputs` entries that split
 * one computed group in several (section 4), for which it throws.
 */
import { required } from '../../src/errors/index.ts'
import {
  abs,
  add,
  compare,
  div,
  fromNumber,
  HUNDRED,
  isZero,
  largestRemainder,
  max,
  mul,
  negate,
  type Rational,
  rational,
  round,
  sign,
  sub,
  sum,
  toNumber,
  toText,
  ZERO,
} from './rational.ts'

// ---------------------------------------------------------------------------------------------- documents

export type Treatment = 'TAXABLE_NON_EXEMPT' | 'TAXABLE_EXEMPT' | 'TAXABLE_NON_EXEMPT_RC' | 'NON_TAXABLE'

export interface ReferenceLine {
  item_description: string
  quantity: number
  unit_price_without_tax?: number
  unit_price_with_tax?: number
  discount_rate?: number
  discount_amount?: number
  charge_rate?: number
  charge_amount?: number
  tax_output_rate?: number
  tax_withheld_rate?: number
  tax_treatment_code: Treatment
  reverse_charge?: boolean
  exemption_reason_code?: string
  non_taxable_reason?: string
  tax_regime_key: string
  consumption_country_code?: string
  consumption_tax_rate?: number
  consumption_rate_type?: string
  supply_type?: string
  purchase_price_incl?: number
  [other: string]: unknown
}

export interface ReferenceTaxOutput {
  tax_rate: number
  taxable_base: number
  tax_amount: number
  tax_treatment_code?: Treatment
  exemption_reason_code?: string
  non_taxable_reason?: string
  tax_regime_key?: string
  equivalence_surcharge?: number
  equivalence_surcharge_amount?: number
  consumption_country_code?: string
  consumption_tax_rate?: number
  consumption_tax_amount?: number
  consumption_rate_type?: string
  supply_type?: string
}

export interface ReferenceTotalsInput {
  total_gross_amount_before_taxes: number
  total_tax_outputs: number
  invoice_total: number
  general_discounts?: { discount_reason?: string; discount_rate?: number; discount_amount?: number }[]
  general_surcharges?: { charge_reason?: string; charge_rate?: number; charge_amount?: number }[]
  payments_on_account?: {
    payment_on_account_date: string
    payment_on_account_amount: number
    description?: string
  }[]
  reimbursable_expenses?: { reimbursable_expenses_amount: number; [other: string]: unknown }[]
  rounding_amount?: number
}

export interface ReferenceDocument {
  schema_version: 'json_1_1'
  meta: { direction: 'issued' | 'received'; source_system: string; [other: string]: unknown }
  invoice: {
    supplier: Record<string, unknown>
    customer?: Record<string, unknown>
    header: Record<string, unknown>
    issue_data: Record<string, unknown>
    lines: ReferenceLine[]
    taxes_outputs?: ReferenceTaxOutput[]
    totals: ReferenceTotalsInput
    [other: string]: unknown
  }
}

/** What is enough to calculate: the parts of a document that the figures depend on. */
export interface ReferenceCalculable {
  invoice: {
    lines: ReferenceLine[]
    taxes_outputs?: ReferenceTaxOutput[]
    totals?: Partial<ReferenceTotalsInput>
  }
}

export interface ReferenceOptions {
  /** Accepted for symmetry with the engine; no computed amount depends on it. */
  operation?: 'draft' | 'issue' | 'import' | 'received'
  /** Minor units of the currency: 2 for the euro, something else in `invoice_currency` blocks (section 2). */
  decimals?: number
}

// ------------------------------------------------------------------------------------------------ results

export interface ReferenceLineResult {
  /** Only where the line names a discount (charge). */
  discount_amount?: number
  charge_amount?: number
  total_cost_without_tax: number
  gross_amount_without_tax: number
  total_cost_with_tax: number
  gross_amount_with_tax: number
  tax_output_base: number
  tax_output_amount: number
  /** Only where the line names a withholding rate. */
  tax_withheld_base?: number
  tax_withheld_amount?: number
  /** Only on one-stop-shop lines. */
  consumption_tax_amount?: number
}

export interface ReferenceTaxWithheld {
  tax_rate: number
  taxable_base: number
  tax_amount: number
}

export interface ReferenceTotals {
  total_gross_amount: number
  total_general_discounts: number
  total_general_surcharges: number
  total_gross_amount_before_taxes: number
  total_tax_outputs: number
  total_taxes_withheld: number
  total_consumption_taxes: number
  invoice_total: number
  total_payments_on_account: number
  total_reimbursable_expenses: number
  total_executable_amount: number
  total_non_taxable_amount: number
  /** These three only where the document has them; each entry with its amount in full. */
  general_discounts?: NonNullable<ReferenceTotalsInput['general_discounts']>
  general_surcharges?: NonNullable<ReferenceTotalsInput['general_surcharges']>
  rounding_amount?: number
}

export interface ReferenceResult {
  lines: ReferenceLineResult[]
  taxes_outputs: (ReferenceTaxOutput & { tax_treatment_code: Treatment; tax_regime_key: string })[]
  taxes_withheld: ReferenceTaxWithheld[]
  totals: ReferenceTotals
}

// --------------------------------------------------------------------------------------- working records

/** A line while it is being worked on: what was sent, as exact numbers, and what has been found so far. */
interface Line {
  sent: ReferenceLine
  position: number
  withholdingRate: Rational // 0 where the line names none
  discount: Rational
  charge: Rational
  totalWithout: Rational
  grossWithout: Rational
  totalWith: Rational
  grossWith: Rational
  base: Rational
  tax: Rational
  consumptionTax: Rational
  share: Rational // of the document discounts and surcharges
}

interface Group {
  sent: ReferenceLine // the first line: all of them agree on every member of the key
  key: string
  rate: Rational
  consumptionRate: Rational | undefined
  lines: Line[]
  gross: Rational
  share: Rational
  base: Rational
  tax: Rational
  consumptionTax: Rational
  surchargeRate: Rational | undefined
  surcharge: Rational
}

/** `amount x rate / 100`, exact. */
const percent = (amount: Rational, rate: Rational): Rational => div(mul(amount, rate), HUNDRED)
/** Returns a price without the tax in it: `price x 100 / (100 + rate)`, exact. */
const withoutTax = (price: Rational, rate: Rational): Rational => div(mul(price, HUNDRED), add(HUNDRED, rate))
const withSign = (of: Rational, amount: Rational): Rational => mul(rational(sign(of)), amount)

/** Section 2: prices, quantities and rates keep up to 8 decimals. */
const quantityOf = (value: number): Rational => round(fromNumber(value), 8)

// ----------------------------------------------------------------------------------------------- the keys

/** Section 6: exempt, non-taxable and reverse-charge lines carry tax 0 whatever rate they name. */
function effectiveRate(line: ReferenceLine): Rational {
  return line.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? quantityOf(line.tax_output_rate ?? 0) : ZERO
}

/** "For what is not taxed the exemption or non-taxable reason" (section 4). */
function reasonOf(line: {
  tax_treatment_code?: Treatment
  exemption_reason_code?: string
  non_taxable_reason?: string
}): string {
  if (line.tax_treatment_code === 'TAXABLE_EXEMPT') return line.exemption_reason_code ?? ''
  if (line.tax_treatment_code === 'NON_TAXABLE') return line.non_taxable_reason ?? ''
  return ''
}

/** Section 4, group key. */
function groupKey(line: ReferenceLine): string {
  return [
    line.tax_treatment_code,
    toText(effectiveRate(line)),
    line.tax_regime_key,
    reasonOf(line),
    line.consumption_country_code ?? '',
    line.consumption_tax_rate === undefined ? '' : toText(quantityOf(line.consumption_tax_rate)),
    line.consumption_rate_type ?? '',
    line.supply_type ?? '',
  ].join('|')
}

function compareCodePoints(a: string, b: string): number {
  const left = Array.from(a, (character) => required(character.codePointAt(0)))
  const right = Array.from(b, (character) => required(character.codePointAt(0)))
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return required(left[i]) - required(right[i])
  }
  return left.length - right.length
}

/** Section 3, margin scheme: the lines of which only the margin carries tax. */
function isMarginLine(line: ReferenceLine): boolean {
  return (
    (line.tax_regime_key === '03' || line.tax_regime_key === '05') &&
    line.purchase_price_incl !== undefined &&
    line.tax_treatment_code === 'TAXABLE_NON_EXEMPT'
  )
}

// -------------------------------------------------------------------------------------------- allocations

/** First the larger weight, then what the caller says, then the position (which `largestRemainder` adds). */
type TieBreak = (a: number, b: number) => number

/**
 * Spreads a total over parts in proportion to their weights (section 4). Symmetrical in the sign: the total
 * and the weights are turned positive first. Weights that add up to nothing count by their size; if all of
 * them are nothing, the first in the order of ties takes everything.
 */
function spread(
  total: Rational,
  weights: readonly Rational[],
  decimals: number,
  after: TieBreak,
): Rational[] {
  if (sign(total) < 0) return spread(negate(total), weights, decimals, after).map(negate)
  let used = weights
  if (sign(sum(used)) < 0) used = used.map(negate)
  if (isZero(sum(used))) used = used.map(abs)
  const all = sum(used)
  const tie: TieBreak = (a, b) => compare(required(used[b]), required(used[a])) || after(a, b)
  if (isZero(all)) {
    const first = used.map((_, i) => i).sort((a, b) => tie(a, b) || a - b)[0]
    return used.map((_, i) => (i === first ? total : ZERO))
  }
  const ideals = used.map((weight) => div(mul(total, weight), all))
  return largestRemainder(total, ideals, decimals, tie)
}

/** Rounds the parts of a rounded total so that they add up to it (section 3); symmetrical in the sign. */
function spreadOnIdeals(
  total: Rational,
  ideals: readonly Rational[],
  decimals: number,
  after: TieBreak,
): Rational[] {
  if (sign(total) < 0) return spreadOnIdeals(negate(total), ideals.map(negate), decimals, after).map(negate)
  return largestRemainder(
    total,
    ideals,
    decimals,
    (a, b) => compare(required(ideals[b]), required(ideals[a])) || after(a, b),
  )
}

// -------------------------------------------------------------------------------------------- calculation

export function referenceCalculate(
  document: ReferenceCalculable,
  options: ReferenceOptions = {},
): ReferenceResult {
  const decimals = options.decimals ?? 2
  const { lines: sentLines, taxes_outputs: sentOutputs = [], totals: sentTotals = {} } = document.invoice
  const cents = (value: Rational): Rational => round(value, decimals)
  /** Section 2: an amount that was sent is rounded to the cent. */
  const amountOf = (value: number): Rational => cents(fromNumber(value))
  /** "The amount sent, else the rate applied, else nothing" (sections 3 and 4). */
  const adjustment = (amount: number | undefined, rate: number | undefined, on: Rational): Rational =>
    amount !== undefined ? amountOf(amount) : rate !== undefined ? cents(percent(on, quantityOf(rate))) : ZERO

  const withTax = sentLines.some((line) => line.unit_price_with_tax !== undefined)

  // Section 3: the line by itself. In the price-with-tax mode the base waits for the group.
  const lines = sentLines.map((sent, position): Line => {
    const price = withTax ? sent.unit_price_with_tax : sent.unit_price_without_tax
    if (price === undefined) throw new Error(`line ${position} has no price in the mode of the invoice`)
    const total = cents(mul(quantityOf(sent.quantity), quantityOf(price)))
    const line: Line = {
      sent,
      position,
      withholdingRate: quantityOf(sent.tax_withheld_rate ?? 0),
      discount: ZERO,
      charge: ZERO,
      totalWithout: ZERO,
      grossWithout: ZERO,
      totalWith: ZERO,
      grossWith: ZERO,
      base: ZERO,
      tax: ZERO,
      consumptionTax: ZERO,
      share: ZERO,
    }
    if (withTax) {
      line.totalWith = total
      line.grossWith = total
      return line
    }
    line.totalWithout = total
    line.discount = adjustment(sent.discount_amount, sent.discount_rate, total)
    line.charge = adjustment(sent.charge_amount, sent.charge_rate, total)
    line.grossWithout = add(sub(total, line.discount), line.charge)

    const rate = effectiveRate(sent)
    const consumptionRate = quantityOf(sent.consumption_tax_rate ?? 0)
    // Margin scheme: a price without tax less the purchase price is the base; never below 0.
    const baseOf = (amount: Rational): Rational =>
      isMarginLine(sent)
        ? withSign(amount, max(ZERO, sub(abs(amount), amountOf(required(sent.purchase_price_incl)))))
        : amount
    line.base = baseOf(line.grossWithout)
    line.tax = cents(percent(line.base, rate))
    line.consumptionTax = cents(percent(line.base, consumptionRate))
    line.grossWith = sum([line.grossWithout, line.tax, line.consumptionTax])
    // The same on the cost before discount and charge: equal to the gross amount where there is neither.
    line.totalWith = sum([
      total,
      cents(percent(baseOf(total), rate)),
      cents(percent(baseOf(total), consumptionRate)),
    ])
    return line
  })

  // Section 4: groups in order of first appearance.
  const groups: Group[] = []
  for (const line of lines) {
    const key = groupKey(line.sent)
    let group = groups.find((candidate) => candidate.key === key)
    if (group === undefined) {
      group = {
        sent: line.sent,
        key,
        rate: effectiveRate(line.sent),
        consumptionRate:
          line.sent.consumption_tax_rate === undefined
            ? undefined
            : quantityOf(line.sent.consumption_tax_rate),
        lines: [],
        gross: ZERO,
        share: ZERO,
        base: ZERO,
        tax: ZERO,
        consumptionTax: ZERO,
        surchargeRate: undefined,
        surcharge: ZERO,
      }
      groups.push(group)
    }
    group.lines.push(line)
  }

  for (const group of groups) {
    const members = group.lines
    const hasMargin = members.some((line) => isMarginLine(line.sent))
    const higherWithholding: TieBreak = (a, b) =>
      compare(required(members[b]).withholdingRate, required(members[a]).withholdingRate)

    if (withTax && hasMargin) {
      // Section 3, margin scheme, price with tax: the price stays, the tax is found on the margin.
      for (const line of members) {
        const margin = isMarginLine(line.sent)
          ? max(ZERO, sub(abs(line.grossWith), amountOf(required(line.sent.purchase_price_incl))))
          : abs(line.grossWith)
        line.base = withSign(line.grossWith, cents(withoutTax(margin, group.rate)))
      }
      group.base = sum(members.map((line) => line.base))
      group.tax = cents(percent(group.base, group.rate))
      const ideals = members.map((line) => percent(line.base, group.rate))
      const taxes = spreadOnIdeals(group.tax, ideals, decimals, higherWithholding)
      members.forEach((line, i) => {
        line.tax = required(taxes[i])
        line.grossWithout = sub(line.grossWith, line.tax)
        line.totalWithout = line.grossWithout
      })
    } else if (withTax) {
      // Section 3, price with tax: the base of the group first, then spread over its lines.
      const containedRate = group.consumptionRate ?? group.rate
      const charged = sum(members.map((line) => line.grossWith))
      group.base = cents(withoutTax(charged, containedRate))
      const ideals = members.map((line) => withoutTax(line.grossWith, containedRate))
      const bases = spreadOnIdeals(group.base, ideals, decimals, higherWithholding)
      members.forEach((line, i) => {
        line.base = required(bases[i])
        line.grossWithout = line.base
        line.totalWithout = line.base
        const contained = sub(line.grossWith, line.base)
        if (group.consumptionRate === undefined) line.tax = contained
        else line.consumptionTax = contained
      })
      const contained = sub(charged, group.base)
      if (group.consumptionRate === undefined) group.tax = contained
      else group.consumptionTax = contained
    } else {
      // Price without tax (margin lines included): the line bases add up; the tax once per group.
      group.base = sum(members.map((line) => line.base))
      group.tax = cents(percent(group.base, group.rate))
      group.consumptionTax = cents(percent(group.base, group.consumptionRate ?? ZERO))
    }
    group.gross = sum(members.map((line) => line.grossWithout))
  }

  // Section 4: document discounts and surcharges. Each rounded by itself, all rates on the same sum.
  const totalGross = sum(lines.map((line) => line.grossWithout))
  const discounts = (sentTotals.general_discounts ?? []).map((entry) =>
    adjustment(entry.discount_amount, entry.discount_rate, totalGross),
  )
  const surcharges = (sentTotals.general_surcharges ?? []).map((entry) =>
    adjustment(entry.charge_amount, entry.charge_rate, totalGross),
  )
  const totalDiscounts = sum(discounts)
  const totalSurcharges = sum(surcharges)

  const shares = spread(
    sub(totalSurcharges, totalDiscounts),
    groups.map((group) => group.gross),
    decimals,
    (a, b) =>
      compare(required(groups[b]).rate, required(groups[a]).rate) ||
      compareCodePoints(required(groups[a]).key, required(groups[b]).key),
  )
  groups.forEach((group, i) => {
    group.share = required(shares[i])
    if (!isZero(group.share)) {
      const adjusted = add(group.base, group.share)
      // A margin base never crosses zero; one that is 0 already keeps to the side of what was charged.
      const side = sign(group.base) || sign(group.gross)
      const hasMargin = group.lines.some((line) => isMarginLine(line.sent))
      group.base = hasMargin && side !== 0 && sign(adjusted) === -side ? ZERO : adjusted
      group.tax = cents(percent(group.base, group.rate))
      group.consumptionTax = cents(percent(group.base, group.consumptionRate ?? ZERO))
    }

    // Section 3, withholding: the share of the group over its lines.
    const members = group.lines
    const lineShares = spread(
      group.share,
      members.map((line) => line.grossWithout),
      decimals,
      (a, b) => compare(required(members[b]).withholdingRate, required(members[a]).withholdingRate),
    )
    members.forEach((line, j) => {
      line.share = required(lineShares[j])
    })
  })

  // Section 4: equivalence surcharge, only where the client sends it.
  const taken = new Set<Group>()
  for (const entry of sentOutputs) {
    const group = groups.find((candidate) => isEntryOf(entry, candidate))
    if (group === undefined) throw new Error('a taxes_outputs entry equals no computed group')
    if (taken.has(group)) throw new Error('entries that split a group are not covered by the reference')
    taken.add(group)
    if (entry.equivalence_surcharge === undefined) continue
    group.surchargeRate = quantityOf(entry.equivalence_surcharge)
    group.surcharge = adjustment(entry.equivalence_surcharge_amount, entry.equivalence_surcharge, group.base)
  }

  // Section 3: withheld breakdown by rate, in order of first appearance.
  const withheldBase = (line: Line): Rational => add(line.grossWithout, line.share)
  const withheldGroups: { rate: Rational; base: Rational }[] = []
  for (const line of lines) {
    if (line.sent.tax_withheld_rate === undefined) continue
    const found = withheldGroups.find((group) => compare(group.rate, line.withholdingRate) === 0)
    if (found === undefined) withheldGroups.push({ rate: line.withholdingRate, base: withheldBase(line) })
    else found.base = add(found.base, withheldBase(line))
  }
  const withheld = withheldGroups.map((group) => ({
    ...group,
    amount: cents(percent(group.base, group.rate)),
  }))

  // Section 5.
  const beforeTaxes = add(sub(totalGross, totalDiscounts), totalSurcharges)
  const totalTax = sum(groups.map((group) => add(group.tax, group.surcharge)))
  const totalConsumption = sum(groups.map((group) => group.consumptionTax))
  const totalWithheld = sum(withheld.map((group) => group.amount))
  const invoiceTotal = sum([beforeTaxes, totalTax, totalConsumption])
  const onAccount = sum(
    (sentTotals.payments_on_account ?? []).map((entry) => amountOf(entry.payment_on_account_amount)),
  )
  const expenses = sum(
    (sentTotals.reimbursable_expenses ?? []).map((entry) => amountOf(entry.reimbursable_expenses_amount)),
  )
  const rounding = amountOf(sentTotals.rounding_amount ?? 0)
  const executable = sum([invoiceTotal, negate(totalWithheld), negate(onAccount), expenses, rounding])
  const nonTaxable = sum(
    groups.filter((group) => group.sent.tax_treatment_code === 'NON_TAXABLE').map((group) => group.base),
  )

  return {
    lines: lines.map((line): ReferenceLineResult => {
      const { sent } = line
      const hasDiscount = sent.discount_amount !== undefined || sent.discount_rate !== undefined
      const hasCharge = sent.charge_amount !== undefined || sent.charge_rate !== undefined
      return {
        ...(hasDiscount ? { discount_amount: toNumber(line.discount) } : {}),
        ...(hasCharge ? { charge_amount: toNumber(line.charge) } : {}),
        total_cost_without_tax: toNumber(line.totalWithout),
        gross_amount_without_tax: toNumber(line.grossWithout),
        total_cost_with_tax: toNumber(line.totalWith),
        gross_amount_with_tax: toNumber(line.grossWith),
        tax_output_base: toNumber(line.base),
        tax_output_amount: toNumber(line.tax),
        ...(sent.tax_withheld_rate !== undefined
          ? {
              tax_withheld_base: toNumber(withheldBase(line)),
              tax_withheld_amount: toNumber(cents(percent(withheldBase(line), line.withholdingRate))),
            }
          : {}),
        ...(sent.consumption_tax_rate !== undefined
          ? { consumption_tax_amount: toNumber(line.consumptionTax) }
          : {}),
      }
    }),
    taxes_outputs: groups.map((group) => {
      const { sent } = group
      const reason = reasonOf(sent)
      return {
        tax_treatment_code: sent.tax_treatment_code,
        ...(sent.tax_treatment_code === 'TAXABLE_EXEMPT' && reason !== ''
          ? { exemption_reason_code: reason }
          : {}),
        ...(sent.tax_treatment_code === 'NON_TAXABLE' && reason !== '' ? { non_taxable_reason: reason } : {}),
        tax_regime_key: sent.tax_regime_key,
        tax_rate: toNumber(group.rate),
        taxable_base: toNumber(group.base),
        tax_amount: toNumber(group.tax),
        ...(group.surchargeRate !== undefined
          ? {
              equivalence_surcharge: toNumber(group.surchargeRate),
              equivalence_surcharge_amount: toNumber(group.surcharge),
            }
          : {}),
        ...(sent.consumption_country_code !== undefined
          ? { consumption_country_code: sent.consumption_country_code }
          : {}),
        ...(group.consumptionRate !== undefined
          ? {
              consumption_tax_rate: toNumber(group.consumptionRate),
              consumption_tax_amount: toNumber(group.consumptionTax),
            }
          : {}),
        ...(sent.consumption_rate_type !== undefined
          ? { consumption_rate_type: sent.consumption_rate_type }
          : {}),
        ...(sent.supply_type !== undefined ? { supply_type: sent.supply_type } : {}),
      }
    }),
    taxes_withheld: withheld.map((group) => ({
      tax_rate: toNumber(group.rate),
      taxable_base: toNumber(group.base),
      tax_amount: toNumber(group.amount),
    })),
    totals: {
      total_gross_amount: toNumber(totalGross),
      ...(sentTotals.general_discounts !== undefined
        ? {
            general_discounts: sentTotals.general_discounts.map((entry, i) => ({
              ...entry,
              discount_amount: toNumber(required(discounts[i])),
            })),
          }
        : {}),
      ...(sentTotals.general_surcharges !== undefined
        ? {
            general_surcharges: sentTotals.general_surcharges.map((entry, i) => ({
              ...entry,
              charge_amount: toNumber(required(surcharges[i])),
            })),
          }
        : {}),
      total_general_discounts: toNumber(totalDiscounts),
      total_general_surcharges: toNumber(totalSurcharges),
      total_gross_amount_before_taxes: toNumber(beforeTaxes),
      total_tax_outputs: toNumber(totalTax),
      total_taxes_withheld: toNumber(totalWithheld),
      total_consumption_taxes: toNumber(totalConsumption),
      invoice_total: toNumber(invoiceTotal),
      total_payments_on_account: toNumber(onAccount),
      total_reimbursable_expenses: toNumber(expenses),
      ...(sentTotals.rounding_amount !== undefined ? { rounding_amount: toNumber(rounding) } : {}),
      total_executable_amount: toNumber(executable),
      total_non_taxable_amount: toNumber(nonTaxable),
    },
  }
}

/** A sent entry belongs to a group when it contradicts none of the members of its key. */
function isEntryOf(entry: ReferenceTaxOutput, group: Group): boolean {
  const same = (sent: unknown, computed: unknown): boolean => sent === undefined || sent === computed
  return (
    compare(quantityOf(entry.tax_rate), group.rate) === 0 &&
    same(entry.tax_treatment_code, group.sent.tax_treatment_code) &&
    same(entry.tax_regime_key, group.sent.tax_regime_key) &&
    same(entry.exemption_reason_code, group.sent.exemption_reason_code) &&
    same(entry.non_taxable_reason, group.sent.non_taxable_reason) &&
    same(entry.consumption_country_code, group.sent.consumption_country_code) &&
    same(entry.consumption_tax_rate, group.sent.consumption_tax_rate) &&
    same(entry.consumption_rate_type, group.sent.consumption_rate_type) &&
    same(entry.supply_type, group.sent.supply_type)
  )
}
