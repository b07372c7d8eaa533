/** The rules of EN 16931 that protect amounts, each broken once, and reading every part of a document. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { issued } from './invoice.ts'

const money = (name: string, amount: string) => `<cbc:${name} currencyID="EUR">${amount}</cbc:${name}>`
const category = (id: string, rate: string | null, name = 'TaxCategory', reason = '') =>
  `<cac:${name}><cbc:ID>${id}</cbc:ID>${rate === null ? '' : `<cbc:Percent>${rate}</cbc:Percent>`}${reason}<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`

interface LineParts {
  readonly id?: string
  readonly quantity?: string
  readonly unit?: string
  readonly net?: string
  readonly price?: string
  readonly per?: string
  readonly more?: string
  readonly category?: string
  readonly rate?: string | null
}
const line = ({
  id = '1',
  quantity = '2',
  unit = 'C62',
  net = '100.00',
  price = '50',
  per,
  more = '',
  category: code = 'S',
  rate = '21',
}: LineParts = {}) =>
  `<cac:InvoiceLine><cbc:ID>${id}</cbc:ID><cbc:InvoicedQuantity unitCode="${unit}">${quantity}</cbc:InvoicedQuantity>${money('LineExtensionAmount', net)}${more}<cac:Item><cbc:Name>Cable</cbc:Name>${category(code, rate, 'ClassifiedTaxCategory')}</cac:Item><cac:Price>${money('PriceAmount', price)}${per === undefined ? '' : `<cbc:BaseQuantity>${per}</cbc:BaseQuantity>`}</cac:Price></cac:InvoiceLine>`

const subtotal = (base: string, tax: string, code = 'S', rate: string | null = '21', reason = '') =>
  `<cac:TaxSubtotal>${money('TaxableAmount', base)}${money('TaxAmount', tax)}${category(code, rate, 'TaxCategory', reason)}</cac:TaxSubtotal>`

const allowance = (isCharge: boolean, amount: string, rate = '21', reason = 'Pronto pago') =>
  `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${reason}</cbc:AllowanceChargeReason>${money('Amount', amount)}${category('S', rate)}</cac:AllowanceCharge>`

const party = (name: string, id: string, country = 'ES') =>
  `<cac:Party><cac:PostalAddress><cac:Country><cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${id}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`

interface Parts {
  readonly type?: string
  readonly notes?: string
  readonly currency?: string
  readonly head?: string
  readonly seller?: string
  readonly allowances?: string
  readonly tax?: string
  readonly subtotals?: string
  readonly sums?: Readonly<Record<string, string>>
  readonly lines?: string
}

const SUMS = {
  LineExtensionAmount: '100.00',
  TaxExclusiveAmount: '100.00',
  TaxInclusiveAmount: '121.00',
  AllowanceTotalAmount: '',
  ChargeTotalAmount: '',
  PrepaidAmount: '',
  PayableRoundingAmount: '',
  PayableAmount: '121.00',
}

const totals = (exclusive: string, inclusive: string) => ({
  TaxExclusiveAmount: exclusive,
  TaxInclusiveAmount: inclusive,
  PayableAmount: inclusive,
})

const ubl = ({
  type = '380',
  notes = '',
  currency = '',
  head = '',
  seller = party('Calderas Ficticias, S.L.', 'ESB12345674'),
  allowances = '',
  tax = '21.00',
  subtotals = subtotal('100.00', '21.00'),
  sums = {},
  lines = line(),
}: Parts = {}) => `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID><cbc:ID>A-1</cbc:ID><cbc:IssueDate>2026-03-16</cbc:IssueDate><cbc:DueDate>2026-04-15</cbc:DueDate><cbc:InvoiceTypeCode>${type}</cbc:InvoiceTypeCode>${notes}<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>${currency}${head}
<cac:AccountingSupplierParty>${seller}</cac:AccountingSupplierParty>
<cac:AccountingCustomerParty>${party('Estudio Imaginado, S.L.', 'ESB77777779')}</cac:AccountingCustomerParty>
${allowances}<cac:TaxTotal>${money('TaxAmount', tax)}${subtotals}</cac:TaxTotal>
<cac:LegalMonetaryTotal>${Object.entries({ ...SUMS, ...sums })
  .filter(([, amount]) => amount !== '')
  .map(([name, amount]) => money(name, amount))
  .join('')}</cac:LegalMonetaryTotal>
${lines}</Invoice>`

const ciiOf = (): string => required(writeInvoice(issued(), 'cii_d16b').xml)

const found = (parts: Parts) => {
  const { document, errors } = readInvoice(ubl(parts))
  return { document, errors, codes: errors.map(({ code, extra }) => `${code} ${extra?.rule ?? ''}`.trim()) }
}
const invoiceOf = (parts: Parts) => {
  const { document, errors } = found(parts)
  expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
  return required(document).invoice
}

describe('sums of EN 16931', () => {
  it('a document that adds up is read without items', () => {
    expect(found({}).codes).toEqual([])
  })

  for (const [rule, parts] of [
    ['BR-CO-10', { sums: { LineExtensionAmount: '100.01', ...totals('100.01', '121.01') } }],
    ['BR-CO-11', { sums: { AllowanceTotalAmount: '1.00', ...totals('99.00', '120.00') } }],
    ['BR-CO-12', { sums: { ChargeTotalAmount: '1.00', ...totals('101.00', '122.00') } }],
    ['BR-CO-13', { sums: totals('99.99', '120.99') }],
    ['BR-CO-14', { tax: '21.01', sums: totals('100.00', '121.01') }],
    ['BR-CO-15', { sums: totals('100.00', '121.01') }],
    ['BR-CO-16', { sums: { PayableAmount: '120.99' } }],
    ['BR-S-08', { subtotals: subtotal('99.00', '21.00') }],
    ['BR-CO-17', { tax: '23.00', subtotals: subtotal('100.00', '23.00'), sums: totals('100.00', '123.00') }],
  ] as const)
    it(`${rule}: a wrong sum is refused with both amounts`, () => {
      const { document, errors } = found(parts)
      expect(document).toBeNull()
      const item = errors.find(({ extra }) => extra?.rule === rule)
      expect(item).toMatchObject({ code: 'en16931.sum', severity: 'error' })
      expect(required(required(item).extra).expected).not.toBe(required(required(item).extra).received)
      expect(item?.extra?.line).toBeGreaterThan(0)
    })

  it('messages are in both languages and have the element, both amounts and the rule', () => {
    const xml = ubl({ sums: { PayableAmount: '1.00' } })
    const text = (locale: 'en' | 'es') => required(readInvoice(xml, { locale }).errors[0]).message
    expect(text('en')).toMatch(/PayableAmount is 1; BT-112 − BT-113 \+ BT-114 is 121 \(BR-CO-16\)/)
    expect(text('es')).toMatch(/PayableAmount es 1; .* da 121 \(BR-CO-16\)/)
  })

  it('an amount with three decimals, in another currency or not exact is refused', () => {
    expect(found({ lines: line({ net: '100.001' }) }).codes).toContain('en16931.decimals')
    expect(found({ sums: { PayableAmount: '121.000' } }).codes).toEqual([])
    const dollars = ubl().replace(
      'currencyID="EUR">121.00</cbc:PayableAmount',
      'currencyID="USD">121.00</cbc:PayableAmount',
    )
    expect(readInvoice(dollars).errors).toMatchObject([
      {
        code: 'en16931.currency',
        path: '/Invoice/LegalMonetaryTotal/PayableAmount',
        extra: { received: 'USD', expected: 'EUR' },
      },
    ])
    expect(found({ lines: line({ price: '12345678901234567' }) }).codes).toContain('en16931.number')
  })

  it('a negative price, a category without breakdown and one without reason are refused', () => {
    expect(found({ lines: line({ quantity: '-2', price: '-50' }) }).codes).toContain('en16931.price_negative')
    expect(found({ lines: line({ rate: '10' }) }).codes).toContain('en16931.breakdown')
    const exempt = {
      tax: '0.00',
      sums: totals('100.00', '100.00'),
      lines: line({ category: 'E', rate: '0' }),
    }
    expect(found({ ...exempt, subtotals: subtotal('100.00', '0.00', 'E', '0') }).codes).toEqual([
      'en16931.reason BR-E-10',
    ])
  })

  it('category O with another, category B and documents that are not invoices are refused', () => {
    const mixed = {
      lines: line() + line({ id: '2', category: 'O', rate: null }),
      subtotals:
        subtotal('100.00', '21.00') +
        subtotal('100.00', '0.00', 'O', null, '<cbc:TaxExemptionReason>No sujeta</cbc:TaxExemptionReason>'),
      sums: { LineExtensionAmount: '200.00', ...totals('200.00', '221.00') },
    }
    expect(found(mixed).codes).toEqual(['en16931.not_subject_mixed'])
    const split = { lines: line({ category: 'B' }), subtotals: subtotal('100.00', '21.00', 'B') }
    expect(found(split).codes).toContain('format.tax_not_supported')
    for (const type of ['325', '751']) expect(found({ type }).codes).toEqual(['format.document_type'])
  })
})

describe('lines', () => {
  it('a price for a hundred units is divided exactly', () => {
    const { lines } = invoiceOf({ lines: line({ quantity: '2500', price: '4', per: '100' }) })
    expect(lines[0]).toMatchObject({ quantity: 2500, unit_price_without_tax: 0.04 })
  })

  it('a price rounded by the issuer gives the amount of the line, with a warning', () => {
    const { document, errors } = found({ lines: line({ quantity: '300', price: '0.33' }) })
    expect(errors).toMatchObject([
      { code: 'en16931.price_rounded', severity: 'warning', extra: { received: 0.33, used: 0.33333333 } },
    ])
    expect(document?.invoice.lines[0]).toMatchObject({ quantity: 300, unit_price_without_tax: 0.33333333 })
  })

  it('a price unrelated to the amount is reported with both amounts, and refused if no price gives the amount', () => {
    expect(found({ lines: line({ price: '7' }) }).errors).toMatchObject([
      { code: 'en16931.line_price', severity: 'warning', extra: { received: 100, expected: 14, used: 50 } },
    ])
    expect(found({ lines: line({ quantity: '0' }) }).codes).toEqual(['en16931.line_net'])
  })

  it('allowances and charges of a line become its discount and charge; the discount of the price is informative', () => {
    const own = (isCharge: boolean, amount: string, percent = '') =>
      `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Por volumen</cbc:AllowanceChargeReason>${percent}${money('Amount', amount)}</cac:AllowanceCharge>`
    const percent = '<cbc:MultiplierFactorNumeric>10</cbc:MultiplierFactorNumeric>'
    const { lines } = invoiceOf({
      lines: line({ price: '55', more: own(false, '11.00', percent) + own(true, '1.00') }),
    })
    expect(lines[0]).toMatchObject({
      unit_price_without_tax: 55,
      discount_rate: 10,
      discount_amount: 11,
      charge_amount: 1,
      additional_line_item_information: 'Descuento: Por volumen\nCargo: Por volumen',
    })
  })

  it('a unit that the catalog lacks becomes "others", and its code is kept', () => {
    const units = (unit: string) => required(invoiceOf({ lines: line({ unit }) }).lines[0])
    expect(units('KWH').unit_of_measure).toBe('36')
    expect(units('XPU').unit_of_measure).toBe('07')
    expect(units('MTK')).toMatchObject({
      unit_of_measure: '05',
      additional_line_item_information: 'Unidad: MTK',
    })
  })
})

describe('document-level allowances', () => {
  const two = line() + line({ id: '2', rate: '10' })
  const sums = { LineExtensionAmount: '200.00', TaxExclusiveAmount: '180.00', AllowanceTotalAmount: '20.00' }

  it('are one general discount if spread as the engine does', () => {
    const invoice = invoiceOf({
      lines: two,
      allowances: allowance(false, '10.00') + allowance(false, '10.00', '10'),
      tax: '27.90',
      subtotals: subtotal('90.00', '18.90') + subtotal('90.00', '9.00', 'S', '10'),
      sums: { ...sums, TaxInclusiveAmount: '207.90', PayableAmount: '207.90' },
    })
    expect(invoice.lines).toHaveLength(2)
    expect(invoice.totals.general_discounts).toEqual([
      { discount_reason: 'Pronto pago', discount_amount: 20 },
    ])
  })

  it('become a line if they apply to one rate among several, and the totals stay', () => {
    const parts = {
      lines: two,
      allowances: allowance(false, '20.00'),
      tax: '26.80',
      subtotals: subtotal('80.00', '16.80') + subtotal('100.00', '10.00', 'S', '10'),
      sums: { ...sums, TaxInclusiveAmount: '206.80', PayableAmount: '206.80' },
    }
    const { document, codes } = found(parts)
    expect(codes).toEqual(['en16931.allowance_as_line'])
    expect(document?.invoice.lines[2]).toMatchObject({
      item_description: 'Pronto pago',
      quantity: -1,
      unit_price_without_tax: 20,
      tax_output_rate: 21,
    })
    const { totals } = required(validate(document, { operation: 'received', totals: 'check' }).data).invoice
    expect(totals).toMatchObject({
      total_gross_amount_before_taxes: 180,
      total_tax_outputs: 26.8,
      invoice_total: 206.8,
    })
  })
})

describe('types of document and of tax', () => {
  const untaxed = (code: string, reason: string, seller?: string) =>
    invoiceOf({
      ...(seller === undefined ? {} : { seller }),
      tax: '0.00',
      subtotals: subtotal('100.00', '0.00', code, code === 'O' ? null : '0', reason),
      sums: totals('100.00', '100.00'),
      lines: line({ category: code, rate: code === 'O' ? null : '0' }),
    }).lines[0]
  const vatex = (code: string) => `<cbc:TaxExemptionReasonCode>${code}</cbc:TaxExemptionReasonCode>`
  const why = (text: string) => `<cbc:TaxExemptionReason>${text}</cbc:TaxExemptionReason>`

  it('exemptions are read from VATEX, category or article', () => {
    expect(untaxed('E', vatex('VATEX-EU-132'))).toMatchObject({ exemption_reason_code: 'E1' })
    expect(untaxed('E', vatex('VATEX-EU-132-1I') + why('Enseñanza'))).toMatchObject({
      exemption_reason_code: 'E1',
      exemption_reason_text: 'VATEX-EU-132-1I: Enseñanza',
    })
    expect(untaxed('G', vatex('VATEX-EU-G'))).toMatchObject({ exemption_reason_code: 'E2' })
    expect(untaxed('E', why('Exenta, artículo 22 LIVA'))).toMatchObject({ exemption_reason_code: 'E3' })
    expect(untaxed('E', why('Arts. 23 y 24'))).toMatchObject({ exemption_reason_code: 'E4' })
    expect(untaxed('E', why('Otra causa'))).toMatchObject({
      exemption_reason_code: 'E6',
      exemption_reason_text: 'Otra causa',
    })
  })

  it('K is an intra-Community supply from a Spanish supplier, and reverse charge from a foreign one', () => {
    expect(untaxed('K', vatex('VATEX-EU-IC'))).toMatchObject({
      tax_treatment_code: 'TAXABLE_EXEMPT',
      exemption_reason_code: 'E5',
    })
    const abroad = party('Kessel GmbH', 'DE123456788', 'DE')
    expect(untaxed('K', vatex('VATEX-EU-IC'), abroad)).toMatchObject({
      tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC',
    })
    expect(untaxed('AE', vatex('VATEX-EU-AE'), abroad)).toMatchObject({
      tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC',
    })
    expect(untaxed('O', why('No sujeta, art. 7 LIVA'))).toMatchObject({
      tax_treatment_code: 'NON_TAXABLE',
      non_taxable_reason: 'ARTICLES_7_14_OTHER',
    })
  })

  it('L is IGIC, M is IPSI, and both together with IVA are refused', () => {
    const of = (code: string, rate: string, tax: string) =>
      invoiceOf({
        lines: line({ category: code, rate }),
        tax,
        subtotals: subtotal('100.00', tax, code, rate),
        sums: { TaxInclusiveAmount: `10${tax}`, PayableAmount: `10${tax}` },
      })
    expect(of('L', '7', '7.00').issue_data.tax_group_code).toBe('IGIC')
    expect(of('M', '4', '4.00').issue_data.tax_group_code).toBe('IPSI')
    const mixed = {
      lines: line() + line({ id: '2', category: 'L', rate: '7' }),
      tax: '28.00',
      subtotals: subtotal('100.00', '21.00') + subtotal('100.00', '7.00', 'L', '7'),
      sums: {
        LineExtensionAmount: '200.00',
        TaxExclusiveAmount: '200.00',
        TaxInclusiveAmount: '228.00',
        PayableAmount: '228.00',
      },
    }
    expect(found(mixed).codes).toEqual(['format.several_tax_groups'])
  })

  it('384 replaces if positive and corrects by differences if negative; 389 is a self-invoice', () => {
    const preceding =
      '<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>A-0</cbc:ID><cbc:IssueDate>2026-01-31+01:00</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>'
    const negative = {
      lines: line({ quantity: '-2', net: '-100.00' }),
      tax: '-21.00',
      subtotals: subtotal('-100.00', '-21.00'),
      sums: {
        LineExtensionAmount: '-100.00',
        TaxExclusiveAmount: '-100.00',
        TaxInclusiveAmount: '-121.00',
        PayableAmount: '-121.00',
      },
    }
    expect(invoiceOf({ type: '384', head: preceding }).header).toEqual({
      invoice_type_code: '03',
      invoice_number: 'A-1',
      corrective: {
        reason_code: '25',
        invoice_number: 'A-0',
        invoice_issue_date: '2026-01-31',
        correction_type: 'S',
      },
    })
    expect(invoiceOf({ type: '384', head: preceding, ...negative }).header.corrective?.correction_type).toBe(
      'D',
    )
    expect(invoiceOf({ type: '383' }).header.corrective?.correction_type).toBe('D')
    expect(invoiceOf({ type: '389' }).header.invoice_type_code).toBe('05')
    expect(invoiceOf({ head: preceding }).additional_data?.related_invoice).toEqual({
      number: 'A-0',
      issue_date: '2026-01-31',
    })
  })

  it('the cash basis is read from its mention, as literal and regime key', () => {
    const invoice = invoiceOf({ notes: '<cbc:Note>Régimen especial del criterio de caja</cbc:Note>' })
    expect(invoice.legal_literals).toEqual([
      { code: '007', legal_reference: 'Régimen especial del criterio de caja' },
    ])
    expect(invoice.lines[0]?.tax_regime_key).toBe('07')
  })

  it('tax in euros next to another currency gives the exchange rate', () => {
    const xml = ubl({ currency: '<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>' })
      .replaceAll('currencyID="EUR"', 'currencyID="USD"')
      .replace('<cbc:DocumentCurrencyCode>EUR', '<cbc:DocumentCurrencyCode>USD')
      .replace(
        '<cac:LegalMonetaryTotal>',
        `<cac:TaxTotal>${money('TaxAmount', '18.90')}</cac:TaxTotal><cac:LegalMonetaryTotal>`,
      )
    const { document, errors } = readInvoice(xml)
    expect(errors.map(({ code }) => code)).toEqual(['en16931.exchange_rate'])
    expect(document?.invoice.issue_data.invoice_currency).toEqual({
      invoice_currency_code: 'USD',
      exchange_rate: 0.9,
      exchange_rate_date: '2026-03-16',
    })
    expect(document?.invoice.totals.invoice_total).toBe(121)
  })
})

describe('content without a term', () => {
  it('is kept as text if informative, and reported if omitted', () => {
    const { document, errors } = found({
      head: '<cac:DespatchDocumentReference><cbc:ID>ALB-7</cbc:ID></cac:DespatchDocumentReference><cac:StatementDocumentReference><cbc:ID>X</cbc:ID></cac:StatementDocumentReference>',
    })
    expect(document?.invoice.additional_data?.invoice_additional_information).toBe('Albarán: ALB-7')
    expect(errors).toMatchObject([
      { code: 'format.omitted', severity: 'warning', path: '/Invoice/StatementDocumentReference[1]' },
    ])
  })
})

describe('countries that json_1_1 does not have', () => {
  const seller = (id: string, country: string) => ({ seller: party('Ficción', id, country) })

  it('are replaced by that of the VAT number, with a warning', () => {
    const { document, errors } = found(seller('NL004495445B01', 'AN'))
    expect(document?.invoice.supplier).toMatchObject({ tax_id: 'NL004495445B01', country_code: 'NL' })
    expect(errors).toMatchObject([
      { code: 'en16931.country', severity: 'warning', extra: { received: 'AN', used: 'NL', line: 4 } },
    ])
    expect(found(seller('EL094259216', 'EL')).document?.invoice.supplier.country_code).toBe('GR')
  })

  it('a missing country is read as Spain with a warning, unless the tax id is Spanish', () => {
    const none = (id: string) =>
      found({ seller: party('Ficción', id).replace(/<cac:PostalAddress>.*<\/cac:PostalAddress>/, '') }).errors
    expect(none('810123456')).toMatchObject([
      { code: 'en16931.assumed', severity: 'warning', extra: { term: 'BT-40', used: 'ES' } },
    ])
    expect(none('B12345674')).toEqual([])
  })

  it('are refused without a VAT number: the party would become Spanish', () => {
    for (const country of ['1A', 'XK', 'ZZ']) {
      const { document, codes } = found(seller('810123456', country))
      expect(document).toBeNull()
      expect(codes).toEqual(['en16931.country_unknown'])
    }
  })
})

describe('a first note that is too long for a description', () => {
  const long = `${'palabra '.repeat(66)}🦤 fin`
  const notes = `<cbc:Note>${long}</cbc:Note><cbc:Note>corta</cbc:Note>`

  it('becomes additional information in both formats', () => {
    const { invoice_description, ...issue } = invoiceOf({ notes }).issue_data
    expect([invoice_description, issue.issue_date]).toEqual([undefined, '2026-03-16'])
    expect(invoiceOf({ notes }).additional_data?.invoice_additional_information).toBe(`${long}\ncorta`)
    const cii = ciiOf().replace('<ram:TypeCode>380</ram:TypeCode>', (type) => `${type}DATE`)
    const [, date] = required(/(<ram:IssueDateTime>.*?<\/ram:IssueDateTime>)/s.exec(cii))
    const noted = cii
      .replace(required(date), '')
      .replace('DATE', `${date}<ram:IncludedNote><ram:Content>${long}</ram:Content></ram:IncludedNote>`)
    expect(readInvoice(noted).document?.invoice.additional_data?.invoice_additional_information).toBe(long)
  })

  it('becomes the description with 500 characters', () => {
    const text = '🦤'.repeat(500)
    expect(invoiceOf({ notes: `<cbc:Note>${text}</cbc:Note>` }).issue_data.invoice_description).toBe(text)
  })

  it('is reported at its own element if shortened', () => {
    const { errors } = found({ notes: `<cbc:Note>${'x'.repeat(2600)}</cbc:Note>` })
    expect(errors).toMatchObject([{ code: 'en16931.text_shortened', path: '/Invoice/Note[1]' }])
  })
})

describe('data missing in a document', () => {
  const codesOf = (xml: string) =>
    readInvoice(xml).errors.map(({ code, path, extra }) => `${code} ${path} ${extra?.used ?? ''}`.trim())

  it('type, quantity and total with tax are replaced, with a warning each', () => {
    const xml = ubl()
      .replace(/<cbc:InvoiceTypeCode>.*?<\/cbc:InvoiceTypeCode>/, '')
      .replace(/<cbc:InvoicedQuantity.*?<\/cbc:InvoicedQuantity>/, '')
      .replace(/<cbc:TaxInclusiveAmount.*?<\/cbc:TaxInclusiveAmount>/, '')
      .replace('>50<', '>100<')
    expect(codesOf(xml).sort()).toEqual([
      'en16931.assumed /Invoice/InvoiceLine[1] 1',
      'en16931.assumed /Invoice/InvoiceTypeCode 380',
      'en16931.assumed /Invoice/LegalMonetaryTotal 121',
    ])
    expect(readInvoice(xml).document?.invoice.totals.invoice_total).toBe(121)
  })

  it('the currency is refused, without further errors', () => {
    const xml = ubl().replace(/<cbc:DocumentCurrencyCode>.*?<\/cbc:DocumentCurrencyCode>/, '')
    expect(codesOf(xml)).toEqual(['en16931.missing /Invoice/DocumentCurrencyCode'])
    const cii = ciiOf().replace(/<ram:InvoiceCurrencyCode>.*?<\/ram:InvoiceCurrencyCode>/, '')
    expect(codesOf(cii).filter((code) => !/missing .*InvoiceCurrencyCode/.test(code))).toEqual([])
  })

  it('a DOCTYPE is refused, with or without a named format', () => {
    const xml = ubl().replace('<Invoice', '<!DOCTYPE Invoice><Invoice')
    for (const options of [{}, { format: 'ubl_2_1' } as const])
      expect(readInvoice(xml, options).errors.map(({ code }) => code)).toEqual(['xml.doctype'])
    const [item] = readInvoice('no XML').errors
    expect(item).toMatchObject({ code: 'format.unknown' })
    expect(required(item).message).not.toContain('null')
  })
})

describe('profiles other than EN 16931 are refused', () => {
  const GUIDELINE = 'urn:cen.eu:en16931:2017<'
  const refusals = (xml: string) => readInvoice(xml).errors.map(({ code }) => code)

  it('if they have no lines', () => {
    const xml = ciiOf()
      .replace(GUIDELINE, 'urn:factur-x.eu:1p0:basicwl<')
      .replace(/<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/s, '')
    expect(refusals(xml)).toEqual(['en16931.summary'])
    expect(readInvoice(xml).errors[0]?.message).toContain('urn:factur-x.eu:1p0:basicwl')
  })

  it('if they have nested lines with their own sums', () => {
    const [line = ''] = required(
      /<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/s.exec(ciiOf()),
    )
    const inner = line.replace(
      '<ram:LineID>1</ram:LineID>',
      '<ram:LineID>2</ram:LineID><ram:ParentLineID>1</ram:ParentLineID>',
    )
    expect(refusals(ciiOf().replace(line, line + inner))).toEqual(['en16931.profile'])
  })
})

describe('an issued invoice', () => {
  it('gets its series from its number if the document has none', () => {
    for (const [number, series] of [
      ['F26-0007', 'F26'],
      ['2026/15', '2026'],
      ['A7', 'A'],
      ['15', 'SIN-SERIE'],
    ] as const) {
      const { document, errors } = readInvoice(ubl().replace('>A-1<', `>${number}<`), { direction: 'issued' })
      expect(errors).toMatchObject([
        { code: 'format.series_assumed', severity: 'warning', path: '/Invoice/ID', extra: { used: series } },
      ])
      const result = validate(document, { operation: 'import', totals: 'check' })
      expect(result.errors.map(({ code }) => code)).toEqual(['customer_domicile_required'])
      expect(result.data?.invoice.header.invoice_series_code).toBe(series)
    }
    expect(readInvoice(ubl()).errors).toEqual([])
  })
})

describe('a tax registration in CII', () => {
  it('of scheme VAT is read as VA', () => {
    const xml = ciiOf().replaceAll('schemeID="VA"', 'schemeID="VAT"')
    expect(readInvoice(xml).document?.invoice.supplier.tax_id).toBe('B12345674')
  })
})
