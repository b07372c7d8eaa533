/** A year of a sample company, with every type of row. */
import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { type BookCompany, type BookInvoice, type Row, vatBooks } from '#records/books/index.ts'
import { setAll, setTo } from '../../put.ts'
import { COMPANY, type Loose, line, named, purchase, sale, withBooks } from './sample.ts'

function booksOf(
  invoices: readonly BookInvoice[],
  company: BookCompany = COMPANY,
  until: '1T' | '2T' | '3T' | '4T' = '4T',
) {
  const result = vatBooks({ company, year: 2026, until, invoices })
  if (!result.ok) throw new Error(JSON.stringify(result.items, null, 1))
  return result
}
const issuedBook = (...invoices: readonly CanonicalInvoice[]) => booksOf(named(...invoices)).books.issued
const receivedBook = (...invoices: readonly CanonicalInvoice[]) => booksOf(named(...invoices)).books.received
const codesOf = (invoices: readonly BookInvoice[], company: BookCompany = COMPANY) => {
  const result = vatBooks({ company, year: 2026, until: '4T', invoices })
  return result.ok ? [] : result.items.map(({ code }) => code)
}
const pick = (rows: readonly Row[], ...names: readonly string[]) =>
  rows.map((row) => names.map((name) => row[name]))

const FOREIGN = (id: string, country: string) =>
  setAll({ 'customer/tax_id': id, 'customer/country_code': country, 'customer/name': 'CLIENT LTD' })
const EXEMPT = (reason: string) => ({ tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: reason })
const surcharged = (base: number) => (invoice: Loose) => {
  const tax_amount = (base * 21) / 100
  invoice.taxes_outputs = [{ tax_rate: 21, taxable_base: base, tax_amount, equivalence_surcharge: 5.2 }]
}
const REVERSED = { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }
const correction = (type: 'S' | 'D', more: object = {}) =>
  setAll({
    'header/invoice_type_code': '03',
    'header/corrective': {
      reason_code: '16',
      reason_description: 'Error en el precio',
      correction_type: type,
      invoice_number: 'A-1',
      invoice_series_code: 'A',
      invoice_issue_date: '2026-01-10',
      ...more,
    },
  })

