/** Properties that hold for every invoice. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type CanonicalInvoice, explain, reconcile, validate } from '#engine/index.ts'
import { sum as addUp, compare, fromNumber, rational, round, sub, toNumber } from '../core/money/rational.ts'
import { runs } from '../size.ts'
import type { ArbitraryDocument, ArbitraryLine } from './arbitrary.ts'
import { arbitraryInvoice } from './arbitrary.ts'
import { asSent, deepFreeze, EXAMPLES, invoiceOf, OPERATIONS, withoutComputed } from './documents.ts'

const calculated = (document: unknown, options = {}): CanonicalInvoice => {
  const { data, errors } = validate(document, options)
  if (!data) throw new Error(`refused: ${JSON.stringify(errors)}`)
  return data
}

/** Exact sum of amounts, as a number. */
const sum = (...amounts: (number | undefined)[]): number =>
  toNumber(addUp(amounts.map((amount) => fromNumber(amount ?? 0))))
const minus = (a: number, b: number | undefined): number => sum(a, -(b ?? 0))

type Members = Record<string, unknown>
const amountsOf = (members: object): Record<string, number> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === 'number'))

const sorted = (rows: readonly object[] | undefined): string[] =>
  (rows ?? []).map((row) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()

const operations = fc.constantFrom(...OPERATIONS)

// ------------------------------------------------------------------------------------------------- figures

describe('the figures of an issued invoice', () => {
  const totalsOf = (...lines: Partial<ArbitraryLine>[]) => calculated(invoiceOf(lines)).invoice.totals

  it('2 x 100 at 21 % is 242.00', () => {
    const totals = totalsOf({ quantity: 2, unit_price_without_tax: 100, tax_output_rate: 21 })
    expect(totals).toMatchObject({
      total_gross_amount_before_taxes: 200,
      total_tax_outputs: 42,
      invoice_total: 242,
    })
  })
  it('three lines of 9.99 with tax are 24.77 + 5.20 = 29.97, and the line bases add up', () => {
    const line = { unit_price_with_tax: 9.99, tax_output_rate: 21 }
    const { lines, totals } = calculated(invoiceOf([line, line, line])).invoice
    expect(totals).toMatchObject({
      total_gross_amount_before_taxes: 24.77,
      total_tax_outputs: 5.2,
      invoice_total: 29.97,
    })
    expect(sum(...lines.map((each) => each.tax_output_base))).toBe(24.77)
  })
  it.each([
    [1, 1.005, 1.01],
    [-1, 1.005, -1.01],
    [1, 2.675, 2.68],
    [3, 0.1, 0.3],
    [-3, 0.1, -0.3],
    [1, 0.005, 0.01],
    [1, 1e-8, 0],
    [-1, 1e-8, 0],
  ])('%d x %d is %d', (quantity, unit_price_without_tax, expected) => {
    const totals = totalsOf({ quantity, unit_price_without_tax, tax_output_rate: 0 })
    expect(totals.total_gross_amount).toBe(expected)
    expect(totals.invoice_total).toBe(expected)
  })
  it('24.369999999999997 (10.37 + 14) counts as 24.37', () => {
    const { data, errors } = validate(
      invoiceOf([{ unit_price_without_tax: 10.37 + 14, tax_output_rate: 21 }]),
    )
    expect(data?.invoice.totals.total_gross_amount).toBe(24.37)
    expect(errors.filter((item) => item.code === 'excess_precision')).toMatchObject([
      {
        path: '/invoice/lines/0/unit_price_without_tax',
        severity: 'warning',
        extra: { received: 24.369999999999997, used: 24.37 },
      },
    ])
  })
})

// --------------------------------------------------------------------------------------------- idempotence

describe('a result fed back without its computed fields', () => {
  it('gives the same result', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), operations, (document, operation) => {
        const data = calculated(asSent(document, operation), { operation })
        expect(calculated(withoutComputed(data), { operation })).toEqual(data)
      }),
      runs(250, 30_000),
    )
  })
  it('also as JSON text, member for member in the same order', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => {
        const data = calculated(document)
        const again = calculated(withoutComputed(data))
        expect(JSON.stringify(calculated(withoutComputed(again)))).toBe(JSON.stringify(again))
      }),
      runs(150, 10_000),
    )
  })
  it('has no mismatch if totals are checked', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), operations, (document, operation) => {
        const data = calculated(asSent(document, operation), { operation })
        const { errors } = validate(withoutComputed(data), { operation, totals: 'check' })
        expect(errors.filter((item) => item.code.endsWith('_mismatch'))).toEqual([])
      }),
      runs(150, 10_000),
    )
  })
  it('reconciles to nothing but zero differences', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => {
        const rows = reconcile(withoutComputed(calculated(document)))
        expect(rows.length).toBeGreaterThan(0)
        expect(rows.filter((row) => row.difference !== 0 || !row.within_tolerance)).toEqual([])
      }),
      runs(150, 10_000),
    )
  })
  it.each(EXAMPLES)('%s', (_, document) => {
    const first = validate(document)
    const operation = first.data?.meta.direction === 'issued' ? 'draft' : 'received'
    expect(first.data).not.toBeNull()
    const data = calculated(document, { operation })
    expect(calculated(withoutComputed(data), { operation })).toEqual(data)
  })
})

