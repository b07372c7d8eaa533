/** Corrections by substitution in the books: what is taken back, what is not in the books, what accrues, and what is refused. */
import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { type BookInvoice, type NotBooked, type Row, vatBooks } from '#records/books/index.ts'
import { setAll, setTo } from '../../put.ts'
import { COMPANY, type Loose, line, named, purchase, sale, withBooks } from './sample.ts'

const build = (
  invoices: readonly BookInvoice[],
  { company = COMPANY, notBooked = [] as readonly NotBooked[], year = 2026 } = {},
) => vatBooks({ company, year, until: '4T', invoices, notBooked })
const books = (...given: Parameters<typeof build>) => {
  const result = build(...given)
  if (!result.ok) throw new Error(JSON.stringify(result.items, null, 1))
  return result
}
const codes = (...given: Parameters<typeof build>) => build(...given).items.map(({ code }) => code)
const pick = (rows: readonly Row[], ...names: readonly string[]) =>
  rows.map((row) => names.map((name) => row[name]))

const replacing =
  (number: string, base: number, tax: number, more?: (invoice: Loose) => void) =>
  (invoice: Loose): void => {
    invoice.header.invoice_type_code = '03'
    invoice.header.corrective = {
      reason_code: '16',
      correction_type: 'S',
      invoice_number: number,
      invoice_issue_date: '2026-04-10',
      corrected_taxable_base: base,
      corrected_tax_amount: tax,
    }
    more?.(invoice)
  }
const FIRST = sale({ number: 'A-1', date: '2026-04-10' }, line(1000, 21))
const SECOND = sale({ number: 'A-2', date: '2026-05-20', change: replacing('A-1', 1000, 210) }, line(900, 21))
const left = (status: NotBooked['status'], more: Partial<NotBooked> = {}): NotBooked => ({
  direction: 'issued',
  number: 'A-1',
  issue_date: '2026-04-10',
  supplier_tax_id: null,
  status,
  ...more,
})
const sumOf = (invoices: readonly CanonicalInvoice[], options = {}) =>
  books(named(...invoices), options).books.issued.reduce((sum, { base }) => sum + Number(base), 0)

describe('a correction by substitution', () => {
  it('takes the replaced invoice back whether its document is there or not', () => {
    expect(sumOf([FIRST, SECOND])).toBe(900)
    expect(sumOf([SECOND])).toBe(-100)
  })

  it('takes nothing back of an invoice that is cancelled, and an item says so', () => {
    expect(sumOf([SECOND], { notBooked: [left('cancelled')] })).toBe(900)
    expect(codes(named(SECOND), { notBooked: [left('cancelled')] })).toEqual(['books.replaced_not_in_force'])
    for (const other of [{ number: 'A-9' }, { issue_date: '2025-04-10' }, { direction: 'received' }])
      expect(sumOf([SECOND], { notBooked: [left('cancelled', other)] })).toBe(-100)
  })

  it('takes nothing back of a received invoice with errors; the supplier distinguishes equal numbers', () => {
    const bought = purchase(
      { number: 'P-2', date: '2026-05-20', change: replacing('A-1', 1000, 210) },
      line(900, 21),
    )
    const draft = left('draft', { direction: 'received', supplier_tax_id: 'B65410011', issue_date: null })
    const deductible = (notBooked: readonly NotBooked[]) =>
      books(named(bought), { notBooked }).books.received.reduce((sum, row) => sum + Number(row.deductible), 0)
    expect(deductible([draft])).toBe(189)
    expect(deductible([{ ...draft, supplier_tax_id: 'B98765431' }])).toBeCloseTo(-21)
  })

  it('takes an invoice back once: the second correction of it says so', () => {
    const third = sale(
      { number: 'A-3', date: '2026-06-20', change: replacing('A-1', 1000, 210) },
      line(800, 21),
    )
    expect(sumOf([FIRST, SECOND, third])).toBe(1700)
    expect(codes(named(FIRST, SECOND, third))).toEqual(['books.replaced_twice'])
    const chained = sale(
      { number: 'A-3', date: '2026-06-20', change: replacing('A-2', 900, 189) },
      line(800, 21),
    )
    chained.invoice.header.corrective!.invoice_issue_date = '2026-05-20'
    expect(sumOf([FIRST, SECOND, chained])).toBe(800)
  })

  it('of a full invoice in exchange for a ticket takes back the operation that the ticket declares', () => {
    const simplified = setAll({ 'header/invoice_type_code': '02', customer: undefined })
    const ticket = sale({ number: 'T-1', date: '2026-04-09', change: simplified }, line(1000, 21))
    const company = withBooks({ invoices: [{ number: 'A-1', type: 'F3' }] })
    const { issued, sums } = books(named(ticket, FIRST, SECOND), { company }).books
    expect(pick(issued, 'invoice_type', 'base')).toEqual([
      ['F2', 1000],
      ['F3', 1000],
      ['F1', -1000],
      ['R1', 900],
    ])
    expect(sums.map(({ base, tax }) => [base, tax])).toEqual([[900, 189]])
  })

  it('is refused by name if the tax that it takes back is not that of its rate', () => {
    const changed = sale(
      { number: 'A-2', date: '2026-05-20', change: replacing('A-1', 1000, 100) },
      line(900, 21),
    )
    expect(codes(named(changed))).toEqual(['books.corrected_unknown'])
    const ten = sale({ number: 'A-1', date: '2026-04-10' }, line(1000, 10))
    expect(pick(books(named(ten, changed)).books.issued, 'rate', 'base', 'tax')).toEqual([
      [10, 1000, 100],
      [10, -1000, -100],
      [21, 900, 189],
    ])
  })
})

