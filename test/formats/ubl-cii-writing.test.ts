/** Writing each part of an invoice according to the rules of EN 16931. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { fatalRules, missingRules } from './official.ts'

const party = (tax_id: string, name: string, country = 'ES', more: object = {}) => ({
  person_type_code: 'J',
  tax_id,
  name,
  country_code: country,
  company: {
    trade_name: `${name} Comercio`,
    address: {
      address: 'Calle Inventada, 7',
      address_2: 'Local 3',
      post_code: '28013',
      town: 'Madrid',
      country_code: country,
    },
  },
  telephone: '+34 910 000 000',
  electronic_mail: 'facturas@ejemplo.example',
  contact_persons: 'Ana Ejemplo',
  ...more,
})

interface Parts {
  readonly supplier?: object
  readonly customer?: object
  readonly header?: object
  readonly issue?: object
  readonly lines?: readonly object[]
  readonly more?: object
}

const made = ({ supplier, customer, header, issue, lines, more }: Parts) => {
  const { data, errors } = validate({
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system: 'Test 1.0', external_ref: 'W-1' },
    invoice: {
      supplier: supplier ?? party('B12345674', 'Calderas Ficticias, S.L.'),
      customer: customer ?? party('B77777779', 'Estudio Imaginado, S.L.'),
      header: { invoice_type_code: '01', invoice_series_code: 'W', ...header },
      issue_data: { ...issue },
      lines: lines ?? [
        { item_description: 'Cable', quantity: 2, unit_price_without_tax: 50, tax_output_rate: 21 },
      ],
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
      ...more,
    },
  })
  expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
  const copy = structuredClone(required(data))
  copy.invoice.header.invoice_number = 'W-1'
  copy.invoice.issue_data.issue_date = '2026-03-16'
  return copy
}

const FORMATS = ['ubl_2_1', 'cii_d16b'] as const

/** Writes an invoice in both formats without errors, and reads them back. */
const both = (parts: Parts, options = {}) =>
  FORMATS.map((format) => {
    const { xml, errors } = writeInvoice(made(parts), format, options)
    expect(errors).toEqual([])
    if (!missingRules) expect(fatalRules(required(xml))).toEqual([])
    const read = readInvoice(required(xml))
    expect(read.errors.filter(({ severity }) => severity === 'error')).toEqual([])
    return { ...read, xml: required(xml), invoice: required(read.document).invoice }
  })

const reasonsOf = (parts: Parts, options = {}) =>
  FORMATS.map((format) => writeInvoice(made(parts), format, options).errors.map(({ extra }) => extra?.reason))

