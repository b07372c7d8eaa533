/** Filing periods, and the fields of an invoice that a return is based on. */
import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { validate } from '#engine/validate.ts'
import { type Document, received } from '#test/conformance/invoices.ts'
import { changedFiscalFields, parseFilingPeriod } from '../../../src/service/invoice/filed-returns.ts'

describe('periods', () => {
  it('quarters and months have their first and last days', () => {
    expect(parseFilingPeriod('2026-Q3')).toEqual({
      period: '2026-Q3',
      first_day: '2026-07-01',
      last_day: '2026-09-30',
    })
    expect(parseFilingPeriod('2026-Q4')).toEqual({
      period: '2026-Q4',
      first_day: '2026-10-01',
      last_day: '2026-12-31',
    })
    expect(parseFilingPeriod('2026-09')).toEqual({
      period: '2026-09',
      first_day: '2026-09-01',
      last_day: '2026-09-30',
    })
    expect(parseFilingPeriod('2028-02').last_day).toBe('2028-02-29')
    expect(parseFilingPeriod('2026-02').last_day).toBe('2026-02-28')
  })

  it.each([
    '',
    '2026',
    '2026-Q5',
    '2026-Q0',
    '2026-13',
    '2026-00',
    '2026-9',
    '26-Q1',
    '2026Q1',
    '2026-q1',
    ' 2026-Q1',
  ])('%j is not a filing period, and the message states the format', (text) => {
    expect(() => parseFilingPeriod(text)).toThrow(RangeError)
    expect(() => parseFilingPeriod(text)).toThrow('2026-Q3')
  })
})

describe('fiscal fields', () => {
  const canonical = (change: (body: Document) => void = () => {}): CanonicalInvoice => {
    const body = received({ taxId: 'B12345674', number: 'X-1', supplier: 'A58818501' })
    change(body)
    const { data } = validate(body, { operation: 'received', today: '2026-11-21', totals: 'check' })
    if (!data) throw new Error('the document is wrong')
    return data
  }
  const changedBy = (change: (body: Document) => void) => changedFiscalFields(canonical(), canonical(change))

  it('the same document has no differences', () => {
    expect(changedFiscalFields(canonical(), canonical())).toEqual([])
  })

  const fiscal: readonly [pointer: string, change: (body: Document) => void][] = [
    ['/invoice/supplier/tax_id', ({ invoice }) => (invoice.supplier.tax_id = 'B12345674')],
    ['/invoice/supplier/country_code', ({ invoice }) => (invoice.supplier.country_code = 'FR')],
    ['/invoice/customer/tax_id', ({ invoice }) => delete invoice.customer.tax_id],
    ['/invoice/header/invoice_type_code', ({ invoice }) => (invoice.header.invoice_type_code = '02')],
    ['/invoice/header/invoice_series_code', ({ invoice }) => (invoice.header.invoice_series_code = 'S')],
    ['/invoice/header/invoice_number', ({ invoice }) => (invoice.header.invoice_number = 'X-2')],
    ['/invoice/header/corrective', ({ invoice }) => (invoice.header.corrective = { reason_code: '16' })],
    ['/invoice/issue_data/issue_date', ({ invoice }) => (invoice.issue_data.issue_date = '2026-03-03')],
    [
      '/invoice/issue_data/operation_date',
      ({ invoice }) => (invoice.issue_data.operation_date = '2026-03-01'),
    ],
    ['/invoice/issue_data/receipt_date', ({ invoice }) => (invoice.issue_data.receipt_date = '2026-03-05')],
    ['/invoice/issue_data/is_dua', ({ invoice }) => (invoice.issue_data.is_dua = true)],
    ['/invoice/lines/0/quantity', ({ invoice }) => (invoice.lines[0].quantity = 2)],
    ['/invoice/lines/0/tax_output_rate', ({ invoice }) => (invoice.lines[0].tax_output_rate = 10)],
    ['/invoice/lines/0/deduction_rate', ({ invoice }) => (invoice.lines[0].deduction_rate = 50)],
    ['/invoice/lines/0/tax_regime_key', ({ invoice }) => (invoice.lines[0].tax_regime_key = '07')],
    ['/invoice/lines/0/item_type', ({ invoice }) => (invoice.lines[0].item_type = 'investment_good')],
    ['/invoice/lines/1', ({ invoice }) => invoice.lines.push(structuredClone(invoice.lines[0]))],
    ['/invoice/taxes_outputs/0/tax_amount', ({ invoice }) => (invoice.lines[0].unit_price_without_tax = 99)],
    ['/invoice/taxes_withheld', ({ invoice }) => (invoice.lines[0].tax_withheld_rate = 15)],
    ['/invoice/totals/invoice_total', ({ invoice }) => (invoice.totals.invoice_total = 120)],
  ]
  it.each(fiscal)('%s is fiscal', (pointer, change) => {
    expect(changedBy(change).join(' ')).toContain(pointer)
  })

  it('texts, contacts, payments and references are not fiscal', () => {
    const changed = changedBy(({ invoice, meta }) => {
      meta.external_ref = 'R'
      meta.batch_id = 'B'
      invoice.supplier.name = 'Otro nombre'
      invoice.supplier.telephone = '964000000'
      invoice.header.references = { file_reference: 'F' }
      invoice.issue_data.invoice_description = 'Otra'
      Object.assign(invoice.lines[0], {
        item_description: 'Otra',
        article_code: 'A',
        unit_of_measure: '02',
        additional_line_item_information: 'I',
        references: { delivery_notes: [{ number: '1', date: '2026-03-01' }] },
      })
      invoice.legal_literals = [{ legal_reference: 'Art. 1' }]
      invoice.payment_terms = '30 días'
      invoice.payment_details = [{ installment_due_date: '2026-05-01', installment_amount: 121 }]
      invoice.additional_data = { invoice_additional_information: 'I' }
    })
    expect(changed).toEqual([])
  })

  it('many pointers are shortened to their lines, and very many to their blocks', () => {
    const withLines = (count: number, price: number) =>
      canonical(({ invoice }) => {
        const line = { ...invoice.lines[0], unit_price_without_tax: price }
        invoice.lines = Array.from({ length: count }, () => ({ ...line }))
      })
    const hundred = changedFiscalFields(withLines(100, 10), withLines(100, 11))
    expect(hundred).toContain('/invoice/lines/99')
    expect(hundred).toContain('/invoice/taxes_outputs/0')
    const thousand = changedFiscalFields(withLines(1000, 10), withLines(1000, 11))
    expect(thousand).toEqual(['/invoice/lines', '/invoice/taxes_outputs', '/invoice/totals'])
  })
})
