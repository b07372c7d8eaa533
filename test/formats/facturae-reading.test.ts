/** Reading each part of a Facturae document. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readInvoice, splitInvoices } from '#formats/index.ts'
import { changed, facturae, invoiceOf, LINE, reading } from './invoice.ts'

const INVOICE = '/Facturae/Invoices/Invoice[1]'
const TOTALS = `${INVOICE}/InvoiceTotals`

/** Matches the first element of a name, with its text. */
const element = (name: string): RegExp => new RegExp(`<${name}>[^<]*</${name}>`)
const of = (name: string, text: string): string => `<${name}>${text}</${name}>`

describe('sums', () => {
  const withheld = facturae({ lines: [{ ...LINE, tax_withheld_rate: 15 }] })

  it('convert a total after withholding to one before it', () => {
    expect(withheld).toContain(of('InvoiceTotal', '159.00'))
    const { invoice, errors } = reading(withheld)
    expect(errors).toEqual([])
    expect(invoice?.totals).toMatchObject({
      invoice_total: 181.5,
      total_taxes_withheld: 22.5,
      total_executable_amount: 159,
    })
  })

  it('accept a total that was written before withholding', () => {
    const xml = changed(
      withheld,
      [element('InvoiceTotal'), of('InvoiceTotal', '181.50')],
      [/<TotalInvoicesAmount>\s*<TotalAmount>159.00/, '<TotalInvoicesAmount><TotalAmount>181.50'],
    )
    const { invoice, errors } = reading(xml)
    expect(errors).toEqual([])
    expect(invoice?.totals).toMatchObject({ invoice_total: 181.5, total_executable_amount: 159 })
  })

  it.each([
    ['TotalGrossAmount', '150.50', 150],
    ['TotalGrossAmountBeforeTaxes', '149.00', 150],
    ['InvoiceTotal', '1815.00', 181.5],
    ['TotalExecutableAmount', '180.00', 181.5],
  ])('%s of %s is refused with both amounts', (name, wrong, expected) => {
    const xml = changed(facturae(), [
      new RegExp(String.raw`(<InvoiceTotals>[\s\S]*?)<${name}>[^<]*<`),
      `$1<${name}>${wrong}<`,
    ])
    const { document, items } = reading(xml)
    expect(document).toBeNull()
    expect(items).toContainEqual(
      expect.objectContaining({
        code: 'format.sum',
        path: `${TOTALS}/${name}`,
        extra: expect.objectContaining({ expected, received: Number(wrong), line: expect.any(Number) }),
      }),
    )
  })

  it('refuse a breakdown that the lines do not give, with both amounts', () => {
    const xml = changed(
      facturae(),
      [/(<\/InvoiceIssueData>[\s\S]*?<TaxAmount>\s*<TotalAmount>)31.50/, '$130.00'],
      [element('TotalTaxOutputs'), of('TotalTaxOutputs', '30.00')],
      [element('InvoiceTotal'), of('InvoiceTotal', '180.00')],
      [/(<InvoiceTotals>[\s\S]*<TotalOutstandingAmount>)181.50/, '$1180.00'],
      [/(<InvoiceTotals>[\s\S]*<TotalExecutableAmount>)181.50/, '$1180.00'],
      [/(<TotalInvoicesAmount>\s*<TotalAmount>)181.50/, '$1180.00'],
      [/(<TotalOutstandingAmount>\s*<TotalAmount>)181.50/, '$1180.00'],
      [/(<TotalExecutableAmount>\s*<TotalAmount>)181.50/, '$1180.00'],
    )
    const { document, items } = reading(xml)
    expect(document).toBeNull()
    expect(items).toContainEqual(
      expect.objectContaining({
        code: 'format.totals',
        path: `${TOTALS}/TotalTaxOutputs`,
        extra: expect.objectContaining({ expected: 31.5, received: 30, member: 'total_tax_outputs' }),
      }),
    )
  })

  it('refuse a file header that does not match its invoices', () => {
    const xml = changed(
      facturae(),
      [element('InvoicesCount'), of('InvoicesCount', '2')],
      [/(<TotalInvoicesAmount>\s*<TotalAmount>)181.50/, '$1281.50'],
    )
    const batch = '/Facturae/FileHeader/Batch'
    expect(reading(xml).errors).toEqual([
      `format.sum ${batch}/InvoicesCount`,
      `format.sum ${batch}/TotalInvoicesAmount`,
    ])
  })

  it.each([
    [
      'Subsidies',
      '<Subsidies><Subsidy><SubsidyDescription>Ayuda</SubsidyDescription><SubsidyAmount>10.00</SubsidyAmount></Subsidy></Subsidies>',
      '$&',
    ],
    [
      'AmountsWithheld',
      '',
      '<AmountsWithheld><WithholdingReason>Garantía</WithholdingReason><WithholdingAmount>10.00</WithholdingAmount></AmountsWithheld>',
    ],
  ])('refuse %s, which changes the amount payable', (name, before, after) => {
    const lower = (xml: string) =>
      xml.replaceAll('>181.50</TotalExecutableAmount>', '>171.50</TotalExecutableAmount>')
    const text = facturae()
    const at = /<TotalOutstandingAmount>181.50<\/TotalOutstandingAmount>\n/
    const outstanding = before === '' ? '181.50' : '171.50'
    const xml = changed(
      lower(text),
      [
        at,
        `${before}<TotalOutstandingAmount>${outstanding}</TotalOutstandingAmount>${before === '' ? after : ''}`,
      ],
      [/(<TotalExecutableAmount>\s*<TotalAmount>)181.50/, '$1171.50'],
      ...(before === '' ? [] : [[/(<TotalOutstandingAmount>\s*<TotalAmount>)181.50/, '$1171.50'] as const]),
    )
    expect(reading(xml).errors).toEqual([`format.amount_not_carried ${TOTALS}/${name}`])
  })

  it('tolerate a cent for each line and each tax, and keep the stated amounts', () => {
    const lines = [1, 2, 3].map(() => ({ ...LINE, quantity: 1, unit_price_without_tax: 0.335 }))
    const xml = facturae({ lines }).replaceAll('1.23', '1.22').replaceAll('1.02', '1.01')
    const { invoice, errors } = reading(xml)
    expect(errors).toEqual([])
    expect(invoice?.totals).toMatchObject({
      total_gross_amount_before_taxes: 1.01,
      invoice_total: 1.22,
      total_executable_amount: 1.22,
    })
    expect(invoice?.totals.rounding_amount).toBeUndefined()
  })
})