describe('issued invoices', () => {
  it('have a row for each rate, qualification and exemption, and an exempt row has rate and tax 0', () => {
    const rows = issuedBook(
      sale(
        { number: 'A-1', series: 'A', date: '2026-04-10' },
        line(100, 21),
        line(50, 21),
        line(200, 4),
        line(300, undefined, EXEMPT('E1')),
      ),
    )
    expect(pick(rows, 'qualification', 'exemption', 'rate', 'base', 'tax', 'total')).toEqual(
      expect.arrayContaining([
        ['S1', undefined, 21, 150, 31.5, 181.5],
        ['S1', undefined, 4, 200, 8, 208],
        [undefined, 'E1', 0, 300, 0, 300],
      ]),
    )
    expect(rows).toHaveLength(3)
  })

  it('have the equivalence surcharge in its own columns and in the total', () => {
    const rows = issuedBook(
      sale({ number: 'A-1', date: '2026-04-10', change: surcharged(1000) }, line(1000, 21)),
    )
    expect(pick(rows, 'base', 'tax', 'surcharge_rate', 'surcharge', 'total')).toEqual([
      [1000, 210, 5.2, 52, 1262],
    ])
  })

  it('under reverse charge are S2 without rate and tax', () => {
    const rows = issuedBook(sale({ number: 'A-1', date: '2026-04-10' }, line(1000, undefined, REVERSED)))
    expect(pick(rows, 'key', 'qualification', 'rate', 'tax', 'total')).toEqual([['01', 'S2', 0, 0, 1000]])
  })

  it('to a member state are E5 with the VAT number and its type, and exports are E2 with key 02', () => {
    const [european, exported] = issuedBook(
      sale(
        { number: '1', date: '2026-04-10', change: FOREIGN('DE136695976', 'DE') },
        line(10, undefined, EXEMPT('E5')),
      ),
      sale(
        { number: '2', date: '2026-04-11', change: FOREIGN('123456', 'US') },
        line(10, undefined, EXEMPT('E2')),
      ),
    )
    expect(european).toMatchObject({ id_type: '02', id: 'DE136695976', key: '01', exemption: 'E5' })
    expect(european).not.toHaveProperty('country')
    expect(exported).toMatchObject({ id_type: '04', country: 'US', id: '123456', key: '02', exemption: 'E2' })
  })

  it('not subject by their place are N2, and those of the one-stop shop also have key 17 and no foreign tax', () => {
    const [service, shop] = issuedBook(
      sale(
        { number: '1', date: '2026-04-10', change: FOREIGN('DE136695976', 'DE') },
        line(10, undefined, { tax_treatment_code: 'NON_TAXABLE', non_taxable_reason: 'LOCATION_RULES' }),
      ),
      sale(
        {
          number: '2',
          date: '2026-04-11',
          change: setTo('customer', { person_type_code: 'F', name: 'Marie', country_code: 'FR' }),
        },
        line(41.5, undefined, {
          tax_regime_key: '17',
          tax_treatment_code: 'NON_TAXABLE',
          non_taxable_reason: 'LOCATION_RULES',
          consumption_country_code: 'FR',
          consumption_tax_rate: 20,
          consumption_rate_type: 'standard',
          supply_type: 'goods',
        }),
      ),
    )
    expect(service).toMatchObject({ key: '01', qualification: 'N2', total: 10 })
    expect(shop).toMatchObject({
      key: '17',
      qualification: 'N2',
      base: 41.5,
      tax: 0,
      total: 41.5,
      invoice_type: 'F2',
    })
  })

  it('without recipient are F2 to final consumers, and a simplified one with recipient is F1', () => {
    const simplified = setTo('header/invoice_type_code', '02')
    const [plain, qualified] = issuedBook(
      sale(
        {
          number: '1',
          date: '2026-04-10',
          change: (invoice) => {
            simplified(invoice)
            delete invoice.customer
          },
        },
        line(10, 21),
      ),
      sale({ number: '2', date: '2026-04-11', change: simplified }, line(10, 21)),
    )
    expect(plain).toMatchObject({ invoice_type: 'F2', name: 'VENTAS A CONSUMIDOR FINAL' })
    expect(plain).not.toHaveProperty('id')
    expect(qualified).toMatchObject({ invoice_type: 'F1', id: 'B98765431' })
  })

  it('belong to the quarter of the operation, and corrections to that of their issue', () => {
    const rows = issuedBook(
      sale(
        {
          number: '1',
          date: '2026-04-02',
          change: ({ issue_data }) => {
            issue_data.operation_date = '2026-03-30'
          },
        },
        line(10, 21),
      ),
      sale({ number: '2', date: '2026-07-02', change: correction('D') }, line(-10, 21)),
    )
    expect(pick(rows, 'period', 'issue_date', 'operation_date')).toEqual([
      ['1T', '2026-04-02', '2026-03-30'],
      ['3T', '2026-07-02', undefined],
    ])
  })

  it('are cumulative from 1 January to the end of the quarter, without other years', () => {
    const invoices = named(
      ...['2025-12-31', '2026-01-01', '2026-06-30', '2026-07-01', '2027-01-01'].map((date, at) =>
        sale({ number: String(at), date }, line(10, 21)),
      ),
    )
    expect(pick(booksOf(invoices, COMPANY, '2T').books.issued, 'period', 'issue_date')).toEqual([
      ['1T', '2026-01-01'],
      ['2T', '2026-06-30'],
    ])
  })

  it('corrected by substitution are taken back by rate, if the corrected invoice is given', () => {
    const corrected = sale({ number: 'A-1', series: 'A', date: '2026-01-10' }, line(100, 21), line(100, 10))
    const rows = issuedBook(
      corrected,
      sale(
        {
          number: 'R-1',
          series: 'R',
          date: '2026-05-04',
          change: correction('S', { corrected_taxable_base: 200, corrected_tax_amount: 31 }),
        },
        line(90, 21),
        line(90, 10),
      ),
    )
    expect(pick(rows, 'period', 'invoice_type', 'series', 'number', 'rate', 'base', 'tax', 'total')).toEqual([
      ['1T', 'F1', 'A', '1', 21, 100, 21, 121],
      ['1T', 'F1', 'A', '1', 10, 100, 10, 110],
      ['2T', 'F1', 'A', '1', 21, -100, -21, -121],
      ['2T', 'F1', 'A', '1', 10, -100, -10, -110],
      ['2T', 'R1', 'R', '1', 21, 90, 18.9, 108.9],
      ['2T', 'R1', 'R', '1', 10, 90, 9, 99],
    ])
  })

  it('corrected by substitution are taken back by the stated amounts, if the correction has one rate', () => {
    const change = correction('S', { corrected_taxable_base: 100, corrected_tax_amount: 21 })
    const one = sale({ number: 'R-1', series: 'R', date: '2026-05-04', change }, line(90, 21))
    expect(
      pick(issuedBook(one), 'invoice_type', 'series', 'number', 'issue_date', 'base', 'tax', 'total'),
    ).toEqual([
      ['F1', 'A', '1', '2026-01-10', -100, -21, -121],
      ['R1', 'R', '1', '2026-05-04', 90, 18.9, 108.9],
    ])
    const two = sale({ number: 'R-1', series: 'R', date: '2026-05-04', change }, line(90, 21), line(1, 4))
    expect(codesOf(named(two))).toEqual(['books.corrected_unknown'])
  })

  it('under cash basis have a row per collection, in the quarter of the collection and without base', () => {
    const company = withBooks({
      invoices: [
        {
          number: '1',
          payments: [
            {
              date: '2026-02-20',
              amount: 60.5,
              payment_method_code: '04',
              account: 'ES7921000813610123456789',
            },
            { date: '2026-07-20', amount: 60.5, payment_method_code: '01' },
          ],
        },
      ],
    })
    const invoices = named(sale({ number: '1', date: '2026-01-10' }, line(100, 21, { tax_regime_key: '07' })))
    const { issued, sums } = booksOf(invoices, company).books
    expect(
      pick(issued, 'period', 'key', 'base', 'tax', 'payment_date', 'payment_amount', 'payment_means'),
    ).toEqual([
      ['1T', '07', 100, 21, undefined, undefined, undefined],
      ['1T', '07', undefined, undefined, '2026-02-20', 60.5, '01'],
      ['3T', '07', undefined, undefined, '2026-07-20', 60.5, '04'],
    ])
    expect(sums).toHaveLength(1)
    expect(sums[0]).toMatchObject({ rows: 1, base: 100, tax: 21 })
  })

  it('under cash basis of the year before accrue on 31 December as far as they are unpaid', () => {
    const company = withBooks({ invoices: [{ number: '1', payments: [{ date: '2025-02-20', amount: 21 }] }] })
    const invoices = named(sale({ number: '1', date: '2025-01-10' }, line(100, 21, { tax_regime_key: '07' })))
    const { issued } = booksOf(invoices, company).books
    expect(pick(issued, 'period', 'issue_date', 'payment_date', 'payment_amount', 'payment_means')).toEqual([
      ['4T', '2025-01-10', '2026-12-31', 100, '03'],
    ])
    expect(booksOf(invoices, company, '3T').books.issued).toEqual([])
  })

  it('of a lease have the key by withholding, and the property of the settings', () => {
    const lease = named(
      sale(
        { number: '1', date: '2026-01-10' },
        line(500, 21, { tax_regime_key: '11', tax_withheld_rate: 19 }),
      ),
    )
    const { books, items } = booksOf(
      lease,
      withBooks({ property: { situation: '1', cadastral_reference: '9872023VH5797S0001WX' } }),
    )
    expect(books.issued[0]).toMatchObject({
      key: '11',
      property_situation: '1',
      cadastral_reference: '9872023VH5797S0001WX',
    })
    expect(items).toEqual([])
    expect(booksOf(lease).items.map(({ code, severity }) => [code, severity])).toEqual([
      ['books.property', 'warning'],
    ])
  })

  it('keep the columns of income tax blank, and never subtract a withholding from the total', () => {
    const [row] = issuedBook(
      sale({ number: '1', date: '2026-01-10' }, line(100, 21, { tax_withheld_rate: 15 })),
    )
    expect(row).toMatchObject({ total: 121 })
    for (const name of ['income_concept', 'income', 'withholding_rate', 'withholding'])
      expect(row).not.toHaveProperty(name)
  })

  it('of the equivalence surcharge and farming activities keep their keys 18 and 19', () => {
    const rows = issuedBook(
      sale({ number: '1', date: '2026-01-10' }, line(100, 21, { tax_regime_key: '18' })),
    )
    expect(pick(rows, 'key')).toEqual([['18']])
  })
})

