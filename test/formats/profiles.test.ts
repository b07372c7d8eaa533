/** Profiles of writing: what a receiver requires beyond the format is written, or refused by name. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { FORMAT_CODES, type FormatCode, type ProfileCode, writeInvoice } from '#formats/index.ts'
import { goldenInvoices } from '../engine/golden-invoices.ts'
import { figure } from '../figures.ts'
import { temporaryFolder } from '../folders.ts'
import { invoiceOf, issued } from './invoice.ts'

/** Java class path of the libraries in `phive/pom.xml`. */
const PHIVE = process.env.CUADRA_PHIVE ?? ''
const missing = PHIVE === '' ? ' (skipped: CUADRA_PHIVE is not set, see docs/dependencies.md)' : ''

const ORDERED = { references: { file_reference: 'PO-7' } }
const headed = (header: object) => ({
  header: { invoice_type_code: '01', invoice_series_code: 'F26', invoice_number: 'F26-0007', ...header },
})
const peppol = (parts: object = {}) =>
  writeInvoice(issued({ ...headed(ORDERED), ...parts }), 'ubl_2_1', { profile: 'peppol' })
const refusals = ({ errors }: ReturnType<typeof writeInvoice>) =>
  errors.map(({ path, extra }) => `${extra?.reason} ${path}`)
const count = (xml: string | null, name: string): number => xml?.split(`<${name}>`).length ?? 0

describe('the profile peppol', () => {
  it('states its identifiers, and a Spanish VAT number as the address of each party', () => {
    const { xml } = peppol()
    expect(xml).toContain(
      '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>' +
        '<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>',
    )
    expect(xml).toContain('<cbc:EndpointID schemeID="9920">ESB12345674</cbc:EndpointID>')
    expect(xml).toContain('<cbc:EndpointID schemeID="9920">ESB77777779</cbc:EndpointID>')
    expect(xml).toContain('<cbc:BuyerReference>PO-7</cbc:BuyerReference>')
  })

  it('keeps a stated electronic address', () => {
    const { customer } = invoiceOf().invoice
    const electronic_address = { scheme_id: '0088', value: '8412345678905' }
    const { xml } = peppol({ customer: { ...customer, electronic_address } })
    expect(xml).toContain('<cbc:EndpointID schemeID="0088">8412345678905</cbc:EndpointID>')
  })

  it('joins all notes into one', () => {
    const parts = {
      issue_data: { issue_date: '2026-03-16', invoice_description: 'Mantenimiento' },
      additional_data: { invoice_additional_information: 'Contrato 12' },
    }
    const plain = writeInvoice(issued(parts), 'ubl_2_1').xml
    const { xml } = peppol(parts)
    expect([count(plain, 'cbc:Note'), count(xml, 'cbc:Note')]).toEqual([4, 3])
    expect(xml).toContain('<cbc:Note>Mantenimiento\nContrato 12</cbc:Note>')
  })

  it('requires a reference of the buyer, and the address of a foreign party', () => {
    expect(refusals(writeInvoice(issued(), 'ubl_2_1', { profile: 'peppol' }))).toEqual([
      'missing /invoice/header/references/file_reference',
    ])
    const customer = {
      person_type_code: 'J',
      tax_id: 'FR40303265045',
      name: 'Atelier Imaginé',
      country_code: 'FR',
      company: { address: { address: '1 rue Inventée', post_code: '75001', town: 'Paris' } },
    }
    expect(refusals(peppol({ customer }))).toEqual(['missing /invoice/customer/electronic_address'])
    const order = headed({ references: { receiver_transaction_reference: '4500012' } })
    expect(peppol(order).xml).toContain('<cac:OrderReference><cbc:ID>4500012</cbc:ID>')
  })

  it('requires the mandate of a direct debit, which is its reference', () => {
    const debit = { payment_method_code: '02', iban_account_to_be_debited: 'ES9121000418450200051332' }
    expect(refusals(peppol({ payment_details: [debit] }))).toEqual([
      'missing /invoice/payment_details/0/payment_reconciliation_reference',
    ])
    const { xml } = peppol({ payment_details: [{ ...debit, payment_reconciliation_reference: 'M-44' }] })
    expect(xml).toContain('<cac:PaymentMandate><cbc:ID>M-44</cbc:ID>')
  })

  it('refuses document types that only other profiles have', () => {
    const corrective = {
      correction_type: 'S',
      reason_code: '10',
      invoice_number: 'F26-0001',
      invoice_issue_date: '2026-02-01',
      corrected_taxable_base: 100,
      corrected_tax_amount: 21,
    }
    const parts = headed({ ...ORDERED, invoice_type_code: '03', corrective })
    expect(refusals(peppol(parts))).toEqual(['document_type /invoice/header/invoice_type_code'])
    expect(writeInvoice(issued(parts), 'ubl_2_1').xml).toContain('>384<')
  })

  it('refuses a line whose price does not give its amount', () => {
    const golden = goldenInvoices().find(({ name }) => name === 'currency-jpy')
    const written = writeInvoice(required(golden).invoice, 'ubl_2_1', { profile: 'peppol' })
    expect(refusals(written)).toContain('sums /invoice/lines/0/gross_amount_without_tax')
  })
})

