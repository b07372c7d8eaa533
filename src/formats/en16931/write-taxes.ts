/**
 * Maps treatments of json_1_1 to categories, and divides general discounts and surcharges among the categories, to the
 * cent.
 */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { isMarginKey } from '#core/invoice/terms.ts'
import { allocate, type Minor, percentOf, toMinor, toNumber } from '#core/money/index.ts'
import type { WritingReport } from '../model/index.ts'
import { nonTaxableName } from './element-names.ts'
import type { Category, DocumentAllowance, Line, Tax } from './en16931-model.ts'
import { keyOf } from './en16931-rules.ts'
import { exemptionOf, type TaxGroup } from './en16931-treatment.ts'
import type { CanonicalLine, CanonicalTax, InvoiceAmounts } from './en16931-view.ts'
import { CHARGE_CODE, DISCOUNT_CODE } from './read-en16931-lines.ts'

export interface TaxedCategory extends Category {
  readonly reasonCode?: string | undefined
  readonly reason?: string | undefined
}

type Taxed = Pick<
  CanonicalLine & CanonicalTax,
  'tax_treatment_code' | 'exemption_reason_code' | 'exemption_reason_text' | 'non_taxable_reason'
>

const REVERSE_CHARGE_TEXT = 'Inversión del sujeto pasivo'
const TAXED_CATEGORY: Readonly<Record<TaxGroup, string>> = { IVA: 'S', IGIC: 'L', IPSI: 'M' }

/** Returns the category of a line or of a breakdown entry. */
export function categoryOf(one: Taxed, rate: number | undefined, group: TaxGroup): TaxedCategory {
  switch (one.tax_treatment_code) {
    case 'TAXABLE_EXEMPT': {
      const { category, ...why } = exemptionOf(
        group,
        one.exemption_reason_code ?? '',
        one.exemption_reason_text,
      )
      return { category, rate: 0, ...why }
    }
    case 'TAXABLE_NON_EXEMPT_RC':
      return { category: 'AE', rate: 0, reasonCode: 'VATEX-EU-AE', reason: REVERSE_CHARGE_TEXT }
    case 'NON_TAXABLE':
      return { category: 'O', reasonCode: 'VATEX-EU-O', reason: nonTaxableName(one.non_taxable_reason) }
    default:
      // IVA of 0 % has its own category (BR-S-05).
      if (group === 'IVA' && (rate ?? 0) === 0) return { category: 'Z', rate: 0 }
      return { category: TAXED_CATEGORY[group], rate: rate ?? 0 }
  }
}

/** Returns the breakdown, one entry for each category and rate. Refuses different reasons in one category. */
export function taxesOf(view: InvoiceAmounts, group: TaxGroup, report: WritingReport): Tax[] {
  const found = new Map<string, { category: TaxedCategory; base: Minor; tax: Minor }>()
  view.taxes.forEach((entry, index) => {
    const category = categoryOf(entry, entry.tax_rate, group)
    const key = keyOf(category)
    const known = found.get(key) ?? { category, base: 0, tax: 0 }
    if (known.category.reasonCode !== category.reasonCode || known.category.reason !== category.reason)
      report.refuse('several_exemption_reasons', `/invoice/taxes_outputs/${index}/exemption_reason_code`, {
        received: [known.category.reason, category.reason].join(' / '),
      })
    known.base += toMinor(entry.taxable_base)
    known.tax += toMinor(entry.tax_amount)
    found.set(key, known)
  })
  if (found.has('O') && found.size > 1) report.refuse('not_subject_mixed', '/invoice/taxes_outputs')
  return [...found.values()].map(({ category, base, tax }) => ({
    ...category,
    base: toNumber(base),
    tax: toNumber(tax),
    at: '',
  }))
}

interface Adjustment {
  readonly isCharge: boolean
  readonly reason: string | undefined
  readonly percent: number | undefined
  readonly amount: Minor
}

function adjustmentsOf({ totals }: InvoiceAmounts): Adjustment[] {
  const gross = toMinor(totals.total_gross_amount ?? 0)
  const made = (
    isCharge: boolean,
    reason: string | undefined,
    percent: number | undefined,
    amount: number | undefined,
  ) => ({
    isCharge,
    reason,
    percent,
    amount: amount === undefined ? percentOf(gross, percent ?? 0) : toMinor(amount),
  })
  const { general_discounts: discounts = [], general_surcharges: surcharges = [] } = totals
  const listed = [
    ...discounts.map((one) => made(false, one.discount_reason, one.discount_rate, one.discount_amount)),
    ...surcharges.map((one) => made(true, one.charge_reason, one.charge_rate, one.charge_amount)),
  ]
  // A total without its list is treated as one discount or one surcharge.
  const { total_general_discounts: discount = 0, total_general_surcharges: surcharge = 0 } = totals
  if (discounts.length === 0 && discount !== 0) listed.push(made(false, undefined, undefined, discount))
  if (surcharges.length === 0 && surcharge !== 0) listed.push(made(true, undefined, undefined, surcharge))
  return listed.filter(({ amount }) => amount !== 0)
}