describe('received invoices', () => {
  it('are numbered in the order of their reception, whose quarter is their period', () => {
    const rows = receivedBook(
      purchase({ number: 'late', date: '2026-03-20', receipt: '2026-04-02' }, line(10, 21)),
      purchase({ number: 'early', date: '2026-03-25', receipt: '2026-03-26' }, line(10, 21)),
    )
    expect(pick(rows, 'number', 'period', 'reception_date', 'reception_number')).toEqual([
      ['early', '1T', '2026-03-26', '1'],
      ['late', '2T', '2026-04-02', '2'],
    ])
  })

  it('under reverse charge have computed tax, V = S, and a total without it', () => {
    const rows = receivedBook(purchase({ number: '1', date: '2026-03-20' }, line(1000, undefined, REVERSED)))
    expect(pick(rows, 'key', 'reverse_charge', 'base', 'rate', 'tax', 'deductible', 'total')).toEqual([
      ['01', 'S', 1000, 21, 210, 210, 1000],
    ])
  })

  it('are deducted as their lines and the pro rata state', () => {
    const [half, none, special] = booksOf(
      named(
        purchase({ number: '1', date: '2026-01-20' }, line(100, 21, { deduction_rate: 50 })),
        purchase(
          { number: '2', date: '2026-01-21' },
          line(100, 21, { deduction_rate: 0, non_deductible_reason: 'OTHER' }),
        ),
        purchase({ number: '3', date: '2026-01-22' }, line(100, 21, { non_deductible_reason: 'PRO_RATA' })),
      ),
      withBooks({ pro_rata: 80 }),
    ).books.received
    expect([half?.deductible, none?.deductible, special?.deductible]).toEqual([8.4, 0, 16.8])
    const open = named(
      purchase({ number: '3', date: '2026-01-22' }, line(100, 21, { non_deductible_reason: 'PRO_RATA' })),
    )
    expect(codesOf(open)).toEqual(['books.pro_rata'])
  })

  it('that are simplified are F1 if they name the company, and otherwise F2 without deduction', () => {
    const simplified = (isNamed: boolean) => (invoice: Loose) => {
      invoice.header.invoice_type_code = '02'
      if (!isNamed) delete invoice.customer.tax_id
    }
    const rows = receivedBook(
      purchase({ number: '1', date: '2026-01-20', change: simplified(true) }, line(10, 21)),
      purchase({ number: '2', date: '2026-01-21', change: simplified(false) }, line(10, 21)),
    )
    expect(pick(rows, 'invoice_type', 'tax', 'deductible')).toEqual([
      ['F1', 2.1, 2.1],
      ['F2', 2.1, 0],
    ])
  })

  it('with surcharge, of margin schemes and of farmers have what each scheme deducts', () => {
    const rows = receivedBook(
      purchase({ number: '1', date: '2026-01-20', change: surcharged(100) }, line(100, 21)),
      purchase({ number: '2', date: '2026-01-21' }, line(800, 21, { tax_regime_key: '03' })),
      purchase({ number: '3', date: '2026-01-22' }, line(100, 12, { tax_regime_key: '02' })),
    )
    expect(
      pick(rows, 'invoice_type', 'key', 'base', 'rate', 'tax', 'surcharge', 'deductible', 'total'),
    ).toEqual([
      ['F1', '01', 100, 21, 21, 5.2, 0, 126.2],
      ['F1', '03', 968, 0, 0, undefined, 0, 968],
      ['F6', '02', 100, 12, 12, undefined, 12, 112],
    ])
  })

  it('deducted later have a row without deduction, and one in the later quarter', () => {
    const company = withBooks({
      invoices: [{ number: '1', supplier_tax_id: 'B65410011', deduct_in: '2026-3T' }],
    })
    const invoices = named(purchase({ number: '1', date: '2026-01-20' }, line(100, 21)))
    const { received, sums } = booksOf(invoices, company).books
    expect(
      pick(received, 'period', 'deducted_later', 'deduction_year', 'deduction_period', 'tax', 'deductible'),
    ).toEqual([
      ['1T', 'S', undefined, undefined, 21, 0],
      ['3T', 'S', 2026, '3T', 21, 21],
    ])
    expect(sums[0]).toMatchObject({ base: 100, tax: 21, deductible: 21 })
    expect(booksOf(invoices, company, '2T').books.received).toHaveLength(1)
  })

  it('under cash basis have a row per payment', () => {
    const company = withBooks({
      invoices: [
        { number: '1', supplier_tax_id: 'B65410011', payments: [{ date: '2026-05-20', amount: 121 }] },
      ],
    })
    const invoices = named(
      purchase({ number: '1', date: '2026-01-20' }, line(100, 21, { tax_regime_key: '07' })),
    )
    expect(
      pick(booksOf(invoices, company).books.received, 'period', 'base', 'payment_date', 'payment_amount'),
    ).toEqual([
      ['1T', 100, undefined, undefined],
      ['2T', undefined, '2026-05-20', 121],
    ])
  })
})

