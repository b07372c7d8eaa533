/**
 * Maps the tax breakdown. Maps document-level allowances and charges to general discounts and surcharges, or if that is
 * not possible, to lines.
 */
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoiceInput, taxKeyText } from '#core/invoice/index.ts'
import { allocate, type Minor, percentOf, toMinor, toNumber } from '#core/money/index.ts'
import type { DocumentAllowance, EnInvoice, Tax } from './en16931-model.ts'
import type { Treatment } from './en16931-treatment.ts'
import {
  allowanceLine,
  CHARGE_CODE,
  DISCOUNT_CODE,
  type LineContext,
  type LineInput,
} from './read-en16931-lines.ts'
import { withoutUndefined } from './tree.ts'

type Invoice = CanonicalInvoiceInput['invoice']
type TaxOutput = NonNullable<Invoice['taxes_outputs']>[number]
type Totals = Invoice['totals']

/** Returns the key of the engine's tax group for a treatment and regime key. */
const groupOf = (treatment: Treatment, regimeKey: string | undefined): string =>
  taxKeyText({
    treatment: treatment.tax_treatment_code,
    rate: treatment.tax_output_rate ?? 0,
    regimeKey: regimeKey ?? '01',
    reason: treatment.exemption_reason_code ?? treatment.non_taxable_reason,
    consumptionCountry: undefined,
    consumptionRate: undefined,
    consumptionRateType: undefined,
    supplyType: undefined,
  })

/** Returns the stated breakdown, one entry for each tax group of the engine. */
export function taxOutputsOf(
  taxes: readonly Tax[],
  treatmentOf: (tax: Tax) => Treatment,
  { sign, keyOf }: LineContext,
): TaxOutput[] {
  const found = new Map<string, { treatment: Treatment; base: Minor; tax: Minor }>()
  for (const tax of taxes) {
    const treatment = treatmentOf(tax)
    const key = groupOf(treatment, keyOf(treatment))
    const entry = found.get(key) ?? { treatment, base: 0, tax: 0 }
    entry.base += toMinor(tax.base)
    entry.tax += toMinor(tax.tax)
    found.set(key, entry)
  }
  return [...found.values()].map(({ treatment: { tax_output_rate, ...treatment }, base, tax }) =>
    withoutUndefined({
      tax_rate: tax_output_rate ?? 0,
      taxable_base: toNumber(sign * base),
      tax_amount: toNumber(sign * tax),
      ...treatment,
      tax_regime_key: keyOf(treatment),
    }),
  )
}

interface Group {
  readonly key: string
  readonly rate: number
  gross: Minor
  adjustment: Minor
  lines: number
}

/** Returns the tax groups of the engine, each with the sums of its lines and of its allowances and charges. */
function groupsOf(invoice: EnInvoice, context: LineContext): Group[] {
  const found = new Map<string, Group>()
  const add = (one: EnInvoice['lines'][number] | DocumentAllowance): Group => {
    const treatment = context.treatmentOf(one)
    const key = groupOf(treatment, context.keyOf(treatment))
    const known = found.get(key)
    if (known) return known
    const group = { key, rate: treatment.tax_output_rate ?? 0, gross: 0, adjustment: 0, lines: 0 }
    found.set(key, group)
    return group
  }
  for (const line of invoice.lines) {
    const group = add(line)
    group.gross += context.sign * toMinor(line.net)
    group.lines++
  }
  for (const one of invoice.allowances)
    add(one).adjustment += context.sign * (one.isCharge ? toMinor(one.amount) : 0 - toMinor(one.amount))
  return [...found.values()]
}

/**
 * Whether general discounts and surcharges lead to the stated amounts of each rate. The engine divides them among all
 * rates in proportion to the amounts of the lines.
 */
function isProportional(groups: readonly Group[]): boolean {
  if (groups.some((group) => group.lines === 0)) return false
  if (groups.length === 1) return true
  const total = groups.reduce((sum, group) => sum + group.adjustment, 0)
  if (total === 0) return groups.every((group) => group.adjustment === 0)
  const prefer = (a: number, b: number): number =>
    required(groups[b]).rate - required(groups[a]).rate ||
    (required(groups[a]).key < required(groups[b]).key ? -1 : 1)
  const shares = allocate(
    total,
    groups.map((group) => group.gross),
    prefer,
  )
  return shares.every((share, at) => share === required(groups[at]).adjustment)
}

/** Returns the reason, or its code if there is no text. */
const reasonOf = ({ reason, reasonCode }: DocumentAllowance): string | undefined =>
  reason ?? (reasonCode === DISCOUNT_CODE || reasonCode === CHARGE_CODE ? undefined : reasonCode)

/** Merges the allowances with the same reason into one discount: EN 16931 has one allowance for each rate. */
function mergedAllowances(invoice: EnInvoice, isCharge: boolean, sign: 1 | -1) {
  const found = new Map<string, { reason: string | undefined; amount: Minor; percent: number | undefined }>()
  for (const one of invoice.allowances) {
    if (one.isCharge !== isCharge) continue
    const reason = reasonOf(one)
    const key = reason ?? ''
    const entry = found.get(key) ?? { reason, amount: 0, percent: one.percent }
    entry.amount += sign * toMinor(one.amount)
    if (entry.percent !== one.percent) entry.percent = undefined
    found.set(key, entry)
  }
  const gross = sign * toMinor(invoice.totals.lines)
  return [...found.values()].map(({ reason, amount, percent }) => {
    const fits =
      percent !== undefined && percent >= 0 && percent <= 100 && percentOf(gross, percent) === amount
    return { reason, amount: toNumber(amount), rate: fits ? percent : undefined }
  })
}

export interface Adjustments {
  readonly lines: readonly LineInput[]
  readonly totals: Pick<Totals, 'general_discounts' | 'general_surcharges'>
}

/** Maps document-level allowances and charges to general discounts and surcharges, or to lines. */
export function adjustmentsOf(invoice: EnInvoice, context: LineContext): Adjustments {
  const { allowances, lines } = invoice
  if (allowances.length === 0) return { lines: [], totals: {} }
  if (!isProportional(groupsOf(invoice, context))) {
    allowances.forEach(({ at }, index) => {
      context.report.warn('en16931.allowance_as_line', at, { used: lines.length + index + 1 })
    })
    return { lines: allowances.map((one) => allowanceLine(one, context)), totals: {} }
  }
  const discounts = mergedAllowances(invoice, false, context.sign).map(({ reason, amount, rate }) =>
    withoutUndefined({ discount_reason: reason, discount_rate: rate, discount_amount: amount }),
  )
  const surcharges = mergedAllowances(invoice, true, context.sign).map(({ reason, amount, rate }) =>
    withoutUndefined({ charge_reason: reason, charge_rate: rate, charge_amount: amount }),
  )
  return {
    lines: [],
    totals: {
      ...(discounts.length === 0 ? {} : { general_discounts: discounts }),
      ...(surcharges.length === 0 ? {} : { general_surcharges: surcharges }),
    } as Adjustments['totals'],
  }
}
