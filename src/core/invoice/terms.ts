/** Codes on which the logic of the engine depends. Their names and sources are in the catalogs. */

export const TAXED = 'TAXABLE_NON_EXEMPT'
export const EXEMPT = 'TAXABLE_EXEMPT'
export const REVERSE_CHARGE = 'TAXABLE_NON_EXEMPT_RC'
export const NON_TAXABLE = 'NON_TAXABLE'

export const GENERAL_REGIME = '01'
/**
 * Regime key 02. On received invoices: the compensation of the farmers' regime (REAGYP). On issued invoices: exports.
 */
export const FARMERS_OR_EXPORT = '02'
export const CASH_BASIS = '07'
export const ONE_STOP_SHOP = '17'

/** Whether only the margin is taxed under the regime key: used goods and travel agencies. */
export const isMarginKey = (key: string | undefined): key is '03' | '05' => key === '03' || key === '05'

/** Mentions of special regimes that RD 1619/2012 requires (art. 6.1.n-p), by regime key. */
export const REGIME_MENTIONS = {
  '03': 'Régimen especial de los bienes usados',
  '05': 'Régimen especial de las agencias de viajes',
  '07': 'Régimen especial del criterio de caja',
} as const

/** Fields of lines and breakdown entries about treatment and foreign tax. */
interface Taxed {
  readonly tax_treatment_code?: string
  readonly reverse_charge?: boolean
  readonly exemption_reason_code?: string
  readonly exemption_reason_text?: string
  readonly non_taxable_reason?: string
  readonly consumption_country_code?: string
  readonly consumption_tax_rate?: number
  readonly consumption_tax_amount?: number
  readonly consumption_rate_type?: unknown
  readonly supply_type?: unknown
}

/** Whether a line or entry states any field about the tax of the member state of consumption. */
export const hasConsumptionField = (taxed: Taxed): boolean =>
  taxed.consumption_country_code !== undefined ||
  taxed.consumption_tax_rate !== undefined ||
  taxed.consumption_tax_amount !== undefined ||
  taxed.consumption_rate_type !== undefined ||
  taxed.supply_type !== undefined

/** Returns the stated treatment, or the treatment that the other fields imply. */
export const treatmentOf = (taxed: Taxed): string | undefined =>
  taxed.tax_treatment_code ??
  (taxed.reverse_charge === true
    ? REVERSE_CHARGE
    : taxed.exemption_reason_code !== undefined || taxed.exemption_reason_text !== undefined
      ? EXEMPT
      : taxed.non_taxable_reason !== undefined || hasConsumptionField(taxed)
        ? NON_TAXABLE
        : undefined)

/** Members that only the engine writes. Input that contains any of them is refused (`schemas/input.json`). */
export const COMPUTED_MEMBERS: ReadonlySet<string> = new Set([
  'is_simplified',
  'is_corrective',
  'taxable',
  'exempt',
  'tax_category_code',
  'tax_output_code',
  'tax_withheld_code',
  'tax_type_code',
  'subdivision_type',
])

/** Computed amounts of a line. */
export const LINE_AMOUNTS = [
  'total_cost_without_tax',
  'gross_amount_without_tax',
  'total_cost_with_tax',
  'gross_amount_with_tax',
  'tax_output_base',
  'tax_output_amount',
  'tax_withheld_base',
  'tax_withheld_amount',
  'consumption_tax_amount',
] as const

/** Amounts of an entry of `taxes_outputs`. */
export const OUTPUT_AMOUNTS = [
  'taxable_base',
  'tax_amount',
  'equivalence_surcharge_amount',
  'consumption_tax_amount',
] as const

/** Amounts of an entry of `taxes_withheld`. */
export const WITHHELD_AMOUNTS = ['taxable_base', 'tax_amount'] as const

/** Computed totals. `rounding_amount` is only an input. */
export const COMPUTED_TOTALS = [
  'total_gross_amount',
  'total_gross_amount_before_taxes',
  'total_tax_outputs',
  'total_consumption_taxes',
  'invoice_total',
  'total_general_discounts',
  'total_general_surcharges',
  'total_non_taxable_amount',
  'total_taxes_withheld',
  'total_payments_on_account',
  'total_reimbursable_expenses',
  'total_executable_amount',
] as const
