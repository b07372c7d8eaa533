/** Totals (calculation page, section 5). */
import type { Totals } from '#core/invoice/index.ts'
import { NON_TAXABLE } from '#core/invoice/terms.ts'
import { type Minor, toMinor } from '#core/money/index.ts'
import type { TaxGroup, TotalAmounts, WithheldGroup } from './calculation-model.ts'

/** Returns the sum of a list or, without the list, the total sent. */
const sumOf = <T>(
  entries: readonly T[] | undefined,
  amount: (entry: T) => number | undefined,
  totalWithoutList: number | undefined,
  decimals: number,
): Minor => {
  if (!entries) return toMinor(totalWithoutList ?? 0, decimals)
  let total = 0
  for (const entry of entries) total += toMinor(amount(entry) ?? 0, decimals)
  return total
}

export function computeTotals(
  totals: Totals,
  groups: readonly TaxGroup[],
  withheld: readonly WithheldGroup[],
  grossTotal: Minor,
  discounts: Minor,
  surcharges: Minor,
  decimals: number,
): TotalAmounts {
  let tax = 0
  let consumption = 0
  let nonTaxable = 0
  for (const group of groups)
    for (const row of group.rows) {
      tax += row.tax + (row.surcharge ?? 0)
      consumption += row.consumptionTax
      if (group.treatment === NON_TAXABLE) nonTaxable += row.base
    }
  let held = 0
  for (const group of withheld) for (const row of group.rows) held += row.amount
  const beforeTaxes = grossTotal - discounts + surcharges
  const total = beforeTaxes + tax + consumption
  const onAccount = sumOf(
    totals.payments_on_account,
    (entry) => entry.payment_on_account_amount,
    totals.total_payments_on_account,
    decimals,
  )
  const expenses = sumOf(
    totals.reimbursable_expenses,
    (entry) => entry.reimbursable_expenses_amount,
    totals.total_reimbursable_expenses,
    decimals,
  )
  const rounding = toMinor(totals.rounding_amount ?? 0, decimals)
  return {
    total_gross_amount: grossTotal,
    total_general_discounts: discounts,
    total_general_surcharges: surcharges,
    total_gross_amount_before_taxes: beforeTaxes,
    total_tax_outputs: tax,
    total_consumption_taxes: consumption,
    invoice_total: total,
    total_non_taxable_amount: nonTaxable,
    total_taxes_withheld: held,
    total_payments_on_account: onAccount,
    total_reimbursable_expenses: expenses,
    total_executable_amount: total - held - onAccount + expenses + rounding,
  }
}