// --------------------------------------------------------------------------------------------- permutation

describe('the order of the lines', () => {
  it('changes no total, no row of the breakdown and none of the withholding', () => {
    const shuffled = arbitraryInvoice().chain((document) =>
      fc.tuple(
        fc.constant(document),
        fc.shuffledSubarray(document.invoice.lines, { minLength: document.invoice.lines.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([document, lines]) => {
        const before = calculated(document).invoice
        const after = calculated({ ...document, invoice: { ...document.invoice, lines } }).invoice
        expect(after.totals).toEqual(before.totals)
        expect(sorted(after.taxes_outputs)).toEqual(sorted(before.taxes_outputs))
        expect(sorted(after.taxes_withheld)).toEqual(sorted(before.taxes_withheld))
      }),
      runs(500, 50_000),
    )
  })
})

// ------------------------------------------------------------------------------------------------ splitting

/** An invoice without adjustments, so that the only rounding of a line is that of its amount. */
const plain = (document: ArbitraryDocument): ArbitraryDocument => {
  const { taxes_outputs: _, ...invoice } = document.invoice
  return {
    ...document,
    invoice: {
      ...invoice,
      lines: invoice.lines.map(
        ({ discount_rate, discount_amount, charge_rate, charge_amount, purchase_price_incl, ...line }) =>
          line,
      ),
      totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
    },
  }
}

/** The first line in parts: each with its share of the quantity, exactly. */
const inParts = (document: ArbitraryDocument, quantities: readonly number[]): ArbitraryDocument => {
  const [first, ...rest] = document.invoice.lines
  return {
    ...document,
    invoice: {
      ...document.invoice,
      lines: [...quantities.map((quantity) => ({ ...required(first), quantity })), ...rest],
    },
  }
}

describe('a line split in parts', () => {
  const TOTALS = [
    'total_gross_amount_before_taxes',
    'total_tax_outputs',
    'total_consumption_taxes',
    'invoice_total',
    'total_taxes_withheld',
    'total_executable_amount',
  ] as const

  it('changes no total by more than a cent per part', () => {
    const whole = fc.tuple(
      arbitraryInvoice().map(plain),
      fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 0, max: 8 }),
    )
    fc.assert(
      fc.property(whole, ([document, units, scale]) => {
        const quantities = units.map((unit) => Number(`${unit % 10 ** Math.max(2, scale)}e-${scale}`))
        const one = calculated(inParts(document, [sum(...quantities)])).invoice.totals
        const parts = calculated(inParts(document, quantities)).invoice.totals
        for (const name of TOTALS)
          expect(Math.abs(minus(required(one[name]), parts[name])), name).toBeLessThanOrEqual(
            quantities.length / 100,
          )
      }),
      runs(250, 30_000),
    )
  })

  // Where only some lines of a group of prices with tax bear withholding, the cent of a remainder may fall on
  // either side: that total has the bound above.
  it('changes no total, except the withholding, if the parts are whole cents', () => {
    const whole = fc.tuple(
      arbitraryInvoice().map(plain),
      fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 0, max: 99_999 }),
    )
    fc.assert(
      fc.property(whole, ([document, quantities, cents]) => {
        const [first, ...rest] = document.invoice.lines
        const name =
          required(first).unit_price_with_tax === undefined ? 'unit_price_without_tax' : 'unit_price_with_tax'
        const lines = [{ ...required(first), [name]: cents / 100 }, ...rest].map(
          ({ tax_withheld_rate, ...line }) => line,
        )
        const priced = { ...document, invoice: { ...document.invoice, lines } }
        const one = calculated(inParts(priced, [sum(...quantities)])).invoice
        const parts = calculated(inParts(priced, quantities)).invoice
        expect(parts.totals).toEqual(one.totals)
        expect(sorted(parts.taxes_outputs)).toEqual(sorted(one.taxes_outputs))
      }),
      runs(250, 30_000),
    )
  })
})

