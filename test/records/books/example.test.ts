/** The worked example of the reference (books.md), row by row. */
import { describe, expect, it } from 'vitest'
import { vatBooks } from '#records/books/index.ts'
import { setAll } from '../../put.ts'
import { line, named, purchase, sale, withBooks } from './sample.ts'

const company = withBooks({ invoices: [{ number: 'T-1', type: 'F4', final_number: '45' }] })

const invoices = named(
  sale({ number: 'A-101', series: 'A', date: '2026-01-15' }, line(1000, 21), line(500, 10)),
  sale(
    {
      number: 'T-1',
      series: 'T',
      date: '2026-01-20',
      change: setAll({ 'header/invoice_type_code': '02', customer: undefined }),
    },
    line(826.45, 21),
  ),
  sale(
    {
      number: 'R-7',
      series: 'R',
      date: '2026-02-10',
      change: ({ header }) => {
        header.invoice_type_code = '03'
        header.corrective = {
          reason_code: '16',
          reason_description: 'Devolución',
          correction_type: 'D',
          invoice_number: 'A-101',
          invoice_series_code: 'A',
          invoice_issue_date: '2026-01-15',
        }
      },
    },
    line(-200, 21),
  ),
  purchase(
    {
      number: 'RE-55',
      date: '2026-02-05',
      receipt: '2026-02-09',
      change: ({ supplier }) => {
        Object.assign(supplier, { tax_id: 'DE136695976', name: 'GMBH', country_code: 'DE' })
      },
    },
    line(2000, undefined, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E5' }),
  ),
  purchase(
    {
      number: '26ES00280110001234',
      date: '2026-03-12',
      change: ({ issue_data, supplier, customer }) => {
        issue_data.is_dua = true
        Object.assign(supplier, { tax_id: customer.tax_id, name: customer.name })
      },
    },
    line(5000, 21),
  ),
)

const ACTIVITY = { activity_code: 'A', activity_type: '03', iae: '6533' }
const ISSUED = { year: 2026, period: '1T', ...ACTIVITY, key: '01', qualification: 'S1' }
const CLIENT = { id: 'B98765431', name: 'CLIENTE SL' }
const RECEIVED = {
  year: 2026,
  period: '1T',
  ...ACTIVITY,
  reverse_charge: 'N',
  investment: 'N',
  deducted_later: 'N',
}

describe('the worked example', () => {
  const result = vatBooks({ company, year: 2026, until: '1T', invoices })
  if (!result.ok) throw new Error(JSON.stringify(result.items))
  const { books } = result

  it('has a row per rate of the issued invoices, with the tickets as a summary and the return as a difference', () => {
    const invoice = { invoice_type: 'F1', issue_date: '2026-01-15', series: 'A', number: '101' }
    const first = { ...ISSUED, ...CLIENT, ...invoice }
    expect(books.issued).toEqual([
      { ...first, total: 1210, base: 1000, rate: 21, tax: 210 },
      { ...first, total: 550, base: 500, rate: 10, tax: 50 },
      {
        ...ISSUED,
        name: 'VENTAS A CONSUMIDOR FINAL',
        invoice_type: 'F4',
        issue_date: '2026-01-20',
        series: 'T',
        number: '1',
        final_number: '45',
        total: 1000,
        base: 826.45,
        rate: 21,
        tax: 173.55,
      },
      {
        ...ISSUED,
        ...CLIENT,
        invoice_type: 'R1',
        issue_date: '2026-02-10',
        series: 'R',
        number: '7',
        total: -242,
        base: -200,
        rate: 21,
        tax: -42,
      },
    ])
  })

  it('has the tax of the goods from Germany without charging it, and the import under the own tax id', () => {
    expect(books.received).toEqual([
      {
        ...RECEIVED,
        invoice_type: 'F1',
        issue_date: '2026-02-05',
        number: 'RE-55',
        reception_date: '2026-02-09',
        reception_number: '1',
        id_type: '02',
        id: 'DE136695976',
        name: 'GMBH',
        key: '09',
        total: 2000,
        base: 2000,
        rate: 21,
        tax: 420,
        deductible: 420,
      },
      {
        ...RECEIVED,
        invoice_type: 'F5',
        issue_date: '2026-03-12',
        number: '26ES00280110001234',
        reception_date: '2026-03-12',
        reception_number: '2',
        id: 'B12345674',
        name: 'EMPRESA DE PRUEBAS SL',
        key: '01',
        total: 6050,
        base: 5000,
        rate: 21,
        tax: 1050,
        deductible: 1050,
      },
    ])
  })

  it('has no row of investment goods before the fourth quarter, and no warning', () => {
    expect(books.investment).toEqual([])
    expect(result.items).toEqual([])
  })
})