describe('the profile face', () => {
  const face = (centres: readonly object[]) => {
    const { customer } = invoiceOf().invoice
    const document = issued({ customer: { ...customer, administrative_centres: centres } })
    return writeInvoice(document, 'facturae_3_2_2', { profile: 'face' })
  }
  const CENTRES = ['01', '02', '03'].map((role_type_code) => ({ role_type_code, centre_code: 'L01280796' }))

  it('writes an invoice with the three centres', () => {
    const { xml, errors } = face(CENTRES)
    expect(errors).toEqual([])
    expect(count(xml, 'CentreCode')).toBe(4)
  })

  it('names each missing centre, and each code that is not one of DIR3', () => {
    expect(face([]).errors.map(({ extra }) => `${extra?.reason} ${extra?.role}`)).toEqual([
      'centre 01',
      'centre 02',
      'centre 03',
    ])
    expect(face([]).errors[0]?.message).toContain(
      'no administrative centre with role 01 and a DIR3 code, which facturae_3_2_2 (face) requires',
    )
    expect(
      refusals(face([...CENTRES.slice(0, 2), { role_type_code: '03', centre_code: 'Compras' }])),
    ).toEqual(['not_in_form /invoice/customer/administrative_centres/2/centre_code'])
  })
})

describe('profiles and formats', () => {
  it.each([
    ['facturae_3_2_2', 'peppol', 'facturae_3_2_2 has no profile peppol. Its profiles: face.'],
    ['ubl_2_1', 'face', 'ubl_2_1 has no profile face. Its profiles: en16931, peppol.'],
    ['cii_d16b', 'peppol', 'cii_d16b has no profile peppol. Its profiles: en16931, facturx.'],
  ] as const)('%s is not written in the profile %s', (format, profile, message) => {
    const { xml, errors } = writeInvoice(issued(), format, { profile })
    expect(xml).toBeNull()
    expect(errors[0]?.message).toContain(message)
  })

  it('the default of UBL and CII is en16931, and the CII of a Factur-X file is the same', () => {
    const of = (format: FormatCode, profile?: ProfileCode) => writeInvoice(issued(), format, { profile }).xml
    expect(of('ubl_2_1', 'en16931')).toBe(of('ubl_2_1'))
    expect(of('cii_d16b', 'facturx')).toBe(of('cii_d16b'))
  })

  it('an unknown profile is an error of the caller', () => {
    for (const format of FORMAT_CODES)
      expect(() => writeInvoice(issued(), format, { profile: 'xrechnung' as never })).toThrow(
        'the profile is "xrechnung"; it must be one of en16931, peppol, facturx, face',
      )
  })
})

/** Returns the files that phive refuses, with the rules. */
function wrong(rules: 'peppol' | 'en16931', documents: ReadonlyMap<string, string>): string[] {
  const folder = temporaryFolder()
  const files = [...documents].map(([name, xml], index) => {
    const file = join(folder, `${index}-${name.replace(/[^\w-]+/g, '_')}.xml`)
    writeFileSync(file, xml)
    return file
  })
  const check = fileURLToPath(new URL('phive/Check.java', import.meta.url))
  const report = execFileSync('java', ['-cp', PHIVE, check, rules, ...files], { encoding: 'utf8' })
  return report.split('\n').filter((line) => line !== '' && !line.startsWith('PASS '))
}

describe.skipIf(PHIVE === '')(`phive${missing}`, () => {
  // The validators know only the currencies that are in use today.
  const all = goldenInvoices().filter(({ name }) => !name.startsWith('currency_not_in_use'))

  it('accepts every golden invoice that is written for Peppol', { timeout: 600_000 }, () => {
    const documents = new Map<string, string>()
    const reasons = new Map<string, number>()
    for (const { name, invoice } of all) {
      const document = structuredClone(invoice)
      document.invoice.header.references = { file_reference: 'PO-7', ...document.invoice.header.references }
      const { xml, errors } = writeInvoice(document, 'ubl_2_1', { profile: 'peppol' })
      if (xml !== null) documents.set(name, xml)
      const [first] = errors
      if (first === undefined) continue
      const reason = `${first.extra?.reason} ${first.path.replace(/\/\d+/g, '')}`
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    const list = [...reasons].sort(([, a], [, b]) => b - a).map(([reason, times]) => `${reason} ${times}`)
    figure(`${all.length} golden invoices for Peppol: ${documents.size} written, refused: ${list.join(', ')}`)
    expect(wrong('peppol', documents)).toEqual([])
  })

  it('accepts every golden invoice in UBL and CII under EN 16931', { timeout: 600_000 }, () => {
    const documents = new Map<string, string>()
    for (const { name, invoice } of all)
      for (const format of ['ubl_2_1', 'cii_d16b'] as const) {
        const { xml } = writeInvoice(invoice, format)
        if (xml !== null) documents.set(`${name} ${format}`, xml)
      }
    figure(`${documents.size} documents in UBL and CII accepted by phive under EN 16931`)
    expect(wrong('en16931', documents)).toEqual([])
  })
})
