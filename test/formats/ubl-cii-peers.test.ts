/**
 * Other libraries: `@e-invoice-eu/core` writes UBL and CII that are read here, `factur-x-kit` reads the CII written
 * here.
 */
import { InvoiceService } from '@e-invoice-eu/core'
import { FacturX } from 'factur-x-kit'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { goldenInvoices } from '../engine/golden-invoices.ts'
import { setMissing, suite } from '../needs.ts'

const quiet = { log: () => {}, warn: () => {}, error: () => {}, info: () => {}, debug: () => {} }

const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }
const money = (name: string, amount: string) => ({
  [`cbc:${name}`]: amount,
  [`cbc:${name}@currencyID`]: 'EUR',
})
const category = (rate: string) => ({ 'cbc:ID': 'S', 'cbc:Percent': rate, ...vat })

const party = (name: string, id: string, town: string) => ({
  'cbc:EndpointID': id,
  'cbc:EndpointID@schemeID': '9920',
  'cac:PostalAddress': {
    'cbc:StreetName': 'Calle Inventada, 7',
    'cbc:CityName': town,
    'cbc:PostalZone': '28013',
    'cac:Country': { 'cbc:IdentificationCode': 'ES' },
  },
  'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
})

const line = (id: string, quantity: string, price: string, net: string, rate: string) => ({
  'cbc:ID': id,
  'cbc:InvoicedQuantity': quantity,
  'cbc:InvoicedQuantity@unitCode': 'KGM',
  ...money('LineExtensionAmount', net),
  'cac:Item': { 'cbc:Name': `Producto ${id}`, 'cac:ClassifiedTaxCategory': category(rate) },
  'cac:Price': money('PriceAmount', price),
})

const subtotal = (base: string, tax: string, rate: string) => ({
  ...money('TaxableAmount', base),
  ...money('TaxAmount', tax),
  'cac:TaxCategory': category(rate),
})

/** Returns an invoice as input of the library: UBL by element names. */
const written = {
  'ubl:Invoice': {
    'cbc:CustomizationID': 'urn:cen.eu:en16931:2017',
    'cbc:ID': 'P-2026-9',
    'cbc:IssueDate': '2026-03-16',
    'cbc:DueDate': '2026-04-15',
    'cbc:InvoiceTypeCode': '380',
    'cbc:Note': 'Suministro de marzo',
    'cbc:DocumentCurrencyCode': 'EUR',
    'cbc:BuyerReference': 'EXP-3',
    'cac:OrderReference': { 'cbc:ID': 'PED-8' },
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        ...party('Calderas Ficticias, S.L.', 'ESB12345674', 'Madrid'),
        'cac:PartyTaxScheme': [{ 'cbc:CompanyID': 'ESB12345674', ...vat }],
      },
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': {
        ...party('Estudio Imaginado, S.L.', 'ESB77777779', 'Toledo'),
        'cac:PartyTaxScheme': { 'cbc:CompanyID': 'ESB77777779', ...vat },
      },
    },
    'cac:Delivery': { 'cbc:ActualDeliveryDate': '2026-03-14' },
    'cac:PaymentMeans': [
      {
        'cbc:PaymentMeansCode': '58',
        'cac:PayeeFinancialAccount': { 'cbc:ID': 'ES9121000418450200051332' },
      },
    ],
    'cac:AllowanceCharge': [
      {
        'cbc:ChargeIndicator': 'false',
        'cbc:AllowanceChargeReason': 'Pronto pago',
        ...money('Amount', '2.00'),
        'cac:TaxCategory': category('21'),
      },
    ],
    'cac:TaxTotal': [
      {
        ...money('TaxAmount', '24.63'),
        'cac:TaxSubtotal': [subtotal('98.00', '20.58', '21'), subtotal('40.50', '4.05', '10')],
      },
    ],
    'cac:LegalMonetaryTotal': {
      ...money('LineExtensionAmount', '140.50'),
      ...money('TaxExclusiveAmount', '138.50'),
      ...money('TaxInclusiveAmount', '163.13'),
      ...money('AllowanceTotalAmount', '2.00'),
      ...money('PayableAmount', '163.13'),
    },
    'cac:InvoiceLine': [line('1', '8', '12.50', '100.00', '21'), line('2', '3', '13.50', '40.50', '10')],
  },
}

