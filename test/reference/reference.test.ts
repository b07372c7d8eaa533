import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '../size.ts'
import { arbitraryInvoice, LARGEST_AMOUNT, largeInvoice, largestSum } from './arbitrary.ts'
import {
  type ReferenceCalculable,
  type ReferenceDocument,
  type ReferenceLine,
  type ReferenceResult,
  type ReferenceTaxOutput,
  referenceCalculate,
} from './calculate.ts'
import * as exact from './rational.ts'

const line = (members: Partial<ReferenceLine>): ReferenceLine => ({
  item_description: 'Artículo',
  quantity: 1,
  tax_treatment_code: 'TAXABLE_NON_EXEMPT',
  tax_regime_key: '01',
  ...members,
})

const invoice = (
  lines: Partial<ReferenceLine>[],
  rest: Omit<ReferenceCalculable['invoice'], 'lines'> = {},
): ReferenceCalculable => ({ invoice: { lines: lines.map(line), ...rest } })

describe('exact rational numbers', () => {
  test('take the shortest decimal text of a JSON number', () => {
    expect(exact.fromNumber(0.1)).toEqual(exact.rational(1, 10))
    expect(exact.fromNumber(1e-8)).toEqual(exact.rational(1, 100_000_000))
    expect(exact.fromNumber(-1.5e21)).toEqual(exact.rational(-1_500_000_000_000_000_000_000n))
    expect(exact.fromNumber(-0)).toEqual(exact.ZERO)
    expect(() => exact.fromNumber(Number.NaN)).toThrow()
  })

  test('round half away from zero', () => {
    const rounded = (value: number, decimals = 2) =>
      exact.toNumber(exact.round(exact.fromNumber(value), decimals))
    expect([1.005, -1.005, 1.004999, 0.5, -0.004].map((value) => rounded(value))).toEqual([
      1.01, -1.01, 1, 0.5, 0,
    ])
    expect([rounded(2.5, 0), rounded(-2.5, 0), rounded(24.369999999999997, 8)]).toEqual([3, -3, 24.37])
  })

  test('are written without exponent or closing zeros, never as -0', () => {
    expect(exact.toText(exact.rational(-12_10, 100))).toBe('-12.1')
    expect(exact.toText(exact.fromNumber(1e-8))).toBe('0.00000001')
    expect(exact.toText(exact.rational(3, 8))).toBe('0.375')
    expect(() => exact.toText(exact.rational(1, 3))).toThrow()
    expect(Object.is(exact.toNumber(exact.round(exact.fromNumber(-0.001), 2)), 0)).toBe(true)
  })

  test('go to text and back, add and subtract, multiply and divide', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(12))
      .map(([units, decimals]) => exact.rational(units, 10n ** BigInt(decimals)))
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(exact.fromText(exact.toText(a))).toEqual(a)
        expect(exact.sub(exact.add(a, b), b)).toEqual(a)
        if (!exact.isZero(b)) expect(exact.div(exact.mul(a, b), b)).toEqual(a)
        expect(exact.compare(a, b)).toBe(exact.sign(exact.sub(a, b)))
      }),
    )
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(exact.toNumber(exact.fromNumber(x))).toBe(x === 0 ? 0 : x)
      }),
    )
  })

  test('are shared out by largest remainder', () => {
    const third = exact.rational(100, 3)
    const parts = exact.largestRemainder(exact.HUNDRED, [third, third, third], 2, (a, b) => b - a)
    expect(parts.map(exact.toNumber)).toEqual([33.33, 33.33, 33.34])
  })
})