// ------------------------------------------------------------------------------------------------- symmetry

const negative = (value: number): number => 0 - value

/** Turns the named members of an object around. */
const turned = <T extends object>(value: T, names: readonly string[]): T =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.includes(name) && typeof member === 'number' ? negative(member) : member,
    ]),
  ) as T

const LINE_SIGNED = ['quantity', 'discount_amount', 'charge_amount']
const ENTRY_SIGNED = ['taxable_base', 'tax_amount', 'equivalence_surcharge_amount', 'consumption_tax_amount']

const turnedDocument = (document: ArbitraryDocument): ArbitraryDocument => {
  const { invoice } = document
  const { totals } = invoice
  const list = (name: string, amount: string): object =>
    (totals as unknown as Members)[name] === undefined
      ? {}
      : { [name]: ((totals as unknown as Members)[name] as object[]).map((entry) => turned(entry, [amount])) }
  return {
    ...document,
    invoice: {
      ...invoice,
      lines: invoice.lines.map((line) => turned(line, LINE_SIGNED)),
      ...(invoice.taxes_outputs
        ? { taxes_outputs: invoice.taxes_outputs.map((entry) => turned(entry, ENTRY_SIGNED)) }
        : {}),
      totals: {
        ...turned(totals, ['rounding_amount']),
        ...list('general_discounts', 'discount_amount'),
        ...list('general_surcharges', 'charge_amount'),
        ...list('payments_on_account', 'payment_on_account_amount'),
        ...list('reimbursable_expenses', 'reimbursable_expenses_amount'),
      },
    },
  }
}

describe('an invoice with every sign inverted', () => {
  it('inverts every amount', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => {
        const one = calculated(document).invoice
        const other = calculated(turnedDocument(document)).invoice
        const back = Object.fromEntries(
          Object.entries(amountsOf(other.totals)).map(([name, value]) => [name, negative(value)]),
        )
        expect(back).toEqual(amountsOf(one.totals))
        expect(other.taxes_outputs?.map((entry) => turned(entry, ENTRY_SIGNED))).toEqual(one.taxes_outputs)
        expect((other.taxes_withheld ?? []).map((entry) => turned(entry, ENTRY_SIGNED))).toEqual(
          one.taxes_withheld ?? [],
        )
        for (const [i, line] of other.lines.entries())
          for (const name of ['tax_output_base', 'tax_output_amount', 'gross_amount_with_tax'] as const)
            expect(negative(required(line[name])), name).toBe(required(one.lines[i])[name])
      }),
      runs(500, 50_000),
    )
  })
})

// --------------------------------------------------------------------------------------------- adding it up

