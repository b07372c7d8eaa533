/**
 * The engine against the reference: two calculations without shared code, the same cents. The reference is exact
 * rational arithmetic (`test/reference`), and takes the meaning of the invoice from the document itself.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CanonicalInvoice, explain, validate } from '../../src/api/index.ts'
import { required } from '../../src/errors/index.ts'
import { arbitraryInvoice, largeInvoice } from '../reference/arbitrary.ts'
import { type ReferenceDocument, type ReferenceLine, referenceCalculate } from '../reference/calculate.ts'
import { compare, fromNumber, fromText, round } from '../reference/rational.ts'
import { LIMIT, runs } from '../size.ts'
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
const roomyInvoice = (): fc.Arbitrary<ReferenceDocument> =>
  largeInvoice().filter((document) => {
    const { lines, totals } = referenceCalculate(document)
    const volume = lines.reduce((sum, line) => sum + Math.abs(line.gross_amount_with_tax), 0)
    const moved = Math.abs(totals.total_general_discounts) + Math.abs(totals.total_general_surcharges)
    return volume + moved < 999_999_999_999
  })

/** The members of `computed` that `expected` has: each amount must be there, equal. */
const members = (computed: object | undefined, expected: object): object =>
  Object.fromEntries(
    Object.keys(expected).map((name) => [name, (computed as Record<string, unknown>)?.[name]]),
  )

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

function agrees(document: ReferenceDocument): void {
  const { invoice } = calculated(document)
  // The meaning (treatments, keys, rates) as the engine left it: what the reference is to calculate.
  const meaning = { invoice: { ...document.invoice, lines: invoice.lines as unknown as ReferenceLine[] } }
  const expected = referenceCalculate(document)
  expect(invoice.lines.map((line, i) => members(line, required(expected.lines[i])))).toEqual(expected.lines)
  expect(invoice.lines).toHaveLength(expected.lines.length)
  expect(invoice.taxes_outputs?.map((entry, i) => members(entry, expected.taxes_outputs[i] ?? {}))).toEqual(
    expected.taxes_outputs,
  )
  expect(
    (invoice.taxes_withheld ?? []).map((entry, i) => members(entry, expected.taxes_withheld[i] ?? {})),
  ).toEqual(expected.taxes_withheld)
  expect(members(invoice.totals, expected.totals)).toEqual(expected.totals)
  // No amount more than the reference knows.
  invoice.lines.forEach((line, i) => {
    for (const name of LINE_AMOUNTS)
      if (line[name] !== undefined) expect(expected.lines[i], name).toHaveProperty(name)
  })
  expect(referenceCalculate(meaning).totals).toEqual(expected.totals)
}

describe('every amount equals the reference to the cent', () => {
  it('on everyday amounts', { timeout: LIMIT }, () => {
    fc.assert(fc.property(arbitraryInvoice(), agrees), runs(1000, 100_000))
  })
  it('on amounts of nearly 12 integer digits', { timeout: LIMIT }, () => {
    fc.assert(fc.property(roomyInvoice(), agrees), runs(500, 30_000))
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
    fc.assert(
      fc.property(arbitraryInvoice(), fc.constantFrom(...OPERATIONS), (document, operation) => {
        const { data } = validate(asSent(document, operation), { operation })
        const expected = referenceCalculate(document)
        expect(members(data?.invoice.totals, expected.totals)).toEqual(expected.totals)
      }),
      runs(300, 10_000),
    )
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
function computedPaths(sent: ReferenceDocument, data: CanonicalInvoice): string[] {
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
      const members = entry as Record<string, unknown>
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
          expect(compare(exact, fromNumber(row.rounded)), JSON.stringify(row)).toBe(0)
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