describe('figures worked by hand', () => {
  test('2 x 100 at 21 %', () => {
    const result = referenceCalculate(
      invoice([{ quantity: 2, unit_price_without_tax: 100, tax_output_rate: 21 }]),
    )
    expect(result).toEqual({
      lines: [
        {
          total_cost_without_tax: 200,
          gross_amount_without_tax: 200,
          total_cost_with_tax: 242,
          gross_amount_with_tax: 242,
          tax_output_base: 200,
          tax_output_amount: 42,
        },
      ],
      taxes_outputs: [
        {
          tax_treatment_code: 'TAXABLE_NON_EXEMPT',
          tax_regime_key: '01',
          tax_rate: 21,
          taxable_base: 200,
          tax_amount: 42,
        },
      ],
      taxes_withheld: [],
      totals: {
        total_gross_amount: 200,
        total_general_discounts: 0,
        total_general_surcharges: 0,
        total_gross_amount_before_taxes: 200,
        total_tax_outputs: 42,
        total_taxes_withheld: 0,
        total_consumption_taxes: 0,
        invoice_total: 242,
        total_payments_on_account: 0,
        total_reimbursable_expenses: 0,
        total_executable_amount: 242,
        total_non_taxable_amount: 0,
      },
    })
  })

  test('three lines of 9.99 with tax at 21 %', () => {
    const sold = { unit_price_with_tax: 9.99, tax_output_rate: 21 }
    const result = referenceCalculate(invoice([sold, sold, sold]))
    expect(result.taxes_outputs).toMatchObject([{ taxable_base: 24.77, tax_amount: 5.2 }])
    expect(result.totals).toMatchObject({ total_gross_amount_before_taxes: 24.77, invoice_total: 29.97 })
    // 8.2561... each: 8.25 and two cents over, to the first two positions
    expect(result.lines.map((l) => [l.tax_output_base, l.tax_output_amount])).toEqual([
      [8.26, 1.73],
      [8.26, 1.73],
      [8.25, 1.74],
    ])
  })

  test('half a cent away from zero, and no binary dust', () => {
    const total = (quantity: number, price: number) =>
      referenceCalculate(invoice([{ quantity, unit_price_without_tax: price, tax_output_rate: 0 }])).totals
        .invoice_total
    expect([total(1, 1.005), total(-1, 1.005), total(3, 0.1)]).toEqual([1.01, -1.01, 0.3])
  })

  test('a discount and a charge on the line', () => {
    const result = referenceCalculate(
      invoice([
        {
          quantity: 3,
          unit_price_without_tax: 33.33,
          tax_output_rate: 10,
          discount_rate: 10,
          charge_rate: 5,
          charge_amount: 2,
        },
      ]),
    )
    // 99.99 - 10.00 + 2.00 = 91.99; tax 9.20 on that and 10.00 on the cost
    expect(result.lines[0]).toEqual({
      discount_amount: 10,
      charge_amount: 2,
      total_cost_without_tax: 99.99,
      gross_amount_without_tax: 91.99,
      total_cost_with_tax: 109.99,
      gross_amount_with_tax: 101.19,
      tax_output_base: 91.99,
      tax_output_amount: 9.2,
    })
  })

  test('a document discount over two groups, with withholding', () => {
    const result = referenceCalculate(
      invoice(
        [
          { unit_price_without_tax: 100, tax_output_rate: 21, tax_withheld_rate: 15 },
          { unit_price_without_tax: 50, tax_output_rate: 10 },
        ],
        { totals: { general_discounts: [{ discount_amount: 10 }] } },
      ),
    )
    // 10.00 goes 6.666... and 3.333...: 6.67 and 3.33
    expect(result.taxes_outputs).toMatchObject([
      { taxable_base: 93.33, tax_amount: 19.6 },
      { taxable_base: 46.67, tax_amount: 4.67 },
    ])
    expect(result.lines[0]).toMatchObject({
      gross_amount_without_tax: 100,
      tax_output_base: 100,
      tax_withheld_base: 93.33,
      tax_withheld_amount: 14,
    })
    expect(result.taxes_withheld).toEqual([{ tax_rate: 15, taxable_base: 93.33, tax_amount: 14 }])
    expect(result.totals).toMatchObject({
      total_gross_amount: 150,
      total_general_discounts: 10,
      total_gross_amount_before_taxes: 140,
      invoice_total: 164.27,
      total_executable_amount: 150.27,
    })
  })

  test('the cent of a tie goes to the higher rate, wherever it stands', () => {
    const lines = [
      { unit_price_without_tax: 100, tax_output_rate: 10 },
      { unit_price_without_tax: 100, tax_output_rate: 21 },
    ]
    const bases = (general_discounts: { discount_amount: number }[], from: typeof lines) =>
      Object.fromEntries(
        referenceCalculate(invoice(from, { totals: { general_discounts } })).taxes_outputs.map((group) => [
          group.tax_rate,
          group.taxable_base,
        ]),
      )
    expect(bases([{ discount_amount: 0.01 }], lines)).toEqual({ 21: 99.99, 10: 100 })
    expect(bases([{ discount_amount: 0.01 }], [...lines].reverse())).toEqual({ 21: 99.99, 10: 100 })
  })

  test('a price with tax under a document discount: base x rate', () => {
    const result = referenceCalculate(
      invoice([{ unit_price_with_tax: 10, tax_output_rate: 21 }], {
        totals: { general_discounts: [{ discount_rate: 10 }] },
      }),
    )
    // 8.26 less 0.83 is 7.43; 21 % of it is 1.5603
    expect(result.taxes_outputs).toMatchObject([{ taxable_base: 7.43, tax_amount: 1.56 }])
    expect(result.totals.invoice_total).toBe(8.99)
  })

  test('a price with tax in the one-stop shop contains the foreign tax', () => {
    const result = referenceCalculate(
      invoice([
        {
          unit_price_with_tax: 100,
          tax_treatment_code: 'NON_TAXABLE',
          non_taxable_reason: 'LOCATION_RULES',
          tax_regime_key: '17',
          consumption_country_code: 'DE',
          consumption_tax_rate: 19,
          consumption_rate_type: 'standard',
          supply_type: 'goods',
        },
      ]),
    )
    expect(result.lines[0]).toMatchObject({
      tax_output_base: 84.03,
      tax_output_amount: 0,
      consumption_tax_amount: 15.97,
    })
    expect(result.totals).toMatchObject({
      total_gross_amount_before_taxes: 84.03,
      total_tax_outputs: 0,
      total_consumption_taxes: 15.97,
      total_non_taxable_amount: 84.03,
      invoice_total: 100,
    })
  })

  test('a margin is never below 0 and keeps the sign of its line', () => {
    const sold = { tax_regime_key: '03', tax_output_rate: 21, unit_price_with_tax: 200 }
    const base = (members: Partial<ReferenceLine>) =>
      referenceCalculate(invoice([{ ...sold, ...members }])).taxes_outputs[0]?.taxable_base
    expect(base({ purchase_price_incl: 300 })).toBe(0)
    expect(base({ purchase_price_incl: 100, quantity: -1 })).toBe(-82.64)
    expect(base({ purchase_price_incl: 100 })).toBe(82.64)
  })

  test('payments, expenses and rounding change only the amount to pay', () => {
    const { totals } = referenceCalculate(
      invoice([{ unit_price_without_tax: 100, tax_output_rate: 21 }], {
        totals: {
          payments_on_account: [
            { payment_on_account_date: '2025-01-01', payment_on_account_amount: 20.5 },
            { payment_on_account_date: '2025-01-02', payment_on_account_amount: 0.5 },
          ],
          reimbursable_expenses: [{ reimbursable_expenses_amount: 7 }],
          rounding_amount: -0.01,
        },
      }),
    )
    expect(totals).toMatchObject({
      invoice_total: 121,
      total_payments_on_account: 21,
      total_reimbursable_expenses: 7,
      rounding_amount: -0.01,
      total_executable_amount: 106.99,
    })
  })

  test('another number of minor units', () => {
    const yen = invoice([{ quantity: 3, unit_price_without_tax: 33.5, tax_output_rate: 10 }])
    expect(referenceCalculate(yen, { decimals: 0 }).totals.invoice_total).toBe(111)
  })
})

