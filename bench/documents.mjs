/** Creates invoices with any number of lines, like those of an ERP: about 250 bytes per line. */

const RATES = [21, 21, 10, 21, 4]
const TEXTS = [
  'Servicio de mantenimiento',
  'Suministro de material',
  'Transporte',
  'Horas de montaje',
  'Repuesto',
]

export const invoiceOf = (count) => {
  const lines = []
  for (let i = 0; i < count; i++)
    lines.push({
      item_description: `${TEXTS[i % 5]} ${i + 1}`,
      article_code: `ART-${1000 + (i % 997)}`,
      quantity: 1 + (i % 7),
      unit_of_measure: '01',
      unit_price_without_tax: 10.25 + (i % 90) * 1.37,
      ...(i % 4 === 0 ? { discount_rate: 5 } : {}),
      tax_output_rate: RATES[i % 5],
    })
  for (const line of lines) line.unit_price_without_tax = Number(line.unit_price_without_tax.toFixed(2))
  return {
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'erp', external_ref: 'PED-2026-0042' },
    invoice: {
      supplier: {
        person_type_code: 'J',
        tax_id: 'A58818501',
        name: 'Suministros del Norte SA',
        company: {
          address: { address: 'Calle Mayor 1', post_code: '28013', town: 'Madrid', country_code: 'ES' },
        },
      },
      customer: {
        tax_id: 'A28015865',
        name: 'Talleres Iberia SA',
        company: { address: { address: 'Gran Via 28', post_code: '28013', town: 'Madrid' } },
      },
      header: { invoice_type_code: '01', invoice_series_code: 'F' },
      issue_data: { operation_date: '2026-11-20' },
      lines,
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
    },
  }
}