describe('the figures add up to the cent', () => {
  const hasMargin = (document: ArbitraryDocument): boolean =>
    document.invoice.lines.some((line) => line.purchase_price_incl !== undefined)
  const holds = (
    name: string,
    check: (invoice: CanonicalInvoice['invoice'], sent: ArbitraryDocument) => void,
  ) =>
    it(name, () => {
      fc.assert(
        fc.property(arbitraryInvoice(), (document) => {
          check(calculated(document).invoice, document)
        }),
        runs(400, 20_000),
      )
    })

  holds('line gross amounts to total_gross_amount', ({ lines, totals }) => {
    expect(sum(...lines.map((line) => line.gross_amount_without_tax))).toBe(totals.total_gross_amount)
  })
  holds('total_gross_amount less discounts plus surcharges to the sum before taxes', ({ totals }) => {
    expect(
      sum(
        totals.total_gross_amount,
        -required(totals.total_general_discounts),
        totals.total_general_surcharges,
      ),
    ).toBe(totals.total_gross_amount_before_taxes)
  })
  holds('bases to the sum before taxes, but in the margin scheme', ({ taxes_outputs = [], totals }, sent) => {
    if (hasMargin(sent)) return
    expect(sum(...taxes_outputs.map((entry) => entry.taxable_base))).toBe(
      totals.total_gross_amount_before_taxes,
    )
  })
  holds('line bases to the base of their group, without document discounts', (invoice) => {
    const { lines, taxes_outputs = [], totals } = invoice
    if (totals.general_discounts || totals.general_surcharges) return
    const keyOf = (of: (typeof lines)[number] | (typeof taxes_outputs)[number], rate: number) =>
      [
        of.tax_treatment_code,
        of.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? rate : 0,
        of.tax_regime_key,
        of.exemption_reason_code,
        of.non_taxable_reason,
        of.consumption_country_code,
        of.consumption_tax_rate,
        of.consumption_rate_type,
        of.supply_type,
      ].join('|')
    const bases = new Map<string, number>()
    for (const line of lines) {
      const key = keyOf(line, line.tax_output_rate ?? 0)
      bases.set(key, sum(bases.get(key), line.tax_output_base))
    }
    expect(new Map(taxes_outputs.map((entry) => [keyOf(entry, entry.tax_rate), entry.taxable_base]))).toEqual(
      bases,
    )
  })
  holds('taxes and surcharges to total_tax_outputs', ({ taxes_outputs = [], totals }) => {
    expect(
      sum(...taxes_outputs.flatMap((entry) => [entry.tax_amount, entry.equivalence_surcharge_amount])),
    ).toBe(totals.total_tax_outputs)
  })
  holds('foreign taxes to total_consumption_taxes', ({ taxes_outputs = [], totals }) => {
    expect(sum(...taxes_outputs.map((entry) => entry.consumption_tax_amount))).toBe(
      totals.total_consumption_taxes,
    )
  })
  holds('withheld amounts to total_taxes_withheld, and their bases to the lines', (invoice) => {
    const { lines, taxes_withheld = [], totals } = invoice
    expect(sum(...taxes_withheld.map((entry) => entry.tax_amount))).toBe(totals.total_taxes_withheld)
    expect(sum(...taxes_withheld.map((entry) => entry.taxable_base))).toBe(
      sum(...lines.map((line) => line.tax_withheld_base)),
    )
  })
  holds('before taxes, taxes and foreign taxes to invoice_total', ({ totals }) => {
    expect(
      sum(totals.total_gross_amount_before_taxes, totals.total_tax_outputs, totals.total_consumption_taxes),
    ).toBe(totals.invoice_total)
  })
  holds('invoice_total, withholding, payments, outlays and rounding to the amount to pay', ({ totals }) => {
    expect(
      sum(
        totals.invoice_total,
        -required(totals.total_taxes_withheld),
        -required(totals.total_payments_on_account),
        totals.total_reimbursable_expenses,
        totals.rounding_amount,
      ),
    ).toBe(totals.total_executable_amount)
  })
  holds('the prices with tax to invoice_total: what was charged is kept', (invoice, sent) => {
    const { lines, taxes_outputs = [], totals } = invoice
    if (sent.invoice.lines.some((line) => line.unit_price_with_tax === undefined)) return
    if (totals.general_discounts || totals.general_surcharges) return
    expect(
      sum(
        ...lines.map((line) => line.gross_amount_with_tax),
        ...taxes_outputs.map((entry) => entry.equivalence_surcharge_amount),
      ),
    ).toBe(totals.invoice_total)
  })
  holds(
    'each tax is base x rate, or base and tax are what was charged',
    ({ lines, taxes_outputs = [], totals }) => {
      const adjusted = totals.general_discounts !== undefined || totals.general_surcharges !== undefined
      if (!adjusted && lines.some((line) => line.unit_price_with_tax !== undefined)) return
      for (const entry of taxes_outputs) {
        if (lines.some((line) => line.unit_price_with_tax !== undefined)) {
          // A group that got no part of the discount keeps what was charged: a cent at most from base x rate.
          const ideal = (entry.taxable_base * entry.tax_rate) / 100
          expect(Math.abs(entry.tax_amount - ideal)).toBeLessThan(0.011)
        } else {
          const product = rational(fromNumber(entry.taxable_base).num, fromNumber(entry.taxable_base).den)
          const rate = fromNumber(entry.tax_rate)
          const exact = rational(product.num * rate.num, product.den * rate.den * 100n)
          expect(compare(round(exact, 2), fromNumber(entry.tax_amount))).toBe(0)
          expect(compare(sub(round(exact, 2), fromNumber(entry.tax_amount)), fromNumber(0))).toBe(0)
        }
      }
    },
  )
})

// ----------------------------------------------------------------------------------------------- the numbers