/** Worked examples of the authority and of other projects; T39 is recomputed. */
const EXAMPLES: {
  id: string
  lines: Partial<ReferenceLine>[]
  surcharges?: ReferenceTaxOutput[]
  groups: Partial<ReferenceTaxOutput>[]
  totals: Partial<ReferenceResult['totals']>
}[] = [
  {
    id: 'T01',
    lines: [
      { quantity: 20, unit_price_without_tax: 90, tax_output_rate: 21, discount_rate: 10 },
      { unit_price_without_tax: 10, tax_output_rate: 0 },
    ],
    groups: [
      { tax_rate: 21, taxable_base: 1620, tax_amount: 340.2 },
      { tax_rate: 0, taxable_base: 10, tax_amount: 0 },
    ],
    totals: {
      total_gross_amount_before_taxes: 1630,
      total_tax_outputs: 340.2,
      invoice_total: 1970.2,
      total_executable_amount: 1970.2,
    },
  },
  {
    id: 'T04',
    lines: [{ quantity: 100, unit_price_without_tax: 5, tax_output_rate: 21 }],
    surcharges: [{ tax_rate: 21, taxable_base: 500, tax_amount: 105, equivalence_surcharge: 5.2 }],
    groups: [
      {
        tax_rate: 21,
        taxable_base: 500,
        tax_amount: 105,
        equivalence_surcharge: 5.2,
        equivalence_surcharge_amount: 26,
      },
    ],
    totals: {
      total_gross_amount_before_taxes: 500,
      total_tax_outputs: 131,
      invoice_total: 631,
      total_executable_amount: 631,
    },
  },
  {
    id: 'T09',
    lines: [
      { quantity: 20, unit_price_without_tax: 100, tax_output_rate: 21, discount_rate: 10 },
      { quantity: 10, unit_price_without_tax: 88.8, tax_output_rate: 21 },
      { unit_price_without_tax: 10, tax_output_rate: 0 },
    ],
    groups: [
      { tax_rate: 21, taxable_base: 2688, tax_amount: 564.48 },
      { tax_rate: 0, taxable_base: 10, tax_amount: 0 },
    ],
    totals: {
      total_gross_amount_before_taxes: 2698,
      total_tax_outputs: 564.48,
      invoice_total: 3262.48,
      total_executable_amount: 3262.48,
    },
  },
  {
    id: 'T12',
    lines: [
      { quantity: 10, unit_price_without_tax: 20 },
      { quantity: 50, unit_price_without_tax: 7.5 },
    ].map((sold) => ({
      ...sold,
      tax_treatment_code: 'NON_TAXABLE',
      non_taxable_reason: 'LOCATION_RULES',
      tax_regime_key: '17',
      consumption_country_code: 'PT',
      consumption_tax_rate: 23,
    })),
    groups: [
      {
        tax_treatment_code: 'NON_TAXABLE',
        non_taxable_reason: 'LOCATION_RULES',
        tax_regime_key: '17',
        taxable_base: 575,
        tax_amount: 0,
      },
    ],
    totals: {
      total_gross_amount_before_taxes: 575,
      total_tax_outputs: 0,
      total_consumption_taxes: 132.25,
      invoice_total: 707.25,
      total_executable_amount: 707.25,
    },
  },
  {
    id: 'T16',
    lines: [{ quantity: 40, unit_price_without_tax: 150, tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }],
    groups: [{ tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC', taxable_base: 6000, tax_amount: 0 }],
    totals: {
      total_gross_amount_before_taxes: 6000,
      total_tax_outputs: 0,
      invoice_total: 6000,
      total_executable_amount: 6000,
    },
  },
  {
    id: 'T21',
    lines: [
      { unit_price_without_tax: 100, tax_output_rate: 10 },
      { unit_price_without_tax: 200, tax_output_rate: 21 },
    ],
    surcharges: [
      { tax_rate: 10, taxable_base: 100, tax_amount: 10, equivalence_surcharge: 1.4 },
      { tax_rate: 21, taxable_base: 200, tax_amount: 42, equivalence_surcharge: 5.2 },
    ],
    groups: [
      { tax_rate: 10, taxable_base: 100, tax_amount: 10, equivalence_surcharge_amount: 1.4 },
      { tax_rate: 21, taxable_base: 200, tax_amount: 42, equivalence_surcharge_amount: 10.4 },
    ],
    totals: {
      total_gross_amount_before_taxes: 300,
      total_tax_outputs: 63.8,
      invoice_total: 363.8,
      total_executable_amount: 363.8,
    },
  },
  {
    id: 'T26',
    lines: [
      { unit_price_with_tax: 200, tax_output_rate: 21, tax_regime_key: '03', purchase_price_incl: 100 },
    ],
    groups: [{ tax_regime_key: '03', tax_rate: 21, taxable_base: 82.64, tax_amount: 17.35 }],
    totals: {
      total_gross_amount_before_taxes: 182.65,
      total_tax_outputs: 17.35,
      invoice_total: 200,
      total_executable_amount: 200,
    },
  },
  {
    id: 'T29',
    lines: [
      { unit_price_without_tax: 200, tax_output_rate: 21, tax_regime_key: '05', purchase_price_incl: 120 },
    ],
    groups: [{ tax_regime_key: '05', tax_rate: 21, taxable_base: 80, tax_amount: 16.8 }],
    totals: {
      total_gross_amount_before_taxes: 200,
      total_tax_outputs: 16.8,
      invoice_total: 216.8,
      total_executable_amount: 216.8,
    },
  },
  {
    id: 'T39',
    lines: [
      { quantity: 3.4, unit_price_without_tax: 16.9, tax_output_rate: 10 },
      { quantity: 1.2, unit_price_without_tax: 5.9, tax_output_rate: 10 },
      { quantity: 1, unit_price_without_tax: 8.9, tax_output_rate: 10 },
      { quantity: 1.75, unit_price_without_tax: 8.9, tax_output_rate: 10 },
      { quantity: 2.65, unit_price_without_tax: 6.9, tax_output_rate: 10 },
      { quantity: 1.8, unit_price_without_tax: 5.9, tax_output_rate: 10 },
      { quantity: 1.95, unit_price_without_tax: 8.9, tax_output_rate: 10 },
      { quantity: 11.3, unit_price_without_tax: 3, tax_output_rate: 10 },
      { quantity: 46.13, unit_price_without_tax: 5.9, tax_output_rate: 10 },
      { quantity: 1, unit_price_without_tax: 37.76, tax_output_rate: 21 },
      { quantity: 2, unit_price_without_tax: 13.4, tax_output_rate: 21 },
      { quantity: 1, unit_price_without_tax: 5.5, tax_output_rate: 21 },
    ],
    groups: [
      { tax_rate: 10, taxable_base: 441.36, tax_amount: 44.14 },
      { tax_rate: 21, taxable_base: 70.06, tax_amount: 14.71 },
    ],
    totals: {
      total_gross_amount_before_taxes: 511.42,
      total_tax_outputs: 58.85,
      invoice_total: 570.27,
      total_executable_amount: 570.27,
    },
  },
]

describe('published examples', () => {
  test.each(EXAMPLES)('$id', ({ lines, surcharges, groups, totals }) => {
    const result = referenceCalculate(
      invoice(lines, surcharges === undefined ? {} : { taxes_outputs: surcharges }),
    )
    expect(result.taxes_outputs).toMatchObject(groups)
    expect(result.taxes_outputs).toHaveLength(groups.length)
    expect(result.totals).toMatchObject(totals)
  })
})

describe('what holds for every invoice', () => {
  const exactSum = (values: (number | undefined)[]): number =>
    exact.toNumber(exact.sum(values.map((value) => exact.fromNumber(value ?? 0))))

  const hasMargin = (document: ReferenceDocument) =>
    document.invoice.lines.some((l) => l.purchase_price_incl !== undefined)

  const check = (document: ReferenceDocument): void => {
    const sent = structuredClone(document)
    const result = referenceCalculate(document)
    expect(document).toEqual(sent)
    expect(JSON.stringify(result)).not.toMatch(/null|e[+-]?\d/)
    expect(largestSum(result)).toBeLessThan(LARGEST_AMOUNT)

    const { lines, taxes_outputs: groups, taxes_withheld: withheld, totals } = result
    const adjustments = exactSum([totals.total_general_surcharges, -totals.total_general_discounts])
    expect(exactSum(lines.map((l) => l.gross_amount_without_tax))).toBe(totals.total_gross_amount)
    expect(totals.total_gross_amount_before_taxes).toBe(exactSum([totals.total_gross_amount, adjustments]))
    expect(totals.invoice_total).toBe(
      exactSum([
        totals.total_gross_amount_before_taxes,
        totals.total_tax_outputs,
        totals.total_consumption_taxes,
      ]),
    )
    if (!hasMargin(document)) {
      // The bases carry the whole of the document discounts, to the cent.
      expect(exactSum(groups.map((g) => g.taxable_base))).toBe(totals.total_gross_amount_before_taxes)
    }
    const surcharges = exactSum(groups.map((g) => g.equivalence_surcharge_amount))
    if (document.invoice.lines[0]?.unit_price_with_tax !== undefined && adjustments === 0) {
      // What the customer was charged is preserved to the cent.
      const charged = exactSum(lines.map((l) => l.gross_amount_with_tax))
      expect(totals.invoice_total).toBe(exactSum([charged, surcharges]))
    }
    for (const l of lines) {
      expect(l.gross_amount_with_tax).toBe(
        exactSum([l.gross_amount_without_tax, l.tax_output_amount, l.consumption_tax_amount]),
      )
      if (l.discount_amount === undefined && l.charge_amount === undefined) {
        expect(l.total_cost_with_tax).toBe(l.gross_amount_with_tax)
      }
    }
    expect(exactSum(withheld.map((g) => g.taxable_base))).toBe(
      exactSum(lines.map((l) => l.tax_withheld_base)),
    )
    for (const group of groups) {
      if (group.tax_treatment_code !== 'TAXABLE_NON_EXEMPT') expect(group.tax_amount).toBe(0)
    }
    // Calculating is all that the computed figures need: the same document gives the same figures again.
    expect(referenceCalculate(JSON.parse(JSON.stringify(document)) as ReferenceDocument)).toEqual(result)
  }

  test('everyday amounts', () => {
    fc.assert(fc.property(arbitraryInvoice(), check), { numRuns: sized(150, 500) })
  })

  test('amounts of nearly 12 integer digits', () => {
    fc.assert(fc.property(largeInvoice(), check), { numRuns: sized(70, 200) })
  })

  test('every variant turns up', () => {
    const documents = fc.sample(arbitraryInvoice(), { numRuns: sized(500, 1500), seed: 1 })
    const share = (holds: (document: ReferenceDocument) => boolean): number =>
      documents.filter(holds).length / documents.length
    const anyLine = (holds: (l: ReferenceLine) => boolean) => share((d) => d.invoice.lines.some(holds))
    expect(anyLine((l) => l.unit_price_with_tax !== undefined)).toBeGreaterThan(0.3)
    expect(anyLine((l) => l.quantity < 0)).toBeGreaterThan(0.3)
    expect(anyLine((l) => l.purchase_price_incl !== undefined)).toBeGreaterThan(0.1)
    expect(anyLine((l) => l.tax_regime_key === '17')).toBeGreaterThan(0.1)
    expect(anyLine((l) => l.tax_withheld_rate !== undefined)).toBeGreaterThan(0.2)
    expect(anyLine((l) => l.discount_rate !== undefined && l.discount_amount !== undefined)).toBeGreaterThan(
      0.05,
    )
    for (const treatment of ['TAXABLE_EXEMPT', 'TAXABLE_NON_EXEMPT_RC', 'NON_TAXABLE']) {
      expect(anyLine((l) => l.tax_treatment_code === treatment)).toBeGreaterThan(0.1)
    }
    expect(share((d) => d.invoice.totals.general_discounts !== undefined)).toBeGreaterThan(0.15)
    expect(
      share((d) => d.invoice.taxes_outputs?.some((g) => (g.equivalence_surcharge ?? 0) > 0) ?? false),
    ).toBeGreaterThan(0.05)
  })
})