it('a correction to another tax group is refused without the replaced invoice, because its tax is unknown', () => {
  const ipsi = setTo('issue_data/tax_group_code', 'IPSI')
  const toIpsi = sale(
    { number: 'A-2', date: '2026-05-20', change: replacing('A-1', 1000, 210, ipsi) },
    line(900, 10),
  )
  expect(codes(named(toIpsi))).toEqual(['books.corrected_unknown'])
  expect(pick(books(named(FIRST, toIpsi)).books.issued, 'key', 'base', 'tax')).toEqual([
    ['01', 1000, 210],
    ['01', -1000, -210],
    ['08', 900, 0],
  ])
})

it('the correction of a ticket that did not name the company deducts nothing', () => {
  const ticket = purchase(
    {
      number: 'T-1',
      date: '2026-04-10',
      change: setAll({ 'header/invoice_type_code': '02', customer: undefined }),
    },
    line(1000, 21),
  )
  const correction = purchase(
    {
      number: 'T-2',
      date: '2026-05-20',
      change: (invoice) => {
        replacing('T-1', 0, 0)(invoice)
        invoice.header.invoice_type_code = '04'
        invoice.header.corrective.correction_type = 'D'
      },
    },
    line(-100, 21),
  )
  expect(pick(books(named(ticket, correction)).books.received, 'invoice_type', 'deductible')).toEqual([
    ['F2', 0],
    ['R5', 0],
  ])
})

describe('an invoice that another has replaced', () => {
  const unpaid = { tax_regime_key: '07' }
  const original = sale({ number: 'A-1', date: '2026-04-10' }, line(1000, 21, unpaid))
  const correction = (date: string) =>
    sale({ number: 'A-2', date, change: replacing('A-1', 1000, 210) }, line(900, 21, unpaid))
  const accruals = (invoices: readonly BookInvoice[], year: number) =>
    pick(
      books(invoices, { year }).books.issued.filter(({ payment_means }) => payment_means === '03'),
      'number',
      'payment_date',
      'payment_amount',
    )

  it('accrues nothing: what is owed is the amount of the correction', () => {
    expect(accruals(named(original), 2027)).toEqual([['A-1', '2027-12-31', 1210]])
    expect(accruals(named(original, correction('2026-05-20')), 2027)).toEqual([['A-2', '2027-12-31', 1089]])
  })

  it('counts with its collections for the correction', () => {
    const [first, second] = named(original, correction('2026-05-20'))
    const collected = { ...first!, payments: [{ date: '2026-05-02', amount: 500 }] }
    expect(accruals([collected, second!], 2027)).toEqual([['A-2', '2027-12-31', 589]])
    const settled = { ...second!, payments: [{ date: '2026-06-02', amount: 1089 }] }
    expect(accruals([first!, settled], 2027)).toEqual([])
  })

  it('has accrued if the correction comes later; the difference accrues at the end of that year', () => {
    const late = named(original, correction('2028-02-01'))
    expect(accruals(late, 2027)).toEqual([['A-1', '2027-12-31', 1210]])
    expect(accruals(late, 2028)).toEqual([['A-2', '2028-12-31', -121]])
    const higher = sale(
      { number: 'A-2', date: '2028-02-01', change: replacing('A-1', 1000, 210) },
      line(1100, 21, unpaid),
    )
    expect(accruals(named(original, higher), 2028)).toEqual([['A-2', '2028-12-31', 121]])
  })

  it('accrues nothing in a long chain of corrections: only the last one accrues', () => {
    const again = (at: number) => {
      const change = replacing(`A-${at - 1}`, 1000, 210, ({ header }) => {
        header.corrective.invoice_issue_date = date(at - 1)
      })
      return sale({ number: `A-${at}`, date: date(at), change }, line(1000, 21, unpaid))
    }
    const date = (at: number) => (at === 1 ? '2026-04-10' : '2026-05-20')
    const chain = [original, ...Array.from({ length: 59 }, (_, index) => again(index + 2))]
    expect(accruals(named(...chain), 2027)).toEqual([['A-60', '2027-12-31', 1210]])
  })

  it('accrues nothing if the two name each other', () => {
    const two = [
      ['A-1', 'A-2'],
      ['A-2', 'A-1'],
    ].map(([number = '', other = '']) =>
      sale({ number, date: '2026-04-10', change: replacing(other, 1000, 210) }, line(1000, 21, unpaid)),
    )
    expect(accruals(named(...two), 2027)).toEqual([])
  })

  it('is not in the book of investment goods, even if the settings name it as one of an earlier year', () => {
    const good = { item_type: 'investment_good' }
    const bought = purchase({ number: 'P-1', date: '2026-04-10' }, line(10_000, 21, good))
    const replaced = purchase(
      { number: 'P-2', date: '2026-05-20', change: replacing('P-1', 10_000, 2100) },
      line(9000, 21, good),
    )
    const supplier_tax_id = 'B65410011'
    const company = withBooks({ invoices: [{ number: 'P-1', supplier_tax_id, asset: { type: '23' } }] })
    const goods = (...invoices: readonly CanonicalInvoice[]) =>
      pick(books(named(...invoices), { company }).books.investment, 'number', 'base', 'start_of_use')
    expect(goods(bought)).toEqual([['P-1', 10_000, '2026-04-10']])
    expect(goods(bought, replaced)).toEqual([['P-2', 9000, '2026-04-10']])
    const kept = {
      type: '23',
      start_of_use: '2024-04-10',
      issue_date: '2024-04-10',
      number: 'P-1',
      supplier_tax_id,
      supplier_name: 'PROVEEDOR SL',
      base: 10_000,
      rate: 21,
      tax: 2100,
      initial_pro_rata: 100,
    }
    const later = withBooks({
      investment_goods: [kept],
      invoices: [{ number: 'P-2', supplier_tax_id, asset: { type: '23', start_of_use: '2024-04-10' } }],
    })
    const numbers = (...invoices: readonly CanonicalInvoice[]) =>
      pick(books(named(...invoices), { company: later }).books.investment, 'number', 'base')
    expect(numbers()).toEqual([['P-1', 10_000]])
    expect(numbers(replaced)).toEqual([['P-2', 9000]])
  })
})

