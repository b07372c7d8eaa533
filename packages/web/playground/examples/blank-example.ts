/** An empty invoice with only the fields that the schema requires. */
import { valueAt } from '#core/invoice/pointer.ts'

const BLANK = {
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'cuadra playground', external_ref: '1' },
  invoice: {
    supplier: { person_type_code: 'J', tax_id: '', name: '', company: { address: { country_code: 'ES' } } },
    customer: { person_type_code: 'J', tax_id: '', name: '', company: { address: { country_code: 'ES' } } },
    header: { invoice_type_code: '01', invoice_series_code: 'A' },
    issue_data: {},
    lines: [{ item_description: '', quantity: 1, unit_price_without_tax: 0, tax_output_rate: 21 }],
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
  },
}

export const blankInvoiceText = `${JSON.stringify(BLANK, null, 2)}\n`

/** Whether a document was started from the empty invoice. */
export const isFromBlank = (document: unknown): boolean =>
  valueAt(document, '/meta/source_system') === BLANK.meta.source_system

/** Whether a field still has the value of the empty invoice. */
export function isStillBlank(document: unknown, path: string): boolean {
  const value = valueAt(document, path)
  // Lines added in the form have the same empty fields.
  return value === '' || (value === undefined && valueAt(BLANK, path) === undefined)
}
