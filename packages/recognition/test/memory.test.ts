/** Uses the registered invoices of a supplier as evidence for its next invoice. */
import { describe, expect, it } from 'vitest'
import { type KnownSupplier, proposeInvoice, statusOf } from '../src/fields/index.ts'
import { letter } from './corpus/layouts.ts'
import { OURS } from './corpus/parties.ts'
import { SALES } from './corpus/sales.ts'
import { truthOf } from './corpus/truth.ts'
import { materialOf } from './print.ts'

const CONTEXT = {
  company: { tax_id: OURS.tax_id, legal_name: OURS.name, person_type_code: 'J', default_tax_group: 'IVA' },
  today: '2026-11-22',
} as const

const sale = SALES.plain
const truth = truthOf(sale)
const usual: KnownSupplier = {
  tax_id: sale.supplier.tax_id,
  name: sale.supplier.name,
  invoices: [
    { number: sale.number.replace(/\d/g, '1'), year: '2026' },
    { number: sale.number.replace(/\d/g, '2'), year: '2026' },
  ],
  accounts: [],
  withholds: false,
}

const proposed = (known?: KnownSupplier, source: 'text' | 'ocr' = 'text') =>
  proposeInvoice(materialOf(letter(sale, true), source), { ...CONTEXT, known })

const NUMBER = '/invoice/header/invoice_number'
const TAX_ID = '/invoice/supplier/tax_id'

describe('a known supplier', () => {
  it('raises the scores of tax id, name and usual number, but keeps them below 0.9', () => {
    const [before, after] = [proposed(undefined, 'ocr'), proposed(usual, 'ocr')]
    for (const pointer of [NUMBER, TAX_ID, '/invoice/supplier/name']) {
      expect(after.scores[pointer], pointer).toBeGreaterThan(before.scores[pointer] ?? 0)
      expect(after.scores[pointer], pointer).toBeLessThan(0.9)
    }
    expect(after.document.invoice.header.invoice_number).toBe(before.document.invoice.header.invoice_number)
    const amounts = (scores: Readonly<Record<string, number>>) =>
      Object.entries(scores).filter(([pointer]) => /totals|taxes_outputs/.test(pointer))
    expect(amounts(after.scores)).toEqual(amounts(before.scores))
  })

  it('does not raise the score of a number with an unusual pattern', () => {
    const unusual = {
      ...usual,
      invoices: usual.invoices.map((one) => ({ ...one, number: `ABC ${one.number}` })),
    }
    expect(proposed(unusual, 'ocr').scores[NUMBER]).toBe(proposed(undefined, 'ocr').scores[NUMBER])
  })

  it('does not change the proposal for an invoice of another supplier', () => {
    expect(proposed({ ...usual, tax_id: 'A58818501', name: 'Otra, S.A.' })).toEqual(proposed())
  })

  it.each([
    ['already_registered', { invoices: [{ number: truth.number, year: truth.issue_date.slice(0, 4) }] }],
    ['withholding_unusual', { withholds: true }],
    ['account_new', { accounts: ['ES7921000813610123456789'] }],
  ] as const)('needs a review if the invoice differs from what is known: %s', (reason, changes) => {
    const before = proposed(usual)
    expect(before.reasons).not.toContain(reason)
    const proposal = proposed({ ...usual, ...changes })
    expect(proposal.reasons).toContain(reason)
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })

  it('does not compare the withholding of an invoice whose amounts were not read', () => {
    const blurred = (text: string) => text.replace(/\d+,\d\d/g, 'x')
    const { pages, ...rest } = materialOf(letter(sale, true), 'ocr')
    const material = {
      ...rest,
      pages: pages.map((page) => ({
        ...page,
        rows: page.rows.map(({ words, text }) => ({
          words: words.map((word) => ({ ...word, text: blurred(word.text) })),
          text: blurred(text),
        })),
      })),
    }
    const proposal = proposeInvoice(material, { ...CONTEXT, known: { ...usual, withholds: true } })
    expect(proposal.document.invoice.totals).toBeUndefined()
    expect(proposal.document.invoice.supplier.tax_id).toBe(usual.tax_id)
    expect(proposal.reasons).not.toContain('withholding_unusual')
    expect(statusOf(proposal, true)).toBe('recognized_pending_review')
  })
})
