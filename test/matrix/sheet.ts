/** Writes an invoice as CSV with a column for everything that a feature can state, and reads it again. */

import type { CompletedInvoice } from '#core/invoice/index.ts'
import { type Options, type ValidationResult, validate } from '#engine/index.ts'
import type { ConvertSettings } from '#entry/cli/input/convert-settings.ts'
import { fromSheet, rowsFor } from '#entry/cli/input/sheet-conversion.ts'
import { readMapping } from '#entry/cli/spreadsheet/mapping.ts'
import { SpreadsheetFormat } from '#entry/cli/spreadsheet/sheet.ts'

const LINE = `item_description item_type quantity unit_price_without_tax unit_price_with_tax discount_rate
discount_amount charge_rate charge_amount tax_output_rate tax_withheld_rate tax_regime_key purchase_price_incl
exemption_reason_code exemption_reason_text non_taxable_reason reverse_charge consumption_country_code
consumption_tax_rate consumption_rate_type supply_type deduction_rate line_item_period_start_date
line_item_period_end_date equivalence_surcharge`
const HEADER = `header/invoice_type_code header/invoice_number header/invoice_series_code
header/corrective/reason_code header/corrective/invoice_number header/corrective/invoice_issue_date
header/corrective/correction_type header/corrective/corrected_taxable_base header/corrective/corrected_tax_amount
issue_data/issue_date issue_data/operation_date issue_data/receipt_date issue_data/invoice_description
issue_data/tax_group_code issue_data/is_dua issue_data/invoice_currency/invoice_currency_code
issue_data/invoice_currency/exchange_rate issue_data/invoice_currency/exchange_rate_date
totals/general_discounts/0/discount_reason totals/general_discounts/0/discount_rate
totals/general_discounts/0/discount_amount totals/general_discounts/1/discount_reason
totals/general_discounts/1/discount_amount totals/general_surcharges/0/charge_reason
totals/general_surcharges/0/charge_rate totals/general_surcharges/0/charge_amount
totals/payments_on_account/0/payment_on_account_date totals/payments_on_account/0/payment_on_account_amount
totals/reimbursable_expenses/0/reimbursable_expenses_amount totals/reimbursable_expenses/0/description
totals/rounding_amount payment_details/0/installment_due_date payment_details/0/installment_amount
payment_details/0/payment_method_code payment_details/1/installment_due_date payment_details/1/installment_amount
payment_details/1/payment_method_code`
/** Amounts of the whole invoice that the sender states. */
const TOTALS = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total']
const PARTY = `person_type_code tax_id name country_code company/legal_name company/address/address
company/address/post_code company/address/town company/address/country_code person/first_name person/first_surname
person/address/address person/address/post_code person/address/town person/address/country_code`

const namesIn = (text: string): string[] => text.split(/\s+/)

const COLUMNS = [
  '/meta/direction',
  ...namesIn(HEADER).map((name) => `/invoice/${name}`),
  ...TOTALS.map((name) => `/invoice/totals/${name}`),
  ...['supplier', 'customer'].flatMap((role) => namesIn(PARTY).map((name) => `/invoice/${role}/${name}`)),
  ...namesIn(LINE).map((name) => `/invoice/lines/*/${name}`),
]

const { mapping, problems } = readMapping({
  numbers: '1234,56',
  dates: 'dd/MM/yyyy',
  group_by: ['/invoice/header/invoice_number'],
  columns: Object.fromEntries(COLUMNS.map((field) => [field, field])),
  constants: { '/meta/source_system': 'matrix' },
})
if (problems.length > 0) throw new Error(JSON.stringify(problems))
const sheet = new SpreadsheetFormat(mapping)

export interface SheetRoundTrip {
  /** Codes of the items of the writer; without rows, they refuse the invoice. */
  readonly items: readonly { readonly code: string; readonly message: string }[]
  readonly isWritten: boolean
  /** Errors of the reader, if it refused the rows. */
  readonly refusals: readonly string[]
  readonly read?: ValidationResult
}

export function throughSheet(document: unknown, data: CompletedInvoice, options: Options): SheetRoundTrip {
  const shared = { from: 'auto', direction: 'received', split: false, profile: undefined, locale: 'en' }
  const settings = { ...shared, sheet, options, to: 'csv' } as unknown as ConvertSettings
  const { content, errors: items } = rowsFor(sheet, document, data, settings)
  if (content === null) return { items, isWritten: false, refusals: [] }
  const file = sheet.encode(sheet.head() + sheet.textOf(content))
  const [conversion] = fromSheet(sheet, file, { source: 'matrix' } as never, { ...settings, to: 'json_1_1' })
  if (!conversion?.content) {
    const errors = conversion?.result.outcome?.errors.filter(({ severity }) => severity === 'error')
    const refusals = errors?.map(({ code, path }) => `${code} ${path}`) ?? ['nothing read']
    return { items, isWritten: true, refusals }
  }
  return { items, isWritten: true, refusals: [], read: validate(conversion.content, options) }
}