describe('parties', () => {
  it('names, addresses, contacts, electronic addresses and identifiers come back', () => {
    const more = {
      electronic_address: { value: 'ESB12345674', scheme_id: '9920' },
      identifiers: [
        { role: 'other', value: '4012345000009', scheme_id: 'GLN' },
        { role: 'legal', value: 'T 1, F 2, H M-3', scheme_id: 'OTHER' },
      ],
    }
    for (const { invoice } of both({ supplier: party('B12345674', 'Calderas Ficticias, S.L.', 'ES', more) }))
      expect(invoice.supplier).toMatchObject({
        ...party('B12345674', 'Calderas Ficticias, S.L.', 'ES', {
          electronic_address: more.electronic_address,
        }),
        identifiers: expect.arrayContaining(more.identifiers),
      })
  })

  it('a third line of an address is read behind the second', () => {
    for (const [format, before, line] of [
      ['ubl_2_1', '<cac:Country>', '<cac:AddressLine><cbc:Line>Edificio C</cbc:Line></cac:AddressLine>'],
      ['cii_d16b', '<ram:CityName>', '<ram:LineThree>Edificio C</ram:LineThree>'],
    ] as const) {
      const xml = required(writeInvoice(made({}), format).xml)
      const { document, errors } = readInvoice(xml.replace(before, `${line}${before}`))
      expect(errors, format).toEqual([])
      expect(required(document).invoice.supplier.company?.address, format).toMatchObject({
        address: 'Calle Inventada, 7',
        address_2: 'Local 3, Edificio C',
      })
    }
  })

  it('VAT numbers have the prefix of their country; other numbers are registrations', () => {
    const ubl = required(
      both({
        customer: party('12-3456789', 'Cloudberry, Inc.', 'US'),
        lines: [
          { item_description: 'Cable', quantity: 1, unit_price_without_tax: 9, exemption_reason_code: 'E2' },
        ],
      })[0],
    )
    expect(ubl.xml).toContain('<cbc:CompanyID>ESB12345674</cbc:CompanyID>')
    expect(ubl.xml).toContain('<cbc:CompanyID>12-3456789</cbc:CompanyID>')
    expect(ubl.invoice.customer).toMatchObject({ tax_id: '12-3456789', country_code: 'US' })
  })

  it('a registration does not become a VAT number, and is written with the legal registration', () => {
    const legal = { identifiers: [{ role: 'legal', value: 'RCS Paris 1', scheme_id: 'OTHER' }] }
    for (const [country, id] of [
      ['FR', '392809137'],
      ['DE', '12/345/67890'],
      ['SE', '556677-8899'],
      ['DE', '1'],
    ] as const)
      for (const { xml, invoice } of both({ customer: party(id, 'Ficción', country, legal) })) {
        expect(xml).not.toMatch(new RegExp(`>${country}\\s*${id.slice(0, 3)}`))
        expect(invoice.customer).toMatchObject({
          tax_id: id.replace('-', ''),
          country_code: country,
          identifiers: [{ value: 'RCS Paris 1' }],
        })
      }
    // One with valid check digits, and one that came with its prefix.
    for (const id of ['40303265045', 'FR40303265045', 'FR40303265046'])
      for (const { xml, invoice } of both({ customer: party(id, 'Fiction SARL', 'FR') })) {
        expect(xml).toMatch(new RegExp(`>FR${id.replace('FR', '')}<`))
        expect(invoice.customer?.tax_id).toBe(`FR${id.replace('FR', '')}`)
      }
  })

  it('a supplier without VAT number is identified by its registration and its legal one', () => {
    const legal = { identifiers: [{ role: 'legal', value: 'HRB 1', scheme_id: 'OTHER' }] }
    for (const format of FORMATS) {
      const document = made({})
      Object.assign(document.invoice.supplier, party('12/345/67890', 'Kessel GmbH', 'DE', legal))
      const { xml, errors } = writeInvoice(document, format)
      expect(errors).toEqual([])
      if (!missingRules) expect(fatalRules(required(xml))).toEqual([])
      expect(readInvoice(required(xml)).document?.invoice.supplier).toMatchObject({
        tax_id: '12/345/67890',
        identifiers: [{ value: 'HRB 1' }],
      })
    }
  })

  it('an intra-Community supply requires the VAT numbers of both parties', () => {
    const document = made({
      customer: party('DE123456788', 'Kessel GmbH', 'DE'),
      lines: [{ item_description: 'A', quantity: 1, unit_price_without_tax: 9, exemption_reason_code: 'E5' }],
    })
    required(document.invoice.customer).tax_id = '12/345/67890'
    for (const format of FORMATS) {
      const [error] = writeInvoice(document, format).errors
      expect(error).toMatchObject({
        path: '/invoice/customer/tax_id',
        extra: { reason: 'not_in_form', received: '12/345/67890', rule: 'BR-IC-02' },
      })
    }
  })

  it('an electronic address with an unknown scheme is refused', () => {
    const more = { electronic_address: { value: 'X', scheme_id: '1234' } }
    expect(reasonsOf({ customer: party('B77777779', 'Estudio Imaginado, S.L.', 'ES', more) })).toEqual([
      ['unknown_code'],
      ['unknown_code'],
    ])
  })
})