it('collections above the total belong to disbursements: nothing accrues', () => {
  const [sold] = named(sale({ number: 'A-1', date: '2026-04-10' }, line(1000, 21, { tax_regime_key: '07' })))
  const paid = { ...sold!, payments: [{ date: '2026-06-02', amount: 1310 }] }
  const { issued } = books([paid], { year: 2027 }).books
  expect(issued).toEqual([])
})

it('the total of a margin-scheme invoice is the price that the customer pays', () => {
  const sold = sale(
    { number: 'A-1', date: '2026-04-10' },
    {
      ...line(0, 21),
      unit_price_without_tax: undefined,
      unit_price_with_tax: 1000,
      tax_regime_key: '03',
      purchase_price_incl: 600,
    },
  )
  expect(pick(books(named(sold)).books.issued, 'total', 'base', 'tax')).toEqual([[1000, 330.58, 69.42]])
})

describe('a ticket under cash basis that a full invoice replaces (F3)', () => {
  const unpaid = { tax_regime_key: '07' }
  const simplified = setAll({ 'header/invoice_type_code': '02', customer: undefined })
  const naming = setTo('additional_data', { related_invoice: { number: 'T-1' } })
  const ticket = sale({ number: 'T-1', date: '2026-12-28', change: simplified }, line(1000, 21, unpaid))
  const full = (date: string) => sale({ number: 'A-1', date, change: naming }, line(1000, 21, unpaid))
  const accruals = (invoices: readonly BookInvoice[], year = 2027) =>
    pick(
      books(invoices, {
        year,
        company: withBooks({ invoices: [{ number: 'A-1', type: 'F3' }] }),
      }).books.issued.filter(({ payment_means }) => payment_means === '03'),
      'number',
      'payment_date',
      'payment_amount',
    )

  it('accrues nothing: the full invoice accrues once, by the year of the sale', () => {
    for (const date of ['2026-12-30', '2027-01-09'])
      expect(accruals(named(ticket, full(date)))).toEqual([['A-1', '2027-12-31', 1210]])
  })

  it('counts with its collections for the full invoice', () => {
    const [first, second] = named(ticket, full('2027-01-09'))
    const collected = { ...first!, payments: [{ date: '2026-12-29', amount: 500 }] }
    expect(accruals([collected, second!])).toEqual([['A-1', '2027-12-31', 710]])
  })

  it('has accrued if the full invoice comes later, which then accrues nothing', () => {
    const late = named(ticket, full('2028-02-01'))
    expect(accruals(late)).toEqual([['T-1', '2027-12-31', 1210]])
    for (const year of [2028, 2029]) expect(accruals(late, year)).toEqual([])
  })

  it('is unknown to the books if it is not among the invoices: the full invoice accrues alone', () => {
    expect(accruals(named(full('2026-12-30')))).toEqual([['A-1', '2027-12-31', 1210]])
  })
})
