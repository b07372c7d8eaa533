/** Writes a calculation into the invoice: lines, breakdown, withholding, totals. */
import type { InvoiceBlock, Line, TaxOutput, TaxWithheld, Totals } from '#core/invoice/index.ts'
import { EXEMPT, NON_TAXABLE } from '#core/invoice/terms.ts'
import { percentOf, toNumber } from '#core/money/index.ts'
import type {
  BreakdownRow,
  Calculated,
  CalculatedInvoice,
  Calculation,
  LineAmounts,
  TaxGroup,
} from './calculation-model.ts'
import { marginBase } from './groups.ts'
import { isMarginLine } from './lines.ts'
import { categoryOf, taxTypeOf, withheldTypeOf } from './tax-type-codes.ts'

function writeLine(
  line: Line,
  amounts: LineAmounts,
  decimals: number,
  taxGroup: string,
  taxType: string,
  withheldType: string,
) {
  const { group } = amounts
  const withTax = group.withTax
  if (!withTax && line.discount_rate !== undefined)
    line.discount_amount ??= toNumber(amounts.discount, decimals)
  if (!withTax && line.charge_rate !== undefined) line.charge_amount ??= toNumber(amounts.charge, decimals)
  const gross = toNumber(amounts.gross, decimals)
  const grossWithTax = toNumber(amounts.grossWithTax, decimals)
  line.total_cost_without_tax = withTax ? gross : toNumber(amounts.cost, decimals)
  line.gross_amount_without_tax = gross
  line.total_cost_with_tax =
    withTax || amounts.cost === amounts.gross ? grossWithTax : costWithTax(line, amounts, decimals)
  line.gross_amount_with_tax = grossWithTax
  line.tax_output_base = toNumber(amounts.base, decimals)
  line.tax_output_amount = toNumber(amounts.tax, decimals)
  if (group.consumptionRate !== undefined)
    line.consumption_tax_amount = toNumber(amounts.consumptionTax, decimals)
  writeWithheld(line, amounts, decimals, withheldType)
  line.taxable = group.treatment !== NON_TAXABLE
  line.exempt = group.treatment === EXEMPT
  line.tax_category_code = categoryOf(group.treatment, group.rate, group.reason, taxGroup)
  line.tax_output_code = taxType
}

function writeWithheld(line: Line, amounts: LineAmounts, decimals: number, withheldType: string): void {
  if (line.tax_withheld_rate !== undefined) {
    line.tax_withheld_base = toNumber(amounts.withheldBase, decimals)
    line.tax_withheld_amount = toNumber(amounts.withheld, decimals)
    line.tax_withheld_code = withheldType
  } else if (line.tax_withheld_base !== undefined || line.tax_withheld_amount !== undefined) {
    // A rule reports withholding without a rate; nothing is withheld.
    delete line.tax_withheld_base
    delete line.tax_withheld_amount
  }
}

/** Returns the cost before the line's own discount and charge, with the tax on it. */
function costWithTax(line: Line, amounts: LineAmounts, decimals: number): number {
  const { group, cost } = amounts
  if (isMarginLine(line))
    return toNumber(cost + percentOf(marginBase(line, cost, group, decimals), group.rate), decimals)
  const tax = percentOf(cost, group.rate)
  const consumption = group.consumptionRate === undefined ? 0 : percentOf(cost, group.consumptionRate)
  return toNumber(cost + tax + consumption, decimals)
}

