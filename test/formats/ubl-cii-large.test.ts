/** Long invoices: every line is read, and the time grows with their number. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { sized } from '../size.ts'

const party = (tax_id: string, name: string) => ({
  person_type_code: 'J',
  tax_id,
  name,
  company: { address: { address: 'Calle Inventada, 7', post_code: '28013', town: 'Madrid' } },
})

const long = (count: number) => {
  const lines = Array.from({ length: count }, (_, index) => ({
    item_description: `Artículo ${index}`,
    quantity: 1 + (index % 7),
    unit_price_without_tax: 1 + (index % 100) / 10,
    tax_output_rate: [21, 10, 4][index % 3],
    ...(index % 5 === 0 ? { discount_rate: 5 } : {}),
  }))
  const data = structuredClone(
    required(
      validate({
        schema_version: 'json_1_1',
        meta: { direction: 'issued', source_system: 'Test 1.0', external_ref: 'L-1' },
        invoice: {
          supplier: party('B12345674', 'Calderas Ficticias, S.L.'),
          customer: party('B77777779', 'Estudio Imaginado, S.L.'),
          header: { invoice_type_code: '01', invoice_series_code: 'L' },
          issue_data: {},
          lines,
          totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
        },
      }).data,
    ),
  )
  data.invoice.header.invoice_number = 'L-1'
  data.invoice.issue_data.issue_date = '2026-03-16'
  return data
}

describe('invoices with thousands of lines', () => {
  const LINES = sized(1000, 10_000)
  const data = long(LINES)
  for (const format of ['ubl_2_1', 'cii_d16b'] as const)
    it(`${format}: ${LINES} lines are written and read with their totals`, () => {
      const { xml, errors } = writeInvoice(data, format)
      expect(errors).toEqual([])
      // UBL stays below 10 MB; CII needs more for a line and comes close.
      const bytes = new TextEncoder().encode(required(xml))
      const read = readInvoice(bytes)
      expect(read.errors).toEqual([])
      const { lines, totals } = required(read.document).invoice
      expect(lines).toHaveLength(LINES)
      expect(lines.at(-1)?.item_description).toBe(`Artículo ${LINES - 1}`)
      expect(totals.invoice_total).toBe(data.invoice.totals.invoice_total)
    })

  it('a term that is not supported on a thousand lines is one warning', () => {
    const xml = required(writeInvoice(long(1000), 'ubl_2_1').xml)
    const terms = '<cac:DeliveryTerms><cbc:ID>CIF</cbc:ID></cac:DeliveryTerms>'
    expect(readInvoice(xml.replaceAll('</cac:Price>', `</cac:Price>${terms}`)).errors).toMatchObject([
      {
        code: 'format.omitted',
        severity: 'warning',
        path: '/Invoice/InvoiceLine[1]/DeliveryTerms',
        extra: { count: 1000 },
      },
    ])
  })
})