describe('lines without tax', () => {
  const zero = { ...LINE, tax_output_rate: 0 }
  const treatmentOf = (literal: string) => {
    const xml = facturae({ lines: [zero], legal_literals: [{ legal_reference: literal }] })
    const { errors, invoice } = reading(xml)
    expect(errors).toEqual([])
    const line = required(required(invoice).lines[0])
    return [line.tax_treatment_code, line.exemption_reason_code ?? line.non_taxable_reason]
  }

  it.each([
    ['Operación con inversión del sujeto pasivo', 'TAXABLE_NON_EXEMPT_RC', undefined],
    ['Reverse charge', 'TAXABLE_NON_EXEMPT_RC', undefined],
    ['Aplicación del art. 84.Uno.2.º Ley 37/1992', 'TAXABLE_NON_EXEMPT_RC', undefined],
    ['Exenta por el artículo 20.Uno.9.º', 'TAXABLE_EXEMPT', 'E1'],
    ['Exención del art. 21', 'TAXABLE_EXEMPT', 'E2'],
    ['Operación exenta, art. 22', 'TAXABLE_EXEMPT', 'E3'],
    ['Operación exenta, art. 24', 'TAXABLE_EXEMPT', 'E4'],
    ['Entrega intracomunitaria exenta', 'TAXABLE_EXEMPT', 'E5'],
    ['Operación exenta', 'TAXABLE_EXEMPT', 'E6'],
    ['Operación no sujeta', 'NON_TAXABLE', 'LOCATION_RULES'],
    ['Plazo de pago de 30 días', 'TAXABLE_NON_EXEMPT', undefined],
  ])('"%s" means %s %s for lines at 0 %', (literal, treatment, reason) => {
    expect(treatmentOf(literal)).toEqual([treatment, reason])
  })

  it('each treatment of a mixed invoice comes back, including a rate of 0', () => {
    const lines = [
      LINE,
      { ...LINE, tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' },
      { ...LINE, tax_treatment_code: 'NON_TAXABLE', non_taxable_reason: 'ARTICLES_7_14_OTHER' },
      { ...LINE, tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' },
      zero,
    ]
    const { invoice, errors, warnings } = reading(facturae({ lines }))
    expect([...errors, ...warnings]).toEqual([])
    expect(invoice?.lines.map((line) => line.tax_treatment_code)).toEqual([
      'TAXABLE_NON_EXEMPT',
      'TAXABLE_EXEMPT',
      'NON_TAXABLE',
      'TAXABLE_NON_EXEMPT_RC',
      'TAXABLE_NON_EXEMPT',
    ])
    expect(invoice?.taxes_outputs).toHaveLength(5)
  })

  it('a charge outside of every base becomes a line not subject to tax, with a warning', () => {
    const xml = changed(
      facturae(),
      [
        element('TotalGrossAmountBeforeTaxes'),
        '<GeneralSurcharges><Charge><ChargeReason>Tasa</ChargeReason><ChargeAmount>10.00</ChargeAmount></Charge></GeneralSurcharges><TotalGrossAmountBeforeTaxes>160.00</TotalGrossAmountBeforeTaxes>',
      ],
      [/181\.50/g, '191.50'],
    )
    const { invoice, warnings, errors } = reading(xml)
    expect(errors).toEqual([])
    expect(warnings).toEqual([`format.outside_of_base ${TOTALS}/GeneralSurcharges/Charge[1]`])
    expect(invoice?.lines[1]).toMatchObject({
      item_description: 'Tasa',
      unit_price_without_tax: 10,
      tax_treatment_code: 'NON_TAXABLE',
    })
    expect(invoice?.totals).toMatchObject({ total_gross_amount_before_taxes: 160, invoice_total: 191.5 })
  })
})

describe('a document that cannot be calculated', () => {
  it('says why: without a number', () => {
    const { invoice, errors } = reading(
      changed(facturae(), [element('InvoiceNumber'), of('InvoiceNumber', '')]),
    )
    expect(invoice).toBeUndefined()
    expect(errors).toEqual([`format.not_canonical ${INVOICE}/InvoiceHeader/InvoiceNumber`])
  })
})

describe('taxes', () => {
  it.each([
    ['02', 'IPSI'],
    ['03', 'IGIC'],
  ])('type %s is the tax group %s', (type, group) => {
    const xml = facturae().replaceAll(of('TaxTypeCode', '01'), of('TaxTypeCode', type))
    expect(reading(xml).invoice?.issue_data.tax_group_code).toBe(group)
  })

  it('other taxes are refused', () => {
    const xml = facturae().replaceAll(of('TaxTypeCode', '01'), of('TaxTypeCode', '07'))
    expect(reading(xml).errors).toEqual([
      `format.tax_not_supported ${INVOICE}/Items/InvoiceLine[1]/TaxesOutputs/Tax[1]/TaxTypeCode`,
    ])
  })

  it('two taxes on one line are refused', () => {
    const xml = changed(facturae(), [/(<InvoiceLine>[\s\S]*?)(<Tax>[\s\S]*?<\/Tax>)/, '$1$2$2'])
    expect(reading(xml).errors).toEqual([`format.several_taxes ${INVOICE}/Items/InvoiceLine[1]/TaxesOutputs`])
  })

  it('a withholding stated only by the document applies to all lines, or to those with tax', () => {
    const lines = [
      { ...LINE, tax_withheld_rate: 15 },
      { ...LINE, tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' },
    ]
    const none = (xml: string) =>
      xml.replaceAll(/(<InvoiceLine>[\s\S]*?)<TaxesWithheld>[\s\S]*?<\/TaxesWithheld>/g, '$1')
    const { invoice, errors } = reading(none(facturae({ lines })))
    expect(errors).toEqual([])
    expect(invoice?.lines.map((line) => line.tax_withheld_rate)).toEqual([15, undefined])
    const both = reading(none(facturae({ lines: lines.map((line) => ({ ...line, tax_withheld_rate: 7 })) })))
    expect(both.invoice?.lines.map((line) => line.tax_withheld_rate)).toEqual([7, 7])
    const halves = [required(lines[0]), { ...LINE, tax_output_rate: 10 }]
    expect(reading(none(facturae({ lines: halves }))).errors).toEqual([
      `format.withholding_unassigned ${INVOICE}/TaxesWithheld`,
    ])
  })

  it('the rate of a discount and of a charge comes back with its amount, unless it exceeds 100 %', () => {
    const xml = facturae({ lines: [{ ...LINE, discount_rate: 10, charge_rate: 4 }] })
    const { invoice, errors } = reading(xml)
    expect(errors).toEqual([])
    expect(invoice?.lines[0]).toMatchObject({
      discount_rate: 10,
      discount_amount: 15,
      charge_rate: 4,
      charge_amount: 6,
    })
    const line = reading(changed(xml, [element('DiscountRate'), of('DiscountRate', '110.00')])).invoice
      ?.lines[0]
    expect(line).toMatchObject({ discount_amount: 15 })
    expect(line).not.toHaveProperty('discount_rate')
  })

  it('the purchase price of a line under the margin scheme comes back from its base', () => {
    const lines = [{ ...LINE, unit_price_without_tax: 100, tax_regime_key: '03', purchase_price_incl: 250 }]
    const { invoice, errors } = reading(facturae({ lines }))
    expect(errors).toEqual([])
    expect(invoice?.lines[0]).toMatchObject({ tax_regime_key: '03', purchase_price_incl: 250 })
    expect(invoice?.legal_literals).toEqual([
      { code: '003', legal_reference: 'Régimen especial de los bienes usados' },
    ])
  })

  it('the equivalence surcharge comes from the breakdown', () => {
    const taxes_outputs = [{ tax_rate: 21, taxable_base: 150, tax_amount: 31.5, equivalence_surcharge: 5.2 }]
    const xml = facturae({ taxes_outputs })
    expect(xml.match(/EquivalenceSurcharge>5.20</g)).toHaveLength(2)
    const invoice = required(reading(xml).invoice)
    expect(invoice.taxes_outputs).toMatchObject([
      { equivalence_surcharge: 5.2, equivalence_surcharge_amount: 7.8 },
    ])
    expect(invoice.totals).toMatchObject({ total_tax_outputs: 39.3, invoice_total: 189.3 })
  })
})

describe('parties, header and other parts', () => {
  it.each([
    ['F26', '0007', 'F260007'],
    ['F26', 'F26-0007', 'F26-0007'],
    ['F-26', 'f26/0007', 'f26/0007'],
    ['', '0007', '0007'],
  ])('series %s and number %s give the number %s', (series, number, expected) => {
    const xml = changed(
      facturae(),
      [element('InvoiceNumber'), of('InvoiceNumber', number)],
      [element('InvoiceSeriesCode'), of('InvoiceSeriesCode', series)],
    )
    expect(reading(xml).invoice?.header.invoice_number).toBe(expected)
  })

  it.each([
    ['FC', 'OO', '01'],
    ['FC', 'OC', '01'],
    ['FC', 'CO', '01'],
    ['FA', 'OO', '02'],
    ['FC', 'OR', '03'],
    ['FA', 'CR', '04'],
    ['AF', 'OO', '05'],
  ])('%s %s gives the type %s', (document, kind, expected) => {
    const xml = changed(
      facturae(),
      [element('InvoiceDocumentType'), of('InvoiceDocumentType', document)],
      [element('InvoiceClass'), of('InvoiceClass', kind)],
    )
    expect(reading(xml).invoice?.header.invoice_type_code).toBe(expected)
  })

  it('an invoice issued by the buyer is a self-invoice', () => {
    const xml = changed(facturae(), [element('InvoiceIssuerType'), of('InvoiceIssuerType', 'RE')])
    expect(reading(xml).invoice?.header.invoice_type_code).toBe('05')
  })

  it('a correction comes back with its reason, even if Facturae lacks the reason', () => {
    const header = (reason_code: string) => ({
      invoice_type_code: '03',
      invoice_series_code: 'R26',
      invoice_number: 'R26-1',
      corrective: {
        reason_code,
        reason_description: 'Impago',
        correction_type: 'D',
        invoice_series_code: 'F26',
        invoice_number: 'F26-0007',
        invoice_issue_date: '2024-02-10',
      },
    })
    for (const reason of ['01', '16', '17', '22', '23', '24', '25']) {
      const { invoice, errors } = reading(facturae({ header: header(reason) }))
      expect(errors).toEqual([])
      expect(invoice?.header.corrective).toEqual({
        ...header(reason).corrective,
        tax_period: { start_date: '2024-02-01', end_date: '2024-02-29' },
      })
    }
  })

  it.each([
    ['ESB77777779', 'B77777779'],
    ['ES-B77.777.779', 'B77777779'],
    ['FR40303265045', 'FR40303265045'],
    ['ES12', 'ES12'],
  ])('the tax id %s is read as %s', (written, expected) => {
    const xml = changed(facturae(), [
      of('TaxIdentificationNumber', 'B77777779'),
      of('TaxIdentificationNumber', written),
    ])
    expect(reading(xml).invoice?.customer?.tax_id).toBe(expected)
  })

  it('post code and town of a foreign party are split', () => {
    const customer = {
      person_type_code: 'J',
      tax_id: 'FR40303265045',
      name: 'Société Inventée',
      country_code: 'FR',
      company: { address: { address: 'Rue 7', post_code: '75001', town: 'Paris', country_code: 'FR' } },
    }
    const xml = facturae({ customer })
    expect(xml).toContain(of('PostCodeAndTown', '75001 Paris'))
    expect(xml).toContain(of('ResidenceTypeCode', 'U'))
    expect(xml).toContain(of('TaxIdentificationNumber', 'ESB12345674'))
    const invoice = required(reading(xml).invoice)
    expect(invoice.customer).toMatchObject(customer)
    expect(required(required(required(invoice.customer).company).address).country_subdivision).toBeUndefined()
    expect(invoice.supplier.tax_id).toBe('B12345674')
  })

  it('an exchange rate is read as euros per unit, in whichever direction it was written', () => {
    const block = { invoice_currency_code: 'USD', exchange_rate: 0.8, exchange_rate_date: '2026-03-13' }
    const line = {
      unit_price_without_tax: 62.5,
      total_cost_without_tax: 187.5,
      gross_amount_without_tax: 187.5,
      tax_output_base: 187.5,
      tax_output_amount: 39.38,
    }
    const xml = facturae({
      issue_data: { issue_date: '2026-03-16', invoice_currency: block },
      lines: [{ ...LINE, invoice_currency: line }],
      taxes_outputs: [
        {
          tax_rate: 21,
          taxable_base: 150,
          tax_amount: 31.5,
          invoice_currency: { taxable_base: 187.5, tax_amount: 39.38 },
        },
      ],
      totals: {
        total_gross_amount_before_taxes: 150,
        total_tax_outputs: 31.5,
        invoice_total: 181.5,
        invoice_currency: {
          total_gross_amount: 187.5,
          total_gross_amount_before_taxes: 187.5,
          total_tax_outputs: 39.38,
          invoice_total: 226.88,
          total_executable_amount: 226.88,
        },
      },
    })
    expect(xml).toContain(of('EquivalentInEuros', '150.00'))
    for (const written of ['0.80', '1.25']) {
      const { invoice, errors } = reading(
        changed(xml, [element('ExchangeRate'), of('ExchangeRate', written.padEnd(6, '0'))]),
      )
      expect(errors).toEqual([])
      expect(invoice?.issue_data.invoice_currency).toEqual(block)
      expect(invoice?.totals.invoice_total).toBe(226.88)
    }
  })

  it('each unsupported element is reported once, with its number of occurrences', () => {
    const line = '<IssuerTransactionReference>X</IssuerTransactionReference>'
    const xml = changed(
      facturae({ lines: [LINE, LINE] }).replaceAll('<InvoiceLine>', `<InvoiceLine>${line}`),
      [element('LanguageName'), of('LanguageName', 'en')],
    )
    const { warnings, items } = reading(xml)
    expect(warnings).toEqual([
      `format.omitted ${INVOICE}/InvoiceIssueData/LanguageName`,
      `format.omitted ${INVOICE}/Items/InvoiceLine[1]/IssuerTransactionReference`,
    ])
    expect(items[1]?.extra).toMatchObject({ received: 2 })
  })

  it('embedded files are returned', () => {
    const file =
      '<RelatedDocuments><Attachment><AttachmentFormat>pdf</AttachmentFormat><AttachmentEncoding>BASE64</AttachmentEncoding><AttachmentDescription>Albarán</AttachmentDescription><AttachmentData>JVBERi0=</AttachmentData></Attachment></RelatedDocuments>'
    const xml = changed(facturae(), ['</Items>', `</Items><AdditionalData>${file}</AdditionalData>`])
    expect(reading(xml).attachments).toEqual([
      {
        file_name: 'attachment-1.pdf',
        content_type: 'application/pdf',
        data: 'JVBERi0=',
        description: 'Albarán',
      },
    ])
  })

  it('content that the canonical form refuses is refused with its element', () => {
    const xml = changed(facturae(), [element('ItemDescription'), of('ItemDescription', ' ')])
    const { errors, items } = reading(xml)
    expect(errors).toEqual([`format.not_canonical ${INVOICE}/Items/InvoiceLine[1]/ItemDescription`])
    expect(items[0]?.extra).toMatchObject({ canonical_path: '/invoice/lines/0/item_description' })
  })
})

describe('the file', () => {
  it('is refused if empty, of an unknown format or of another format', () => {
    expect(reading('').errors).toEqual(['format.empty '])
    expect(reading('<html/>').errors).toEqual(['format.unknown /html'])
    const { errors, document } = readInvoice(facturae(), { format: 'facturae_3_2_1' })
    expect(document).toBeNull()
    expect(errors).toMatchObject([
      { code: 'format.different', extra: { expected: 'facturae_3_2_1', received: 'facturae_3_2_2' } },
    ])
  })

  it('messages are in the requested language and state the line', () => {
    const xml = changed(facturae(), [element('TotalTaxOutputs'), ''])
    const { errors } = readInvoice(xml, { locale: 'es' })
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(
      /^Línea \d+: falta TotalTaxOutputs dentro de InvoiceTotals\. Añada TotalTaxOutputs/,
    )
  })

  it('invalid options throw a TypeError', () => {
    expect(() => readInvoice('<a/>', { locale: 'fr' as never })).toThrow(TypeError)
    expect(() => readInvoice('<a/>', { format: 'pdf' as never })).toThrow(TypeError)
    expect(() => readInvoice(7 as never)).toThrow(TypeError)
  })

  it('a file of one invoice is split into itself', () => {
    const xml = facturae()
    expect(splitInvoices(xml)).toEqual({ format: 'facturae_3_2_2', documents: [xml], errors: [] })
  })

  it('the document contains no computed members, so it can be sent unchanged', () => {
    const { document } = reading(facturae())
    expect(document).toMatchObject({ meta: { direction: 'received', original_format: 'facturae_3_2_2' } })
    expect(document?.invoice.customer?.name).toBe(invoiceOf().invoice.customer.name)
  })
})
