/** Property tests: no wrong field of a proposal has a high score, whatever characters are misread. @slow */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sized } from '#test/size.ts'
import { proposeInvoice } from '../src/fields/index.ts'
import type { Page } from '../src/index.ts'
import { urlOf } from './corpus/code.ts'
import { columns, english, letter, long, ticket } from './corpus/layouts.ts'
import { OURS, SUPPLIERS } from './corpus/parties.ts'
import { type Sale, type Truth, truthOf } from './corpus/truth.ts'
import { materialOf } from './print.ts'
import { wrongButTrusted } from './truths.ts'

const IBAN = 'ES9121000418450200051332'
const RUNS = sized(30, 300, 8_000)

const CONTEXT = {
  company: { tax_id: OURS.tax_id, legal_name: OURS.name, person_type_code: 'J', default_tax_group: 'IVA' },
  today: '2026-11-22',
} as const

/** Characters that OCR confuses. */
const CONFUSIONS: Readonly<Record<string, string>> = {
  '0': 'O86',
  '1': 'I7l',
  '2': 'Z7',
  '3': '8',
  '4': '9',
  '5': 'S6',
  '6': '8G5',
  '7': '1Z2',
  '8': 'B360',
  '9': '4g',
  B: '8',
  S: '5',
  Z: '2',
  O: '0',
  I: '1',
  ',': '.',
  '.': ',',
  '-': '',
  '/': '1',
}

const layouts = fc.constantFrom(letter, columns, english, ticket, long)
const suppliers = fc.constantFrom(...Object.values(SUPPLIERS))
const cents = (most: number) => fc.integer({ min: 1, max: most * 100 }).map((amount) => amount / 100)
const items = fc.array(
  fc.record({
    text: fc.constantFrom(
      'Tornillos de acero',
      'Servicio de limpieza',
      'Papel A4, 500 hojas',
      'Ref. 2291 cable',
    ),
    quantity: fc.integer({ min: 1, max: 40 }),
    price: cents(900),
    rate: fc.constantFrom(21, 21, 10, 4),
  }),
  { minLength: 1, maxLength: 6 },
)
const days = fc
  .integer({ min: 0, max: 600 })
  .map((day) => new Date(Date.UTC(2025, 0, 1) + day * 86_400_000).toISOString().slice(0, 10))
const sales: fc.Arbitrary<Truth> = fc
  .record({
    number: fc.constantFrom('F2026/0148', 'A-26-00731', '2026-017', 'H/88', '4410', 'TK 00123', 'FA25000981'),
    issue_date: days,
    supplier: suppliers,
    items,
    has_surcharge: fc.boolean(),
    withheld_rate: fc.constantFrom(0, 0, 15, 7),
    iban: fc.constantFrom(IBAN, 'ES0700491500092810345678'),
  })
  .map(({ withheld_rate, ...sale }): Truth => {
    const whole: Sale = { ...sale, customer: OURS }
    return truthOf(withheld_rate ? { ...whole, withheld_rate } : whole)
  })

/**
 * Whether a paper is misleading. Tickets and English invoices print neither surcharge nor withholding. If the two
 * cancel each other, the printed amounts add up although they differ from the invoice.
 */
const isMisleading = (truth: Truth, layout: typeof letter): boolean =>
  (layout === ticket || layout === english) &&
  truth.invoice_total !== truth.total &&
  Math.abs(truth.base + truth.taxes.reduce((sum, { amount }) => sum + amount, 0) - truth.total) < 0.005
const papers = fc.tuple(sales, layouts).filter(([truth, layout]) => !isMisleading(truth, layout))

/** Returns a function that replaces characters by similar ones with probability `share`, reproducible by `seed`. */
function misreading(seed: number, share: number): (text: string) => string {
  let state = seed + 1
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return state / 0x7f_ff_ff_ff
  }
  return (text) =>
    [...text]
      .map((letter) => {
        const others = CONFUSIONS[letter]
        if (others === undefined || next() > share) return letter
        return others[Math.floor(next() * others.length)] ?? ''
      })
      .join('')
}

const wrong = (
  truth: Truth,
  layout: typeof letter,
  source: Page['source'],
  hasCode: boolean,
  misread?: (text: string) => string,
): string[] => {
  const codes = hasCode ? [urlOf(truth)] : []
  const { document, scores } = proposeInvoice(
    materialOf(layout(truth, hasCode), source, codes, misread),
    CONTEXT,
  )
  return wrongButTrusted(truth, document, scores)
}

describe('no wrong field of a proposal has a high score', () => {
  // The subtotal could be the base of 4 %, as both give 0.02 of tax, and the base of 21 % a withholding of 15 %.
  it('holds for amounts of cents that fit other bases and a withholding', () => {
    const item = (quantity: number, price: number, rate: number) => ({
      text: 'Tornillos',
      quantity,
      price,
      rate,
    })
    const truth = truthOf({
      number: 'F2026/0148',
      issue_date: '2025-01-01',
      supplier: SUPPLIERS.paper,
      customer: OURS,
      items: [item(9, 0.01, 4), item(1, 0.09, 21), item(4, 0.08, 4)],
      iban: IBAN,
    })
    expect(wrong(truth, english, 'text', false)).toEqual([])
  })

  it('holds if the text is read correctly', () => {
    fc.assert(
      fc.property(papers, fc.boolean(), ([truth, layout], hasCode) => {
        expect(wrong(truth, layout, 'text', hasCode)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('holds if OCR confuses characters', () => {
    fc.assert(
      fc.property(
        papers,
        fc.boolean(),
        fc.nat(),
        fc.constantFrom(0.01, 0.05, 0.2),
        ([truth, layout], hasCode, seed, share) => {
          expect(wrong(truth, layout, 'ocr', hasCode, misreading(seed, share))).toEqual([])
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('holds if one character of a text layer is wrong', () => {
    fc.assert(
      fc.property(papers, fc.nat(), fc.nat({ max: 400 }), ([truth, layout], seed, position) => {
        let at = 0
        const misread = misreading(seed, 1)
        const once = (text: string) => {
          const isHere = position >= at && position < at + text.length
          const letter = position - at
          at += text.length
          return isHere ? text.slice(0, letter) + misread(text[letter] ?? '') + text.slice(letter + 1) : text
        }
        expect(wrong(truth, layout, 'text', false, once)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
