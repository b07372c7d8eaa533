/** Writing Facturae: the content, and what is refused. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { type FormatCode, readInvoice, writeInvoice } from '#formats/index.ts'
import { facturae, invoiceOf, issued, LINE, type Parts } from './invoice.ts'
import { facturaeSchema } from './reference.ts'

const refusedOf = (parts: Parts, format: FormatCode = 'facturae_3_2_2') => {
  const { xml, errors } = writeInvoice(issued(parts), format)
  expect(xml).toBeNull()
  return errors.map(({ extra, path }) => `${String(required(extra).reason)} ${path}`)
}

const { supplier, customer, header } = invoiceOf().invoice
const schema = facturaeSchema('3_2_2')

describe('texts that are too long are refused, not cut', () => {
  const long = (length: number) => 'x'.repeat(length + 1)
  const withAddress = (member: string, value: string) => ({
    ...customer,
    company: { address: { ...customer.company.address, [member]: value } },
  })

  it.each([
    [
      'invoice number',
      20,
      '/invoice/header/invoice_number',
      (text: string) => ({ header: { ...header, invoice_number: text } }),
    ],
    ['name', 80, '/invoice/customer/name', (text: string) => ({ customer: { ...customer, name: text } })],
    [
      'trade name',
      40,
      '/invoice/supplier/company/trade_name',
      (text: string) => ({ supplier: { ...supplier, company: { ...supplier.company, trade_name: text } } }),
    ],
    [
      'address',
      80,
      '/invoice/customer/company/address/address',
      (text: string) => ({ customer: withAddress('address', text) }),
    ],
    [
      'town',
      50,
      '/invoice/customer/company/address/town',
      (text: string) => ({ customer: withAddress('town', text) }),
    ],
    [
      'telephone',
      15,
      '/invoice/customer/telephone',
      (text: string) => ({ customer: { ...customer, telephone: text } }),
    ],
    [
      'electronic mail',
      60,
      '/invoice/customer/electronic_mail',
      (text: string) => ({ customer: { ...customer, electronic_mail: text } }),
    ],
    [
      'article code',
      20,
      '/invoice/lines/0/article_code',
      (text: string) => ({ lines: [{ ...LINE, article_code: text }] }),
    ],
    [
      'reference',
      20,
      '/invoice/header/references/file_reference',
      (text: string) => ({ header: { ...header, references: { file_reference: text } } }),
    ],
    [
      'legal literal',
      250,
      '/invoice/legal_literals/0/legal_reference',
      (text: string) => ({ legal_literals: [{ legal_reference: text }] }),
    ],
    [
      'centre code',
      10,
      '/invoice/customer/administrative_centres/0/centre_code',
      (text: string) => ({ customer: { ...customer, administrative_centres: [{ centre_code: text }] } }),
    ],
  ] as const)('%s: %d characters', (_, max, path, parts) => {
    expect(refusedOf(parts(long(max)))).toEqual([`too_long ${path}`])
    expect(readInvoice(facturae(parts('x'.repeat(max)))).document).not.toBeNull()
  })

  it('the item has the reason, the field, both lengths and the fix', () => {
    const { errors } = writeInvoice(
      issued({ customer: { ...customer, telephone: long(15) } }),
      'facturae_3_2_2',
      { locale: 'es' },
    )
    expect(errors).toEqual([
      {
        source: 'business',
        code: 'export_not_possible',
        message:
          'telephone tiene 16 caracteres; facturae_3_2_2 admite 15. Acorte telephone en la factura: cuadra no recorta los textos. (docs/formats.md, "Content that a format cannot carry")',
        path: '/invoice/customer/telephone',
        extra: { reason: 'too_long', format: 'facturae_3_2_2', received: 16, allowed: 15 },
        severity: 'error',
      },
    ])
  })
})

describe('missing data are refused', () => {
  it('an address, and each part of it', () => {
    expect(refusedOf({ customer: { ...customer, company: undefined, person: undefined } })).toEqual([
      'missing /invoice/customer/company/address',
    ])
    const address = { address: 'Calle 7' }
    expect(refusedOf({ customer: { ...customer, company: { address } } })).toEqual([
      'missing /invoice/customer/company/address/post_code',
      'missing /invoice/customer/company/address/town',
      'missing /invoice/customer/company/address/country_subdivision',
    ])
  })

  it('a customer, its tax id, the surname of a person', () => {
    const simplified = { header: { ...header, invoice_type_code: '02' }, customer: undefined }
    expect(refusedOf(simplified)).toEqual(['missing /invoice/customer'])
    const person = { ...customer, tax_id: '12345678Z', person_type_code: 'F', person: { first_name: 'Ana' } }
    expect(refusedOf({ customer: person })).toEqual(['missing /invoice/customer/person/first_surname'])
    expect(refusedOf({ customer: { ...customer, tax_id: undefined } })).toEqual([
      'missing /invoice/customer/tax_id',
    ])
  })

  it('due dates of several instalments; a single one is due at once, and its account implies the means of payment', () => {
    const iban_account_to_be_credited = 'ES9121000418450200051332'
    const half = { iban_account_to_be_credited, installment_amount: 90.75 }
    expect(refusedOf({ payment_details: [half, half] })).toEqual([
      'missing /invoice/payment_details/0/installment_due_date',
      'missing /invoice/payment_details/1/installment_due_date',
    ])
    expect(refusedOf({ payment_details: [{ installment_due_date: '2026-04-16' }] })).toEqual([
      'missing /invoice/payment_details/0/payment_method_code',
    ])
    const { document } = readInvoice(facturae({ payment_details: [{ iban_account_to_be_credited }] }))
    expect(document?.invoice.payment_details).toEqual([
      {
        installment_due_date: '2026-03-16',
        installment_amount: 181.5,
        payment_method_code: '04',
        iban_account_to_be_credited,
      },
    ])
  })
})

describe('content that Facturae cannot carry is refused', () => {
  it('the tax of another member state', () => {
    const lines = [
      {
        ...LINE,
        tax_output_rate: undefined,
        tax_regime_key: '17',
        consumption_country_code: 'FR',
        consumption_tax_rate: 20,
        consumption_rate_type: 'standard',
        supply_type: 'goods',
      },
    ]
    expect(refusedOf({ lines })).toEqual([
      'one_stop_shop /invoice/totals/total_consumption_taxes',
      'one_stop_shop /invoice/lines/0/tax_regime_key',
    ])
  })

  it('a rounding amount', () => {
    const totals = { ...invoiceOf().invoice.totals, rounding_amount: 0.01 }
    expect(refusedOf({ totals })).toEqual(['rounding_amount /invoice/totals/rounding_amount'])
  })

  it('amounts only in euros for an invoice in another currency', () => {
    const invoice_currency = {
      invoice_currency_code: 'USD',
      exchange_rate: 0.9,
      exchange_rate_date: '2026-03-13',
    }
    const document = issued({ issue_data: { issue_date: '2026-03-16', invoice_currency } })
    const { invoice_currency: _, ...totals } = document.invoice.totals
    const { errors } = writeInvoice(
      { ...document, invoice: { ...document.invoice, totals } },
      'facturae_3_2_2',
    )
    expect(errors[0]).toMatchObject({
      path: '/invoice/totals/invoice_currency/total_gross_amount',
      extra: { reason: 'currency_amounts' },
    })
  })

  it.each(['facturae_3_2', 'facturae_3_2_1'] as const)('%s can be read but not written', (format) => {
    expect(refusedOf({}, format)).toEqual(['not_written '])
  })
})

describe('a written document', () => {
  it('has a complete file header and the prescribed texts', () => {
    const xml = facturae({ lines: [{ ...LINE, tax_withheld_rate: 15 }] })
    for (const part of [
      ...['<SchemaVersion>3.2.2</SchemaVersion>', '<Modality>I</Modality>'],
      ...['<InvoiceIssuerType>EM</InvoiceIssuerType>'],
      ...['<BatchIdentifier>B12345674F26-0007</BatchIdentifier>', '<InvoicesCount>1</InvoicesCount>'],
      ...['<TaxCurrencyCode>EUR</TaxCurrencyCode>', '<LanguageName>es</LanguageName>'],
      ...['<CountryCode>ESP</CountryCode>', '<TotalTaxesWithheld>22.50</TotalTaxesWithheld>'],
      ...['<InvoiceTotal>159.00</InvoiceTotal>'],
    ])
      expect(xml).toContain(part)
  })

  it('has prices without tax, and the same totals', () => {
    const lines = [{ item_description: 'Menú', quantity: 3, unit_price_with_tax: 12.5, tax_output_rate: 10 }]
    const xml = facturae({ lines })
    expect(xml).toContain('<UnitPriceWithoutTax>11.36333333</UnitPriceWithoutTax>')
    expect(readInvoice(xml).document?.invoice.totals).toMatchObject({ invoice_total: 37.5 })
  })

  it('has a shorter alias of a province whose name is too long', () => {
    const address = {
      ...customer.company.address,
      post_code: '38001',
      country_subdivision: { code: 'ES-TF' },
    }
    const xml = facturae({ customer: { ...customer, company: { address } } })
    expect(xml).toContain('<Province>Tenerife</Province>')
  })

  it('has the terms of payment as additional information, and embeds attachments', () => {
    const document = issued({ payment_terms: '30 días' })
    const file = { file_name: 'albaran.pdf', content_type: 'application/pdf', data: 'JVBERi0=' }
    const { xml } = writeInvoice(document, 'facturae_3_2_2', { attachments: [file] })
    expect(xml).toContain('<InvoiceAdditionalInformation>30 días</InvoiceAdditionalInformation>')
    expect(readInvoice(required(xml)).attachments).toMatchObject([
      { content_type: 'application/pdf', data: 'JVBERi0=' },
    ])
    if (schema) expect(schema(required(xml))).toEqual([])
    const odd = { ...file, content_type: 'video/mp4' }
    const { errors } = writeInvoice(document, 'facturae_3_2_2', { attachments: [odd] })
    expect(errors).toMatchObject([{ path: '/attachments/0', extra: { reason: 'unknown_code' } }])
  })

  it('is calculated first if necessary, and refused if that fails', () => {
    const { xml } = writeInvoice(invoiceOf() as never, 'facturae_3_2_2')
    expect(xml).toBe(null)
    const sent = {
      ...invoiceOf(),
      invoice: {
        ...invoiceOf().invoice,
        totals: { total_gross_amount_before_taxes: 150, total_tax_outputs: 31.5, invoice_total: 181.5 },
      },
    }
    expect(writeInvoice(sent as never, 'facturae_3_2_2').xml).toContain('<InvoiceTotal>181.50')
    const { errors } = writeInvoice({ schema_version: 'json_1_1' } as never, 'facturae_3_2_2')
    expect(errors.map(({ extra }) => required(extra).reason)).toEqual(['not_calculated', 'not_calculated'])
  })

  it('requires a known format, or a TypeError is thrown', () => {
    expect(() => writeInvoice(issued(), 'pdf' as never)).toThrow(TypeError)
  })
})

describe('amounts that are zero in euros but not in the currency of the invoice', () => {
  const forints = (line: object, totals: object = {}) => {
    const document = invoiceOf({
      issue_data: {
        issue_date: '2026-02-10',
        invoice_currency: {
          invoice_currency_code: 'HUF',
          exchange_rate: 0.0025,
          exchange_rate_date: '2026-02-09',
        },
      },
      lines: [{ ...LINE, quantity: 1, ...line }],
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0, ...totals },
    })
    const { data } = validate(
      { ...document, meta: { ...document.meta, direction: 'received' } },
      { operation: 'received' },
    )
    return required(data)
  }

  it('are written and read back', () => {
    const general_discounts = [{ discount_reason: 'Redondeo', discount_amount: 1 }]
    const document = forints({ unit_price_without_tax: 10000 }, { general_discounts })
    const { xml, errors } = writeInvoice(document, 'facturae_3_2_2')
    expect(errors).toEqual([])
    expect(xml).toContain('<TotalGeneralDiscounts>1.00</TotalGeneralDiscounts>')
    const read = readInvoice(required(xml))
    expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(read.document?.invoice.totals).toMatchObject({ total_gross_amount_before_taxes: 9999 })
  })

  it('are written even if all are zero in euros', () => {
    const document = forints({ unit_price_without_tax: 1, tax_output_rate: 0 })
    const { xml } = writeInvoice(document, 'facturae_3_2_2')
    expect(readInvoice(required(xml)).document?.invoice.totals).toMatchObject({ invoice_total: 1 })
  })

  it('are refused by UBL if it cannot carry them', () => {
    const document = forints({ unit_price_without_tax: 1 })
    Object.assign(required(document.invoice.totals.invoice_currency), { total_reimbursable_expenses: 1 })
    expect(writeInvoice(document, 'ubl_2_1').errors).toMatchObject([
      { extra: { reason: 'reimbursable_expenses' } },
    ])
  })
})
