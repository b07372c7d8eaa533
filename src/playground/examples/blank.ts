/** An invoice with nothing in it yet but what the schema asks for. */
import { valueAt } from '../../invoice/index.ts'

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

export const blank = `${JSON.stringify(BLANK, null, 2)}\n`

/** Whether a document began as the empty invoice. */
export const isFromBlank = (document: unknown): boolean =>
  valueAt(document, '/meta/source_system') === BLANK.meta.source_system

/** Whether a field still has what the empty invoice has there: nobody has filled it in yet. */
export function isStillBlank(document: unknown, path: string): boolean {
  const value = valueAt(document, path)
  // Of a line that was added, the form makes the same empty fields.
  return value === '' || (value === undefined && valueAt(BLANK, path) === undefined)
}