suite('XML written by another library', setMissing('peers'), () => {
  for (const [format, code] of [
    ['UBL', 'ubl_2_1'],
    ['CII', 'cii_d16b'],
  ] as const)
    it(`${format} written by @e-invoice-eu/core is read with its totals`, async () => {
      const xml = await new InvoiceService(quiet).generate(written as never, {
        format,
        lang: 'es',
        noWarnings: true,
      })
      const { document, errors, format: found } = readInvoice(xml as string)
      expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(found).toBe(code)
      const data = required(validate(document, { operation: 'received', totals: 'check' }).data)
      expect(data.invoice).toMatchObject({
        supplier: { name: 'Calderas Ficticias, S.L.', tax_id: 'B12345674' },
        customer: { name: 'Estudio Imaginado, S.L.', tax_id: 'B77777779' },
        header: {
          invoice_number: 'P-2026-9',
          references: { receiver_transaction_reference: 'PED-8', file_reference: 'EXP-3' },
        },
        issue_data: {
          issue_date: '2026-03-16',
          operation_date: '2026-03-14',
          invoice_description: 'Suministro de marzo',
        },
        totals: {
          total_gross_amount_before_taxes: 138.5,
          total_tax_outputs: 24.63,
          invoice_total: 163.13,
          total_executable_amount: 163.13,
        },
        payment_details: [
          {
            installment_due_date: '2026-04-15',
            payment_method_code: '04',
            iban_account_to_be_credited: 'ES9121000418450200051332',
          },
        ],
      })
      // The discount applies to one rate only, so it becomes a line: a general one would affect both.
      expect(data.invoice.lines).toHaveLength(3)
    })
})

interface TheirInvoice {
  readonly document: {
    readonly id: string
    readonly dateOfIssue: { day: number; month: number; year: number }
  }
  readonly totals: { readonly grossTotal?: Amounts; readonly openAmount?: Amounts }
}
type Amounts = readonly { readonly amount: number }[] | { readonly amount: number } | number

const numberOf = (value: unknown): number => {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'number' ? first : Number((first as { amount: unknown }).amount)
}

suite('our CII read by another library', setMissing('peers'), () => {
  // The library requires terms of payment, which a credit note may lack.
  const golden = goldenInvoices().filter(({ invoice }) =>
    writeInvoice(invoice, 'cii_d16b').xml?.includes('<ram:SpecifiedTradePaymentTerms>'),
  )

  it('factur-x-kit reads number and totals of every fifth golden invoice', async () => {
    const chosen = golden.filter((_, index) => index % 5 === 0)
    for (const { name, invoice } of chosen) {
      const xml = required(writeInvoice(invoice, 'cii_d16b').xml)
      const read = (await FacturX.fromXML(xml)).object as unknown as TheirInvoice
      const { totals, header, issue_data: issue } = (invoice as CanonicalInvoice).invoice
      const sign = /<ram:TypeCode>(?:381|261)</.test(xml) ? -1 : 1
      const own = totals.invoice_currency ?? totals
      expect(read.document.id, name).toBe(header.invoice_number)
      const { year, month, day } = read.document.dateOfIssue
      expect([year, month, day].join('-'), name).toBe(
        required(issue.issue_date).split('-').map(Number).join('-'),
      )
      expect(numberOf(read.totals.grossTotal) * sign, name).toBe(own.invoice_total)
      expect(numberOf(read.totals.openAmount) * sign, name).toBe(own.total_executable_amount)
    }
    expect(chosen.length).toBeGreaterThan(40)
  })
})
