/** Converts an invoice to rows of a CSV and back, with a column for every field that random invoices have. */

import { type ConvertSettings, isRows } from '#entry/cli/input/convert-settings.ts'
import { convertDocument } from '#entry/cli/input/input-conversion.ts'
import { readMapping } from '#entry/cli/spreadsheet/mapping.ts'
import { SpreadsheetFormat } from '#entry/cli/spreadsheet/sheet.ts'
import { OPTIONS } from './features.ts'

const ofLines = [
  'item_description item_type quantity unit_price_without_tax unit_price_with_tax discount_rate discount_amount',
  'charge_rate charge_amount tax_output_rate tax_withheld_rate tax_regime_key purchase_price_incl reverse_charge',
  'exemption_reason_code exemption_reason_text non_taxable_reason consumption_country_code consumption_tax_rate',
  'consumption_rate_type supply_type equivalence_surcharge',
]
const ofParties = ['person_type_code', 'tax_id', 'name', 'country_code'].concat(
  ['address', 'post_code', 'town', 'country_code', 'country_subdivision/name'].map(
    (name) => `company/address/${name}`,
  ),
  'company/legal_name',
)
const corrective = 'reason_code invoice_number invoice_issue_date correction_type corrected_taxable_base'
const fields = [
  '/meta/direction',
  ...['invoice_type_code', 'invoice_number', 'invoice_series_code'].map((name) => `/invoice/header/${name}`),
  ...`${corrective} corrected_tax_amount`.split(' ').map((name) => `/invoice/header/corrective/${name}`),
  ...['issue_date', 'receipt_date', 'tax_group_code'].map((name) => `/invoice/issue_data/${name}`),
  ...['invoice_currency_code', 'exchange_rate', 'exchange_rate_date'].map(
    (name) => `/invoice/issue_data/invoice_currency/${name}`,
  ),
  ...['supplier', 'customer'].flatMap((party) => ofParties.map((name) => `/invoice/${party}/${name}`)),
  ...[0, 1].flatMap((at) => [
    ...['reason', 'rate', 'amount'].map((name) => `/invoice/totals/general_discounts/${at}/discount_${name}`),
    ...['installment_due_date', 'installment_amount', 'payment_method_code'].map(
      (name) => `/invoice/payment_details/${at}/${name}`,
    ),
  ]),
  ...['reason', 'rate', 'amount'].map((name) => `/invoice/totals/general_surcharges/0/charge_${name}`),
  ...['date', 'amount'].map((name) => `/invoice/totals/payments_on_account/0/payment_on_account_${name}`),
  '/invoice/totals/reimbursable_expenses/0/reimbursable_expenses_amount',
  ...ofLines.flatMap((names) => names.split(' ')).map((name) => `/invoice/lines/*/${name}`),
]

const { mapping, problems } = readMapping({
  delimiter: ';',
  numbers: '1234,56',
  dates: 'dd/MM/yyyy',
  group_by: ['/invoice/header/invoice_number'],
  columns: Object.fromEntries(fields.map((field) => [field, field])),
  constants: { '/meta/source_system': 'csv' },
})
if (problems.length > 0) throw new Error(JSON.stringify(problems))
const sheet = new SpreadsheetFormat(mapping)

const settings = (parts: Pick<ConvertSettings, 'from' | 'to'>): ConvertSettings => ({
  command: 'validate',
  format: 'json',
  locale: 'en',
  options: { ...OPTIONS },
  quiet: false,
  withData: true,
  color: false,
  links: false,
  width: 80,
  shape: 'single',
  direction: 'issued',
  split: false,
  sheet,
  ...parts,
})
const ORIGIN = { file: 'invoice', index: null, line: 1 }
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns the CSV of a document with the codes of its items; without text, it is refused. */
export function csvOf(document: unknown) {
  const [made] = convertDocument(
    bytesOf(JSON.stringify(document)),
    ORIGIN,
    settings({ from: 'json_1_1', to: 'csv' }),
  )
  const rows = made?.content
  const text = isRows(rows) ? sheet.head() + sheet.textOf(rows) : null
  return { text, codes: (made?.result.outcome.errors ?? []).map(({ code }) => code) }
}

/** Returns the document that a CSV states, with its items. */
export function documentOfCsv(text: string) {
  const [read] = convertDocument(bytesOf(text), ORIGIN, settings({ from: 'csv', to: 'json_1_1' }))
  return { document: read?.content ?? null, errors: read?.result.outcome.errors ?? [] }
}