const side = ({ isCharge }: Adjustment, amount: Minor): Minor => (isCharge ? amount : 0 - amount)

/**
 * Returns general discounts and surcharges as allowances and charges, each divided among the categories in proportion
 * to their lines. The parts of each category add up to the difference between its base and its lines. Remaining cents
 * are added to the largest adjustment.
 */
export function allowancesOf(
  view: InvoiceAmounts,
  lines: readonly Line[],
  taxes: readonly Tax[],
): DocumentAllowance[] {
  const adjustments = adjustmentsOf(view)
  if (adjustments.length === 0) return []
  const groups = new Map<string, { category: Category; gross: Minor; rest: Minor }>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key) ?? { category: line, gross: 0, rest: 0 }
    group.gross += toMinor(line.net)
    groups.set(key, group)
  }
  const list = [...groups.values()]
  for (const group of list) group.rest = 0 - group.gross
  for (const tax of taxes) {
    const group = groups.get(keyOf(tax))
    if (group) group.rest += toMinor(tax.base)
  }
  const weights = list.map(({ gross }) => gross)
  const prefer = (a: number, b: number): number =>
    (required(list[b]).category.rate ?? 0) - (required(list[a]).category.rate ?? 0)
  const parts = adjustments.map(({ amount }) => allocate(amount, weights, prefer))
  settleRemainders(adjustments, parts, list)
  return adjustments.flatMap((adjustment, at) =>
    list.flatMap(({ category, gross }, index) => {
      const amount = required(required(parts[at])[index])
      if (amount === 0) return []
      const { isCharge, percent } = adjustment
      // A reason or a code is required (BR-33, BR-38).
      const reason = adjustment.reason
      const reasonCode = reason === undefined ? (isCharge ? CHARGE_CODE : DISCOUNT_CODE) : undefined
      const rate = percent === undefined ? {} : { percent, base: toNumber(gross) }
      const { category: code, rate: taxRate } = category
      return {
        isCharge,
        amount: toNumber(amount),
        reason,
        reasonCode,
        ...rate,
        category: code,
        rate: taxRate,
        at: '',
      }
    }),
  )
}

/** Moves single cents so that the parts of each category match its base. */
function settleRemainders(
  adjustments: readonly Adjustment[],
  parts: Minor[][],
  list: readonly { readonly rest: Minor }[],
): void {
  const largest = adjustments.reduce(
    (best, one, at) => (Math.abs(one.amount) > Math.abs(required(adjustments[best]).amount) ? at : best),
    0,
  )
  const differences = list.map(({ rest }, index) => {
    let given = 0
    adjustments.forEach((adjustment, at) => {
      given += side(adjustment, required(required(parts[at])[index]))
    })
    return rest - given
  })
  // If the differences do not add up to 0, the client sent other bases, so nothing is changed.
  if (differences.reduce((sum, one) => sum + one, 0) !== 0) return
  differences.forEach((difference, index) => {
    required(parts[largest])[index]! += side(required(adjustments[largest]), difference)
  })
}

/**
 * Refuses amounts that no category can express: foreign tax, withholding, equivalence surcharge, margin scheme,
 * disbursements.
 */
export function refuseTaxes({ invoice }: CanonicalInvoice, report: WritingReport): void {
  const { lines, taxes_outputs: taxes = [], taxes_withheld: withheld = [], totals } = invoice
  // An amount may be zero in euros, but not in the original currency.
  const has = (member: keyof NonNullable<typeof totals.invoice_currency>): boolean =>
    Boolean(totals[member] || totals.invoice_currency?.[member])
  const isForeign = (one: CanonicalLine | CanonicalTax): boolean =>
    one.consumption_country_code !== undefined || one.consumption_tax_rate !== undefined
  const foreign = lines.findIndex(isForeign)
  if (foreign >= 0) report.refuse('one_stop_shop', `/invoice/lines/${foreign}/consumption_tax_rate`)
  else if (has('total_consumption_taxes'))
    report.refuse('one_stop_shop', '/invoice/totals/total_consumption_taxes')
  if (withheld.some(({ tax_amount: amount }) => amount !== 0) || has('total_taxes_withheld'))
    report.refuse('withholding', '/invoice/taxes_withheld')
  taxes.forEach((tax, index) => {
    const own = tax.invoice_currency?.equivalence_surcharge_amount
    if (tax.equivalence_surcharge || tax.equivalence_surcharge_amount || own)
      report.refuse('equivalence_surcharge', `/invoice/taxes_outputs/${index}/equivalence_surcharge`)
  })
  const margin = lines.findIndex(
    (line) => line.purchase_price_incl !== undefined || isMarginKey(line.tax_regime_key),
  )
  const shown = lines[margin]?.purchase_price_incl === undefined ? 'tax_regime_key' : 'purchase_price_incl'
  if (margin >= 0) report.refuse('margin_scheme', `/invoice/lines/${margin}/${shown}`)
  if (has('total_reimbursable_expenses'))
    report.refuse('reimbursable_expenses', '/invoice/totals/reimbursable_expenses')
}
