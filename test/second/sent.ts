/** The fields of an invoice that its calculation reads, as a client sends them. */

/** The fields that make a group of the breakdown. */
export interface GroupFields {
  tax_treatment_code: string
  tax_rate: number
  tax_regime_key: string
  exemption_reason_code?: string | undefined
  non_taxable_reason?: string | undefined
  consumption_country_code?: string | undefined
  consumption_tax_rate?: number | undefined
  consumption_rate_type?: string | undefined
  supply_type?: string | undefined
}

export interface TaxWithheld {
  tax_rate: number
  taxable_base: number
  tax_amount: number
}

interface Stated extends Partial<Omit<GroupFields, 'tax_rate'>> {
  reverse_charge?: boolean | undefined
  exemption_reason_text?: string | undefined
  consumption_tax_amount?: number | undefined
  /** Amounts in the original currency, in a document whose amounts are in euros. */
  invoice_currency?: object
}

export interface Line extends Stated {
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
  purchase_price_incl?: number
  total_cost_without_tax?: number
  gross_amount_without_tax?: number
  total_cost_with_tax?: number
  gross_amount_with_tax?: number
  tax_output_base?: number
  tax_output_amount?: number
  tax_withheld_base?: number
  tax_withheld_amount?: number
}

export interface Entry extends Stated {
  tax_rate: number
  taxable_base: number
  tax_amount: number
  equivalence_surcharge?: number | undefined
  equivalence_surcharge_amount?: number | undefined
}

export interface Amounts {
  total_gross_amount?: number
  total_gross_amount_before_taxes?: number
  total_tax_outputs?: number
  total_consumption_taxes?: number
  invoice_total?: number
  total_general_discounts?: number
  total_general_surcharges?: number
  total_non_taxable_amount?: number
  total_taxes_withheld?: number
  total_payments_on_account?: number
  total_reimbursable_expenses?: number
  total_executable_amount?: number
  rounding_amount?: number
}

export interface Totals extends Amounts {
  invoice_currency?: object
  general_discounts?: { discount_rate?: number; discount_amount?: number }[]
  general_surcharges?: { charge_rate?: number; charge_amount?: number }[]
  payments_on_account?: { payment_on_account_date: string; payment_on_account_amount: number }[]
  reimbursable_expenses?: { reimbursable_expenses_amount?: number }[]
}

interface Address {
  post_code?: string
  country_subdivision?: { code?: string; name?: string }
}

export interface Party {
  name?: string
  country_code?: string
  company?: { address?: Address }
  person?: { address?: Address }
}

export interface Invoice {
  supplier: Party
  customer?: Party
  header: object
  issue_data: {
    issue_date?: string
    operation_date?: string
    tax_group_code?: string
    is_tai?: boolean
    invoice_currency?: { invoice_currency_code: string; exchange_rate?: number; exchange_rate_date?: string }
  }
  lines: Line[]
  taxes_outputs?: Entry[]
  taxes_withheld?: TaxWithheld[]
  totals: Totals
  payment_details?: { installment_due_date?: string; installment_amount?: number }[]
}

export interface SentDocument {
  schema_version: 'json_1_1'
  meta: { direction: 'issued' | 'received'; source_system: string; external_ref?: string }
  invoice: Invoice
}

export interface SentOptions {
  operation: 'draft' | 'issue' | 'import' | 'received'
  totals: 'recalculate' | 'check'
  exchange_rate?: { exchange_rate: number; exchange_rate_date: string }
  company?: {
    default_tax_group?: string
    address?: { province_code?: string; post_code?: string }
  }
}
