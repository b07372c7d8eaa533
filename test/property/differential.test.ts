/**
 * The engine against the second implementation (`test/second`), on documents that fast-check shrinks: two calculations
 * without shared code, the same cents.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, explain, validate } from '#engine/index.ts'
import { compare as compareExact, fromNumber, fromText, round } from '../core/money/rational.ts'
import { compare } from '../second/compare.ts'
import type { SentDocument, SentOptions } from '../second/sent.ts'
import { runs } from '../size.ts'
import { type ArbitraryDocument, arbitraryInvoice, largeInvoice, secondResult } from './arbitrary.ts'
import { asSent, invoiceOf, OPERATIONS } from './documents.ts'

const calculated = (document: unknown): CanonicalInvoice => {
  const { data, errors } = validate(document)
  if (!data) throw new Error(`refused: ${JSON.stringify(errors)}`)
  return data
}

/**
 * Large documents whose sizes, discounts and surcharges added up stay below the limit. Beyond that, an invoice of which
 * only the differences fit has its own test.
 */
const roomyInvoice = (): fc.Arbitrary<ArbitraryDocument> =>
  largeInvoice().filter((document) => {
    const { lines, totals } = secondResult(document)
    const volume = lines.reduce((sum, line) => sum + Math.abs(Number(line.gross_amount_with_tax)), 0)
    const moved =
      Math.abs(Number(totals.total_general_discounts)) + Math.abs(Number(totals.total_general_surcharges))
    return volume + moved < 999_999_999_999
  })

const LINE_AMOUNTS = [
  'discount_amount',
  'charge_amount',
  'total_cost_without_tax',
  'gross_amount_without_tax',
  'total_cost_with_tax',
  'gross_amount_with_tax',
  'tax_output_base',
  'tax_output_amount',
  'tax_withheld_base',
  'tax_withheld_amount',
  'consumption_tax_amount',
] as const

function agrees(document: ArbitraryDocument, operation: SentOptions['operation'] = 'draft'): void {
  const sent = asSent(document, operation) as SentDocument
  const { differences, notes } = compare({
    document: sent,
    options: { operation, totals: 'recalculate' },
  })
  if (notes.size === 0) expect(differences).toEqual([])
}

describe('every amount equals that of the second implementation', () => {
  it('on everyday amounts', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => agrees(document)),
      runs(1000, 100_000),
    )
  })
  it('on amounts of nearly 12 integer digits', () => {
    fc.assert(
      fc.property(roomyInvoice(), (document) => agrees(document)),
      runs(500, 30_000),
    )
  })
  it('on an invoice whose amounts all have at most 12 integer digits, whatever discounts cancel out', () => {
    agrees(
      invoiceOf(
        [
          {
            unit_price_with_tax: 750_011_248_710,
            tax_treatment_code: 'TAXABLE_EXEMPT',
            exemption_reason_code: 'E1',
            tax_regime_key: '01',
          },
        ],
        {
          general_discounts: [{ discount_rate: 33.33 }],
          general_surcharges: [{ charge_amount: 6_367_405 }, { charge_amount: 3_634_690 }],
        },
      ),
    )
  })
  it('whatever the operation', () => {
    fc.assert(fc.property(arbitraryInvoice(), fc.constantFrom(...OPERATIONS), agrees), runs(300, 10_000))
  })
})

// ------------------------------------------------------------------------------------------------ explain

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .reduce((node, name) => (node as Record<string, unknown>)?.[name], document)

/** Rules whose rows spread or fit an amount: there the exact value is the ideal share, not the amount. */
const ALLOCATIONS = ['largest remainder', 'entry sent']

/** Paths of every amount that the engine computed: in `data`, and not sent as it stands. */
function computedPaths(sent: ArbitraryDocument, data: CanonicalInvoice): string[] {
  const { lines, taxes_outputs: outputs = [], taxes_withheld: withheld = [], totals } = data.invoice
  const paths: string[] = []
  lines.forEach((line, i) => {
    for (const name of LINE_AMOUNTS) {
      const given = name === 'discount_amount' || name === 'charge_amount'
      if (line[name] !== undefined && !(given && required(sent.invoice.lines[i])[name] !== undefined))
        paths.push(`/invoice/lines/${i}/${name}`)
    }
  })
  outputs.forEach((entry, i) => {
    for (const name of [
      'taxable_base',
      'tax_amount',
      'equivalence_surcharge_amount',
      'consumption_tax_amount',
    ] as const)
      if (entry[name] !== undefined) paths.push(`/invoice/taxes_outputs/${i}/${name}`)
  })
  withheld.forEach((_, i) => {
    paths.push(`/invoice/taxes_withheld/${i}/taxable_base`, `/invoice/taxes_withheld/${i}/tax_amount`)
  })
  for (const [name, value] of Object.entries(totals))
    if (typeof value === 'number' && name !== 'rounding_amount') paths.push(`/invoice/totals/${name}`)
  for (const [list, amount] of [
    ['general_discounts', 'discount_amount'],
    ['general_surcharges', 'charge_amount'],
  ] as const)
    sent.invoice.totals[list]?.forEach((entry, i) => {
      const rate = list === 'general_discounts' ? 'discount_rate' : 'charge_rate'
      const members: Record<string, unknown> = entry
      if (members[amount] === undefined && members[rate] !== undefined)
        paths.push(`/invoice/totals/${list}/${i}/${amount}`)
    })
  // No document of the reference has instalments: the amount to pay is the only one.
  return [...paths, '/invoice/payment_details/0/installment_amount']
}

describe('explain', () => {
  const documents = fc.oneof(
    { weight: 4, arbitrary: arbitraryInvoice() },
    { weight: 1, arbitrary: roomyInvoice() },
  )

  it('gives every computed amount exactly one row', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const paths = explain(document).map((row) => row.path)
        expect([...paths].sort()).toEqual(computedPaths(document, calculated(document)).sort())
      }),
      runs(400, 20_000),
    )
  })

  it('has the values of data at its path and at the paths of its inputs', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const data = calculated(document)
        for (const row of explain(document)) {
          expect(row.rounded, row.path).toBe(valueAt(data, row.path))
          // In `data`, or as it was sent.
          const strange = row.inputs.filter(
            ({ path, value }) => valueAt(data, path) !== value && valueAt(document, path) !== value,
          )
          expect(strange, row.path).toEqual([])
        }
      }),
      runs(400, 20_000),
    )
  })

  it('has an exact value that rounds to the amount, unless an amount is spread', () => {
    fc.assert(
      fc.property(documents, (document) => {
        for (const row of explain(document)) {
          if (ALLOCATIONS.some((rule) => row.rule.startsWith(rule))) continue
          const exact = round(fromText(row.exact.replace('…', '')), 2)
          expect(compareExact(exact, fromNumber(row.rounded)), JSON.stringify(row)).toBe(0)
        }
      }),
      runs(400, 20_000),
    )
  })

  it('equals what validate returns with explain: true', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(validate(document, { explain: true }).explanation).toEqual(explain(document))
      }),
      runs(100, 2_000),
    )
  })
})
