/** Samples of Facturae written by other software. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { detectFormat, readInvoice, splitInvoices } from '#formats/index.ts'
import { hasReference, sample, samplesOf } from './reference.ts'

const SEVERAL = 'facturae/facturae_3_2_2_batch_two_invoices.xml'
/** A sample with InvoiceTotal before withholding: adding the withholding would give another amount. */
const BEFORE_WITHHOLDING = 'facturae/facturae_3_2_2_gobl_vat_irpf_signed.xml'

const codesOf = (errors: readonly { readonly code: string; readonly severity: string }[], severity: string) =>
  errors.filter((item) => item.severity === severity).map(({ code }) => code)

describe.skipIf(!hasReference)('samples of Facturae', () => {
  const single = samplesOf('facturae').filter(({ file }) => file !== SEVERAL)

  it.each(single)('$file has the expected totals: $note', ({ file, invoices }) => {
    const expected = required(invoices[0])
    const bytes = sample(file)
    expect(detectFormat(bytes)).toMatchObject({ format: expected.format, root: 'Facturae' })
    const { format, document, errors, signature } = readInvoice(bytes)
    expect(codesOf(errors, 'error')).toEqual([])
    expect(format).toBe(expected.format)
    expect(signature !== null).toBe(expected.signed)
    expect(codesOf(errors, 'warning').includes('format.signature_not_verified')).toBe(expected.signed)
    const { invoice } = required(document)
    const { totals } = invoice
    const withheld = Number(expected.total_withheld)
    const before = file === BEFORE_WITHHOLDING ? 0 : withheld
    expect({
      supplier: invoice.supplier.tax_id,
      customer: invoice.customer?.tax_id,
      date: invoice.issue_data.issue_date,
      series: invoice.header.invoice_series_code ?? null,
      number: invoice.header.invoice_number,
      base: totals.total_gross_amount_before_taxes,
      tax: totals.total_tax_outputs,
      withheld: totals.total_taxes_withheld ?? 0,
      total: totals.invoice_total.toFixed(2),
      payable: totals.total_executable_amount,
    }).toEqual({
      supplier: expected.supplier_tax_id,
      customer: expected.customer_tax_id,
      date: expected.issue_date,
      series: expected.series,
      number: `${expected.series ?? ''}${expected.number}`,
      base: Number(expected.total_base),
      tax: Number(expected.total_tax),
      withheld,
      total: (Number(expected.total) + before).toFixed(2),
      payable: Number(expected.total_payable),
    })
  })

  it.each(single)('$file can be registered: the engine keeps its totals', ({ file }) => {
    const { document } = readInvoice(sample(file))
    const { data, errors } = validate(document, { operation: 'received', totals: 'check' })
    expect(errors.filter(({ code }) => /^schema|mismatch/.test(code))).toEqual([])
    expect(data?.invoice.totals).toMatchObject(required(document).invoice.totals)
    // The amount to pay follows from the totals of the file: it need not be stated.
    const { total_executable_amount, ...totals } = required(document).invoice.totals
    const unstated = { ...document, invoice: { ...required(document).invoice, totals } }
    const followed = required(validate(unstated, { operation: 'received', totals: 'check' }).data).invoice
      .totals
    expect(followed.total_executable_amount).toBe(total_executable_amount)
  })

  it('a file of two invoices is refused with their number, and can be split', () => {
    const bytes = sample(SEVERAL)
    const { document, errors } = readInvoice(bytes)
    expect(document).toBeNull()
    expect(errors).toMatchObject([{ code: 'format.several_invoices', extra: { received: 2 } }])
    const { documents } = splitInvoices(bytes)
    const numbers = documents.map((xml) => readInvoice(xml).document?.invoice.header.invoice_number)
    expect(numbers).toEqual(['A1', 'A2'])
  })

  it.each([
    ['facturae_truncated.xml', 'xml.malformed', '/Facturae/Invoices/Invoice[1]/InvoiceIssueData'],
    ['ubl_as_facturae.xml', 'format', '/Invoice'],
    [
      'facturae_3_2_2_missing_total.xml',
      'xml.missing',
      '/Facturae/Invoices/Invoice[1]/InvoiceTotals/InvoiceTotal',
    ],
  ])('%s is refused: %s', (file, code, path) => {
    const { document, errors } = readInvoice(sample(`invalid/${file}`), { format: 'facturae_3_2_2' })
    expect(document).toBeNull()
    expect(errors).toHaveLength(1)
    expect(errors[0]?.code.startsWith(code)).toBe(true)
    expect(errors[0]).toMatchObject({ path, severity: 'error', extra: expect.anything() })
  })
})