describe('tax', () => {
  const line = (more: object) => ({
    item_description: 'Cable',
    quantity: 1,
    unit_price_without_tax: 90,
    ...more,
  })

  it('an intra-Community supply states place and date', () => {
    for (const { xml, invoice } of both({
      customer: party('DE123456788', 'Kessel GmbH', 'DE'),
      lines: [line({ exemption_reason_code: 'E5' })],
    })) {
      expect(xml).toMatch(/>K</)
      expect(xml).toContain('VATEX-EU-IC')
      expect(invoice.lines[0]).toMatchObject({ exemption_reason_code: 'E5' })
    }
  })

  it('an invoice not subject to tax has no VAT number, but keeps the ids', () => {
    for (const { xml, invoice } of both({ lines: [line({ non_taxable_reason: 'ARTICLES_7_14_OTHER' })] })) {
      expect(xml).not.toContain('ESB12345674')
      expect(invoice.supplier.tax_id).toBe('B12345674')
      expect(invoice.customer?.tax_id).toBe('B77777779')
      expect(invoice.lines[0]).toMatchObject({ non_taxable_reason: 'ARTICLES_7_14_OTHER' })
    }
  })

  it('every exemption reason comes back with its text', () => {
    for (const code of ['E1', 'E2', 'E3', 'E4', 'E6'])
      for (const exemption_reason_text of [undefined, 'Texto propio']) {
        const text = exemption_reason_text === undefined ? {} : { exemption_reason_text }
        for (const { invoice } of both({ lines: [line({ exemption_reason_code: code, ...text })] })) {
          expect(invoice.lines[0]?.exemption_reason_code).toBe(code)
          expect(invoice.taxes_outputs?.[0]?.exemption_reason_text ?? undefined).toBe(
            // If the code alone identifies the reason, its name is the text that EN 16931 requires.
            exemption_reason_text,
          )
        }
      }
  })

  it('tax at 0 % is category Z, never S', () => {
    for (const { xml } of both({ lines: [line({ tax_output_rate: 21 }), line({ tax_output_rate: 0 })] }))
      expect(xml.match(/>(?:S|Z)</g)).toContain('>Z<')
  })

  it('withholding and disbursements are refused together', () => {
    const parts = {
      lines: [line({ tax_output_rate: 21, tax_withheld_rate: 15 })],
      more: {
        totals: {
          total_gross_amount_before_taxes: 0,
          total_tax_outputs: 0,
          invoice_total: 0,
          reimbursable_expenses: [{ reimbursable_expenses_amount: 5, description: 'Tasa' }],
        },
      },
    }
    expect(reasonsOf(parts)).toEqual([
      ['withholding', 'reimbursable_expenses'],
      ['withholding', 'reimbursable_expenses'],
    ])
  })
})

describe('types of document', () => {
  const corrective = (correction_type: 'S' | 'D', more: object = {}) => ({
    header: {
      invoice_type_code: '03',
      corrective: {
        reason_code: '20',
        reason_description: 'Rappel del trimestre',
        invoice_number: 'W-0',
        invoice_issue_date: '2026-01-31',
        correction_type,
        ...more,
      },
    },
  })
  const line = (quantity: number) => ({
    item_description: 'Cable',
    quantity,
    unit_price_without_tax: 50,
    tax_output_rate: 21,
  })

  it('a negative invoice is a CreditNote with positive amounts; its reason and its invoice come back', () => {
    const [ubl, cii] = both({ ...corrective('D'), lines: [line(-2)] })
    expect(ubl?.xml).toMatch(/<(?:\w+:)?CreditNote /)
    expect(ubl?.xml).toContain('<cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity>')
    expect(cii?.xml).toContain('<ram:TypeCode>381</ram:TypeCode>')
    for (const { invoice } of [required(ubl), required(cii)]) {
      expect(invoice.totals.invoice_total).toBe(-121)
      expect(invoice.header).toMatchObject(corrective('D').header)
    }
  })

  it('the due date of a CreditNote without means of payment comes back', () => {
    for (const payment_terms of [undefined, 'A descontar.']) {
      const more = {
        payment_details: [{ installment_due_date: '2026-05-01' }],
        ...(payment_terms === undefined ? {} : { payment_terms }),
      }
      for (const { invoice } of both({ ...corrective('D'), lines: [line(-2)], more })) {
        expect(invoice.payment_details?.[0]?.installment_due_date).toBe('2026-05-01')
        expect(invoice.payment_terms).toBe(payment_terms)
      }
    }
  })

  it('a substitution is 384, a higher amount 383, a lower amount with mixed signs 384 with negative quantities', () => {
    const types = (parts: Parts) => both(parts).map(({ xml }) => required(/TypeCode>(38\d)</.exec(xml))[1])
    const amounts = { corrected_taxable_base: 90, corrected_tax_amount: 18.9 }
    expect(types({ ...corrective('S', amounts), lines: [line(2)] })).toEqual(['384', '384'])
    expect(types({ ...corrective('D'), lines: [line(2)] })).toEqual(['383', '383'])
    expect(types({ ...corrective('D'), lines: [line(-3), line(1)] })).toEqual(['384', '384'])
  })

  it('a simplified invoice with a customer comes back as simplified', () => {
    for (const { invoice } of both({ header: { invoice_type_code: '02' } }))
      expect(invoice.header.invoice_type_code).toBe('02')
  })
})

