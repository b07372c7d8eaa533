/** The samples of UBL and CII, with the amounts that an import must reproduce. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { readInvoice } from '#formats/index.ts'
import { missingReference, REFERENCE } from './official.ts'

interface Expected {
  readonly file: string
  readonly invoices: readonly {
    readonly supplier_tax_id: string
    readonly customer_tax_id: string | null
    readonly number: string
    readonly issue_date: string
    readonly currency: string
    readonly document?: string
    readonly type_code: string
    readonly total_base: string
    readonly total_tax: string
    readonly total: string
    readonly total_payable: string
    readonly lines: number
  }[]
}

const samples: readonly Expected[] = missingReference
  ? []
  : JSON.parse(readFileSync(`${REFERENCE}samples/expected.json`, 'utf8')).valid.filter(({ file }: Expected) =>
      /^(?:ubl|cii)\//.test(file),
    )

const read = (file: string) => readInvoice(readFileSync(`${REFERENCE}samples/${file}`))
const errorsOf = (file: string) => read(file).errors.filter(({ severity }) => severity === 'error')

/** Spanish tax ids are compared without `ES`, and all without hyphens and dots. */
const plainId = (id: string | null) => id?.replace(/^ES/, '').replace(/[\s.-]/g, '')

describe.skipIf(missingReference)('samples of UBL and CII', () => {
  for (const { file, invoices } of samples)
    it(`${file} keeps parties and totals`, () => {
      const expected = required(invoices[0])
      const { document, format, errors } = read(file)
      expect(errors.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(format).toBe(file.startsWith('ubl') ? 'ubl_2_1' : 'cii_d16b')
      const { supplier, customer, header, issue_data: issue, totals, lines } = required(document).invoice
      const sign = expected.type_code === '381' ? -1 : 1
      expect({
        supplier: supplier.tax_id,
        customer: customer?.tax_id,
        number: header.invoice_number,
        date: issue.issue_date,
        currency: issue.invoice_currency?.invoice_currency_code ?? 'EUR',
        base: totals.total_gross_amount_before_taxes,
        tax: totals.total_tax_outputs,
        total: totals.invoice_total,
        payable: totals.total_executable_amount,
      }).toEqual({
        supplier: plainId(expected.supplier_tax_id),
        customer: plainId(expected.customer_tax_id),
        number: expected.number,
        date: expected.issue_date,
        currency: expected.currency,
        base: sign * Number(expected.total_base),
        tax: sign * Number(expected.total_tax) + 0,
        total: sign * Number(expected.total),
        payable: sign * Number(expected.total_payable),
      })
      const own = lines.length - errors.filter(({ code }) => code === 'en16931.allowance_as_line').length
      expect(own).toBe(expected.lines)
    })

  it('the engine calculates the totals of every document from its lines', () => {
    for (const { file } of samples) {
      const { document } = read(file)
      const { issue_data: issue } = required(document).invoice
      if (issue.invoice_currency)
        Object.assign(issue.invoice_currency, { exchange_rate: 1, exchange_rate_date: issue.issue_date })
      const { totals } = required(validate(document, { operation: 'received' }).data).invoice
      const stated = required(document).invoice.totals
      expect(
        [totals.total_gross_amount_before_taxes, totals.total_tax_outputs, totals.invoice_total],
        file,
      ).toEqual([stated.total_gross_amount_before_taxes, stated.total_tax_outputs, stated.invoice_total])
    }
  })

  it('an amount payable that does not add up is refused by BR-CO-16 with both amounts', () => {
    expect(errorsOf('invalid/ubl_wrong_payable.xml')).toMatchObject([
      {
        code: 'en16931.sum',
        path: '/Invoice/LegalMonetaryTotal/PayableAmount',
        extra: { rule: 'BR-CO-16', expected: 381.17, received: 1 },
      },
    ])
  })

  it('a UBL document sent as Facturae is refused at its root', () => {
    const bytes = readFileSync(`${REFERENCE}samples/invalid/ubl_as_facturae.xml`)
    const { document, errors } = readInvoice(bytes, { format: 'facturae_3_2_2' })
    expect(document).toBeNull()
    expect(errors).toMatchObject([{ code: 'format.different', path: '/Invoice' }])
  })

  it('foreign tax is read unchanged; validation reports that the rate is not Spanish', () => {
    const { document } = read('ubl/xrechnung_01_20_selfbilled.xml')
    const { errors } = validate(document, { operation: 'received' })
    expect(errors.map(({ code }) => code)).toContain('tax_rate_unknown')
  })
})