describe('investment goods', () => {
  const bought = named(
    purchase({ number: '1', date: '2026-05-20' }, line(10_000, 21, { item_type: 'investment_good' })),
  )
  const facts = {
    number: '1',
    supplier_tax_id: 'B65410011',
    asset: { type: '21', start_of_use: '2026-06-01' },
  }
  const good = {
    ...{ type: '11', start_of_use: '2024-01-15', issue_date: '2024-01-10', number: 'X', rate: 21 },
    ...{
      supplier_tax_id: 'B65410011',
      supplier_name: 'PROVEEDOR SL',
      base: 10_000,
      tax: 2100,
      initial_pro_rata: 50,
    },
  }

  it('of the year are marked in the book of received invoices, and listed in the fourth quarter', () => {
    const company = withBooks({ invoices: [facts], pro_rata: 90, definitive_pro_rata: 80 })
    const { received, investment } = booksOf(bought, company).books
    expect(pick(received, 'investment', 'deductible')).toEqual([['S', 1890]])
    expect(investment).toEqual([
      {
        ...{
          year: 2026,
          period: '4T',
          activity_code: 'A',
          activity_type: '03',
          iae: '6533',
          asset_type: '21',
        },
        ...{
          start_of_use: '2026-06-01',
          issue_date: '2026-05-20',
          number: '1',
          id: 'B65410011',
          name: 'PROVEEDOR SL',
        },
        ...{ base: 10_000, rate: 21, initial_pro_rata: 80, initial_deductible: 1680 },
      },
    ])
    expect(booksOf(bought, COMPANY, '3T').books.investment).toEqual([])
  })

  it('of an unknown type are refused in the fourth quarter', () => {
    expect(codesOf(bought)).toEqual(['books.asset_type'])
  })

  it('of earlier years are regularised by a fifth or a tenth, if the pro rata differs by more than ten points', () => {
    const real = { ...good, number: 'Y', real_estate: true }
    const old = { ...good, number: 'Z', start_of_use: '2021-12-31' }
    const at = (percent: number) =>
      pick(
        booksOf([], withBooks({ definitive_pro_rata: percent, investment_goods: [good, real, old] })).books
          .investment,
        ...['number', 'initial_deductible', 'deductible', 'regularisation'],
      )
    expect(at(80)).toEqual([
      ['X', 1050, 1680, 126],
      ['Y', 1050, 1680, 63],
    ])
    expect(at(60)).toEqual([
      ['X', 1050, 1260, 0],
      ['Y', 1050, 1260, 0],
    ])
  })
})