describe('terms, notes and files', () => {
  it('each means of payment comes back', () => {
    const methods = Array.from({ length: 19 }, (_, index) => String(index + 1).padStart(2, '0'))
    for (const payment_method_code of methods)
      for (const { invoice } of both({
        more: { payment_details: [{ payment_method_code, installment_due_date: '2026-04-15' }] },
      }))
        expect(invoice.payment_details?.[0], payment_method_code).toMatchObject({
          payment_method_code,
          installment_due_date: '2026-04-15',
        })
  })

  it('several instalments have the last due date, and the terms list them', () => {
    const details = [
      { installment_due_date: '2026-05-15', installment_amount: 60.5, payment_method_code: '04' },
      { installment_due_date: '2026-04-15', installment_amount: 60.5, payment_method_code: '04' },
    ]
    for (const { invoice } of both({ more: { payment_details: details } })) {
      expect(invoice.payment_details).toMatchObject([
        { installment_due_date: '2026-05-15', installment_amount: 121 },
      ])
      expect(invoice.payment_terms).toBe(
        'Vencimiento: 2026-05-15 60.50 EUR\nVencimiento: 2026-04-15 60.50 EUR',
      )
    }
  })

  it('a text with # is not read as a subject code', () => {
    for (const { invoice } of both({ issue: { invoice_description: 'Pedido #abc# urgente' } }))
      expect(invoice.issue_data.invoice_description).toBe('Pedido #abc# urgente')
  })

  it('references, period and operation date come back', () => {
    const references = {
      receiver_transaction_reference: 'PED-1',
      receiver_contract_reference: 'CON-2',
      issuer_contract_reference: 'OFE-3',
      file_reference: 'EXP-4',
    }
    const issue = {
      operation_date: '2026-03-15',
      invoicing_period_start_date: '2026-03-01',
      invoicing_period_end_date: '2026-03-31',
    }
    for (const { invoice } of both({ header: { references }, issue })) {
      expect(invoice.header.references).toEqual(references)
      expect(invoice.issue_data).toMatchObject(issue)
    }
  })

  it('files are embedded and come back; types that EN 16931 does not admit are refused', () => {
    const file = {
      file_name: 'detalle.pdf',
      content_type: 'application/pdf',
      data: 'JVBERi0xLjQK',
      description: 'Detalle',
    }
    for (const { attachments } of both({}, { attachments: [file] })) expect(attachments).toEqual([file])
    expect(reasonsOf({}, { attachments: [{ ...file, content_type: 'text/html' }] })).toEqual([
      ['unknown_code'],
      ['unknown_code'],
    ])
  })

  it('an invoice that the company issued is read as issued', () => {
    const { xml } = writeInvoice(made({}), 'ubl_2_1')
    const { document, errors } = readInvoice(required(xml), { direction: 'issued' })
    expect(errors.map(({ code }) => code)).toEqual(['format.series_assumed'])
    expect(document?.meta.direction).toBe('issued')
    expect(document?.invoice.totals.invoice_total).toBe(121)
  })
})

describe('an exchange rate', () => {
  it('comes back even if no tax implies it', () => {
    const currency = {
      invoice_currency_code: 'USD',
      exchange_rate: 0.91234567,
      exchange_rate_date: '2026-03-13',
    }
    const { data } = validate(
      {
        schema_version: 'json_1_1',
        meta: { direction: 'received', source_system: 'Test 1.0' },
        invoice: {
          supplier: party('12-3456789', 'Cloudberry, Inc.', 'US'),
          customer: party('B77777779', 'Estudio Imaginado, S.L.'),
          header: { invoice_type_code: '01', invoice_number: 'W-1' },
          issue_data: { issue_date: '2026-03-16', invoice_currency: currency },
          lines: [
            {
              item_description: 'Cable',
              quantity: 1,
              unit_price_without_tax: 9,
              tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC',
              tax_output_rate: 21,
            },
          ],
          totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
        },
      },
      { operation: 'received' },
    )
    const document = required(data)
    for (const format of FORMATS) {
      const { xml, errors } = writeInvoice(document, format)
      expect(errors).toEqual([])
      if (!missingRules) expect(fatalRules(required(xml))).toEqual([])
      const read = required(readInvoice(required(xml)).document).invoice
      expect(read.issue_data.invoice_currency).toEqual(currency)
      expect(read.additional_data).toBeUndefined()
    }
  })
})
