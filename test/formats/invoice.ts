/** An issued invoice that Facturae can carry, and variants of it. */
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'

/** Members to replace in a document. */
export type Parts = Readonly<Record<string, unknown>>

const address = (town: string, post_code: string, province: string) => ({
  address: 'Calle Inventada, 7',
  post_code,
  town,
  country_subdivision: { name: province },
})

export const LINE = {
  item_description: 'Revisión de caldera',
  quantity: 3,
  unit_price_without_tax: 50,
  tax_output_rate: 21,
}

/** Returns an invoice between two parties in Spain; `parts` replace members of `invoice`. */
export const invoiceOf = (parts: Parts = {}) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'test' },
  invoice: {
    supplier: {
      person_type_code: 'J',
      tax_id: 'B12345674',
      name: 'Calderas Ficticias, S.L.',
      company: { trade_name: 'Calderas', address: address('Madrid', '28013', 'Madrid') },
    },
    customer: {
      person_type_code: 'J',
      tax_id: 'B77777779',
      name: 'Estudio Imaginado, S.L.',
      company: { address: address('Santander', '39004', 'Cantabria') },
    },
    header: { invoice_type_code: '01', invoice_series_code: 'F26', invoice_number: 'F26-0007' },
    issue_data: { issue_date: '2026-03-16' },
    lines: [LINE],
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
    ...parts,
  },
})

/** Returns the invoice as the engine calculates it. */
export function issued(parts: Parts = {}): CanonicalInvoice {
  const { data, errors } = validate(invoiceOf(parts), { operation: 'import' })
  if (data === null) throw new Error(errors.map(({ message }) => message).join('\n'))
  return data
}

/** Returns the invoice as Facturae, one element on each line. */
export function facturae(parts: Parts = {}): string {
  const { xml, errors } = writeInvoice(issued(parts), 'facturae_3_2_2', { indent: 1 })
  if (xml === null) throw new Error(errors.map(({ message }) => message).join('\n'))
  return xml
}

/** Returns the text with all changes applied. Throws if a change does not match. */
export const changed = (xml: string, ...changes: readonly (readonly [from: string | RegExp, to: string])[]) =>
  changes.reduce((text, [from, to]) => {
    if (typeof from === 'string' ? !text.includes(from) : text.search(from) < 0)
      throw new Error(`nothing to change: ${String(from)}`)
    return text.replace(from, to)
  }, xml)

/** Reads a document and returns errors and warnings as `code path`. */
export function reading(xml: string) {
  const { document, errors, ...rest } = readInvoice(xml)
  const codesOf = (severity: string) =>
    errors.filter((item) => item.severity === severity).map(({ code, path }) => `${code} ${path}`)
  return {
    document,
    invoice: document?.invoice,
    items: errors,
    errors: codesOf('error'),
    warnings: codesOf('warning'),
    ...rest,
  }
}