describe('invoices that the books cannot show', () => {
  const plain = sale({ number: '1', date: '2026-01-10' }, line(100, 21))
  const changed = (change: (document: Loose) => void) => {
    const copy: Loose = structuredClone(plain)
    change(copy)
    return named(copy)
  }

  it.each([
    [
      'documents that the engine did not return',
      changed((one) => delete one.invoice.totals),
      'books.not_canonical',
    ],
    ['drafts', changed((one) => delete one.invoice.header.invoice_number), 'books.not_canonical'],
    [
      'another currency',
      changed((one) => (one.invoice.issue_data.tax_currency_code = 'USD')),
      'books.currency',
    ],
    ['another company', changed((one) => (one.invoice.supplier.tax_id = 'B65410011')), 'books.company'],
    [
      'a recipient without tax id',
      changed((one) => delete one.invoice.customer.tax_id),
      'books.counterparty',
    ],
    [
      'an unknown key',
      changed((one) => (one.invoice.taxes_outputs[0].tax_regime_key = '99')),
      'books.regime_key',
    ],
    [
      'a long number',
      changed((one) => (one.invoice.header.invoice_number = 'x'.repeat(21))),
      'books.number_length',
    ],
    ['the same invoice twice', named(plain, plain), 'books.twice'],
  ])('%s are refused with what, where and how to correct it', (_name, invoices, code) => {
    for (const locale of ['en', 'es'] as const) {
      const result = vatBooks({ company: COMPANY, year: 2026, until: '4T', invoices, locale })
      if (result.ok) throw new Error('no refusal')
      expect(result.items.map((item) => item.code)).toEqual([code])
      expect(result.items[0]?.message).toMatch(/^[^{}—]*\.json[^{}—]*\.[^{}—]*$/)
    }
  })

  it('with errors are refused by the first one', () => {
    const invalid = {
      is_valid: false,
      errors: [{ code: 'x', path: '/y', severity: 'error' } as Loose],
      data: null,
    }
    expect(codesOf([{ source: 'a.json', invoice: invalid }])).toEqual(['books.errors'])
  })

  it('received before their date are refused', () => {
    expect(
      codesOf(named(purchase({ number: '1', date: '2026-02-20', receipt: '2026-02-19' }, line(1, 21)))),
    ).toEqual(['books.receipt_date'])
  })
})