const EIGHT_DECIMALS =
  /^(quantity|unit_price_(without|with)_tax|.*_rate|equivalence_surcharge|sequence_number)$/

/** Every number of a document, with the name of its member. */
function* numbersOf(value: unknown, name = ''): Generator<[name: string, value: number]> {
  if (typeof value === 'number') yield [name, value]
  else if (Array.isArray(value)) for (const item of value) yield* numbersOf(item, name)
  else if (value !== null && typeof value === 'object')
    for (const [key, member] of Object.entries(value)) yield* numbersOf(member, key)
}

const tidy = (data: unknown): void => {
  for (const [name, value] of numbersOf(data)) {
    expect(Number.isFinite(value), name).toBe(true)
    expect(Object.is(value, -0), `${name} is -0`).toBe(false)
    if (EIGHT_DECIMALS.test(name)) {
      const kept = fromNumber(value)
      expect(compare(round(kept, 8), kept), `${name} ${value}`).toBe(0)
    } else {
      expect(Number(value.toFixed(2)), name).toBe(value)
      expect(JSON.stringify(value), name).toMatch(/^-?\d+(\.\d{1,2})?$/)
    }
  }
}

describe('the numbers of a result', () => {
  it('are clean decimals, without float residues, -0 or exponents', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => {
        tidy(calculated(document))
      }),
      runs(250, 30_000),
    )
  })
  it('are clean whatever doubles were sent', () => {
    const dusty = fc.double({ min: -99_999, max: 99_999, noNaN: true }).map((value) => value + 0)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(dusty, dusty, fc.constantFrom(0, 4, 10, 21)), { minLength: 1, maxLength: 5 }),
        fc.option(dusty, { nil: undefined }),
        fc.boolean(),
        (rows, discount, withTax) => {
          const lines = rows.map(([quantity, price, tax_output_rate]) => ({
            quantity,
            [withTax ? 'unit_price_with_tax' : 'unit_price_without_tax']: price,
            tax_output_rate,
          }))
          const totals = discount === undefined ? {} : { general_discounts: [{ discount_amount: discount }] }
          tidy(calculated(invoiceOf(lines, totals)))
        },
      ),
      runs(250, 30_000),
    )
  })
  it('are clean if -0 was sent', () => {
    tidy(
      calculated(
        invoiceOf(
          [
            {
              quantity: -0,
              unit_price_without_tax: 1,
              discount_rate: -0,
              charge_amount: -0,
              tax_output_rate: -0,
            },
          ],
          { general_discounts: [{ discount_amount: -0 }], rounding_amount: -0 },
        ),
      ),
    )
  })
  it.each(EXAMPLES)('are clean in %s', (_, document) => {
    tidy(calculated(document))
  })
})

// ------------------------------------------------------------------------------------------------- no change

describe('the input', () => {
  const company = deepFreeze({
    tax_id: 'B58378431',
    legal_name: 'Talleres Ejemplo SL',
    address: { post_code: '28013' },
    cash_basis: [{ start_date: '2020-01-01', end_date: '2020-12-31' }],
    oss: null,
  })
  it('is never changed, not even in a frozen document', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), operations, fc.boolean(), (document, operation, check) => {
        const sent = deepFreeze(asSent(document, operation))
        const copy = structuredClone(sent)
        const options = { operation, company, totals: check ? 'check' : 'recalculate' } as const
        validate(sent, options)
        explain(sent, options)
        reconcile(sent, options)
        expect(sent).toEqual(copy)
      }),
      runs(150, 10_000),
    )
  })
  it.each(EXAMPLES)('is never changed: %s', (_, document) => {
    const sent = deepFreeze(structuredClone(document))
    for (const operation of OPERATIONS)
      for (const totals of ['check', 'recalculate'] as const) validate(sent, { operation, totals, company })
    expect(sent).toEqual(document)
  })
  it('shares no object with the result that a caller could change by mistake in lines or totals', () => {
    fc.assert(
      fc.property(arbitraryInvoice(), (document) => {
        const copy = structuredClone(document)
        const { invoice } = calculated(document)
        for (const line of invoice.lines) line.quantity = 77
        for (const entry of invoice.taxes_outputs ?? []) entry.taxable_base = 77
        for (const entry of invoice.totals.general_discounts ?? []) entry.discount_amount = 77
        invoice.totals.invoice_total = 77
        expect(document).toEqual(copy)
      }),
      runs(100, 2_000),
    )
  })
})
