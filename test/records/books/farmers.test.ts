/** Receipts of the farmers' regime in the VAT books, which never subtract the withholding. */
import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { vatBooks } from '#records/books/index.ts'
import { calculated, correcting, FARM_RECEIPTS, farmLine } from '../../farmers.ts'

const COMPANY = {
  tax_id: 'B12345674',
  legal_name: 'Cítricos Ficticios, S.L.',
  books: { activity: { code: 'A', type: '03', iae: '6533' } },
}

/** Returns the rows of the book of received invoices as type, key, number, total, base, rate, tax and deductible tax. */
function rowsOf(...invoices: readonly CanonicalInvoice[]) {
  const named = invoices.map((invoice, at) => ({ source: `${at}.json`, invoice }))
  const result = vatBooks({ company: COMPANY, year: 2026, until: '4T', invoices: named })
  if (!result.ok) throw new Error(result.items.map(({ message }) => message).join('\n'))
  const names = ['invoice_type', 'key', 'number', 'total', 'base', 'rate', 'tax', 'deductible']
  return result.books.received.map((row) => names.map((name) => row[name]))
}

const isCorrection = (name: string): boolean => name.startsWith('a correction')

describe('receipts of farmers in the book of received invoices', () => {
  it.each(Object.entries(FARM_RECEIPTS).filter(([name]) => !isCorrection(name)))(
    'have type F6, key 02 and the total without withholding: %s',
    (_, [lines, [total], parts]) => {
      const rows = rowsOf(calculated(lines, parts))
      for (const [type, key] of rows) expect([type, key]).toEqual(['F6', '02'])
      expect(rows.reduce((sum, row) => sum + Number(row[3]), 0)).toBe(total)
    },
  )

  it('deduct the compensation', () => {
    expect(rowsOf(calculated([farmLine(333.33, 10.5, 2)]))).toEqual([
      ['F6', '02', 'R-26-001', 368.33, 333.33, 10.5, 35, 35],
    ])
  })

  it('are taken back as F6 by a correction by substitution, with and without the receipt', () => {
    const corrected = calculated([farmLine(400, 10.5, 2)], {
      header: { invoice_number: 'R-26-000' },
      issue: { issue_date: '2026-02-10', receipt_date: '2026-02-10' },
    })
    const correction = calculated([farmLine(333.33, 10.5, 2)], { header: correcting('S') })
    const rows = [
      ['F6', '02', 'R-26-000', -442, -400, 10.5, -42, -42],
      ['R1', '02', 'R-26-001', 368.33, 333.33, 10.5, 35, 35],
    ]
    expect(rowsOf(correction)).toEqual(rows)
    expect(rowsOf(corrected, correction)).toEqual([['F6', '02', 'R-26-000', 442, 400, 10.5, 42, 42], ...rows])
  })

  it('are reduced by a correction by differences', () => {
    const line = farmLine(333.33, 10.5, 2, { quantity: -1 })
    expect(rowsOf(calculated([line], { header: correcting('D') }))).toEqual([
      ['R1', '02', 'R-26-001', -368.33, -333.33, 10.5, -35, -35],
    ])
  })
})