function breakdownEntry(
  group: TaxGroup,
  row: BreakdownRow,
  decimals: number,
  taxGroup: string,
  taxType: string,
): TaxOutput {
  const { first } = group
  // The object literal comes first, because adding properties after a spread is slow.
  const entry: TaxOutput = {
    tax_treatment_code: '',
    tax_regime_key: '',
    tax_rate: 0.5,
    taxable_base: 0.5,
    tax_amount: 0.5,
    taxable: true,
    exempt: false,
    tax_category_code: '',
    tax_type_code: '',
    ...row.sent,
  }
  entry.tax_treatment_code = group.treatment
  entry.tax_regime_key = group.regimeKey
  entry.tax_rate = group.rate
  entry.taxable_base = toNumber(row.base, decimals)
  entry.tax_amount = toNumber(row.tax, decimals)
  if (group.treatment === EXEMPT) {
    if (group.reason !== undefined) entry.exemption_reason_code = group.reason
    if (first.exemption_reason_text !== undefined) entry.exemption_reason_text ??= first.exemption_reason_text
  }
  if (group.treatment === NON_TAXABLE && group.reason !== undefined) entry.non_taxable_reason = group.reason
  if (first.tax_regime_description !== undefined)
    entry.tax_regime_description ??= first.tax_regime_description
  if (group.consumptionCountry !== undefined) entry.consumption_country_code = group.consumptionCountry
  if (group.consumptionRate !== undefined) {
    entry.consumption_tax_rate = first.consumption_tax_rate!
    entry.consumption_tax_amount = toNumber(row.consumptionTax, decimals)
  }
  if (first.consumption_rate_type !== undefined) entry.consumption_rate_type = first.consumption_rate_type
  if (first.supply_type !== undefined) entry.supply_type = first.supply_type
  if (row.surchargeRate !== undefined) entry.equivalence_surcharge = row.surchargeRate
  if (row.surcharge !== undefined) entry.equivalence_surcharge_amount = toNumber(row.surcharge, decimals)
  entry.taxable = group.treatment !== NON_TAXABLE
  entry.exempt = group.treatment === EXEMPT
  entry.tax_category_code = categoryOf(group.treatment, group.rate, group.reason, taxGroup)
  entry.tax_type_code = taxType
  return entry
}

function writeTotals(totals: Totals, calculation: Calculation, decimals: number): void {
  const { totals: amounts, discounts, surcharges } = calculation
  totals.general_discounts?.forEach((entry, index) => {
    entry.discount_amount = toNumber(discounts[index]!, decimals)
  })
  totals.general_surcharges?.forEach((entry, index) => {
    entry.charge_amount = toNumber(surcharges[index]!, decimals)
  })
  totals.total_gross_amount = toNumber(amounts.total_gross_amount, decimals)
  totals.total_general_discounts = toNumber(amounts.total_general_discounts, decimals)
  totals.total_general_surcharges = toNumber(amounts.total_general_surcharges, decimals)
  totals.total_gross_amount_before_taxes = toNumber(amounts.total_gross_amount_before_taxes, decimals)
  totals.total_tax_outputs = toNumber(amounts.total_tax_outputs, decimals)
  totals.total_consumption_taxes = toNumber(amounts.total_consumption_taxes, decimals)
  totals.invoice_total = toNumber(amounts.invoice_total, decimals)
  totals.total_non_taxable_amount = toNumber(amounts.total_non_taxable_amount, decimals)
  totals.total_taxes_withheld = toNumber(amounts.total_taxes_withheld, decimals)
  totals.total_payments_on_account = toNumber(amounts.total_payments_on_account, decimals)
  totals.total_reimbursable_expenses = toNumber(amounts.total_reimbursable_expenses, decimals)
  totals.total_executable_amount = toNumber(amounts.total_executable_amount, decimals)
}

/**
 * Writes every computed amount into the invoice, which must be the engine's own copy. Each amount is an integer of
 * minor units divided once by a power of ten, so it prints as the exact decimal.
 */
export function writeAmounts(invoice: InvoiceBlock, calculation: Calculation): Calculated {
  const { decimals } = calculation
  const taxGroup = invoice.issue_data.tax_group_code ?? 'IVA'
  const taxType = taxTypeOf(taxGroup)
  const withheldType = withheldTypeOf(invoice.supplier.country_code)
  const { lines } = invoice
  for (let i = 0; i < lines.length; i++)
    writeLine(lines[i]!, calculation.lines[i]!, decimals, taxGroup, taxType, withheldType)
  const entries: TaxOutput[] = []
  for (const group of calculation.groups)
    for (const row of group.rows) entries.push(breakdownEntry(group, row, decimals, taxGroup, taxType))
  invoice.taxes_outputs = entries
  if (calculation.withheld.length > 0 || invoice.taxes_withheld)
    invoice.taxes_withheld = calculation.withheld.flatMap(({ rate, rows }) =>
      rows.map(
        (row): TaxWithheld => ({
          tax_rate: rate,
          taxable_base: toNumber(row.base, decimals),
          tax_amount: toNumber(row.amount, decimals),
          taxable: true,
          exempt: false,
          tax_category_code: rate === 0 ? 'Z' : 'S',
          tax_type_code: withheldType,
        }),
      ),
    )
  writeTotals(invoice.totals, calculation, decimals)
  return { invoice: invoice as CalculatedInvoice, calculation }
}
