/// <reference types="node" />
/**
 * The exact path on decimal.js against rational numbers on BigInt: hostile numbers, ties, quotients of quotients and
 * shares, up to the largest that the schema and the calculation let through.
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type Exact, exact, exactNumber, exactText, roundExact } from '#core/money/exact.ts'
import { allocate, keepDecimals, netOf, percentRatio, spread } from '#core/money/index.ts'
import { explain, type Options, validate } from '#engine/index.ts'
import { invoiceOf } from '../../property/documents.ts'
import { runs } from '../../size.ts'
import { tokens } from '../../tokens.ts'
import * as q from './rational.ts'

const LARGEST = 999_999_999_999.99
const HOSTILE = [
  0, -0, 1, -1, 0.1, 1e-8, -1e-8, 1e-20, -1e-20, 0.005, -0.005, 1.005, 2.675, 33.333333333333336,
  24.369999999999997, LARGEST, -LARGEST, 999_999_999_999.9999, 99_999_999.99999999, 0.99999999,
] // biome-ignore format: a list to be read along
const number = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.double({ min: -LARGEST, max: LARGEST, noNaN: true }).filter((value) => Math.abs(value) > 1e-30),
  fc
    .tuple(fc.maxSafeNat(), fc.integer({ min: 3, max: 8 }))
    .map(([units, scale]) => Number(`${units}e-${scale}`) % 1e12),
)
const not0 = number.filter((value) => value !== 0)
/** Minor units of a group, or of all of them. */
const minor = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: 4_000_000_000_000_000 }),
  fc.constantFrom(3_999_999_999_999_999, 3_999_999_999_999_971, 1_000_000_000_000_037),
)

const whole = (value: bigint | string): Exact => exact(0).plus(String(value))

/** What gives 1 with `value`, in whole numbers around `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, value % modulus, 0n, 1n]
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y]
  return x
}

/** Read, rounded and compared as the fraction would be. */
const same = (value: Exact, ideal: q.Rational): void => {
  expect(exactText(value)).toBe(q.asText(ideal))
  for (const decimals of [0, 2, 8, 20]) {
    expect(exactText(value, decimals)).toBe(q.asText(ideal, decimals))
    expect(exactText(roundExact(value, decimals))).toBe(q.toText(q.round(ideal, decimals)))
  }
  const rounded = exactNumber(roundExact(value, 2))
  expect(rounded).toBe(q.toNumber(q.round(ideal, 2)))
  expect(Object.is(rounded, -0)).toBe(false)
}

describe('an exact value equals the rational number', () => {
  it('of a sum, a difference, a product or a quotient of extreme numbers', () => {
    fc.assert(
      fc.property(number, not0, (a, b) => {
        const [x, y] = [q.fromNumber(a), q.fromNumber(b)]
        same(exact(a), x)
        same(exact(a).plus(b), q.add(x, y))
        same(exact(a).minus(b), q.sub(x, y))
        same(exact(a).times(b), q.mul(x, y))
        same(exact(a).div(b), q.div(x, y))
        expect(exact(a).cmp(b)).toBe(q.compare(x, y))
      }),
      runs(500, 100_000),
    )
  })

  it('of an amount with 20,000 extreme addends', () => {
    const addends = Array.from(
      { length: 20_000 },
      (_, at) => required(HOSTILE[(at * 7) % HOSTILE.length]) * (at % 3 ? 1 : -1),
    )
    same(
      addends.reduce((total, value) => total.plus(value), exact(0)),
      q.sum(addends.map(q.fromNumber)),
    )
  })

  it('of an amount without its tax', () => {
    const rate = fc.oneof(
      fc.constantFrom(21, 5.5, -99.99999999, 1e-8),
      not0.map(Math.abs).map((value) => keepDecimals(value)),
    )
    fc.assert(
      fc.property(number, rate, (amount, percent) => {
        const divisor = q.add(q.HUNDRED, q.fromNumber(percent))
        same(
          exact(amount).times(100).div(exact(percent).plus(100)),
          q.div(q.mul(q.fromNumber(amount), q.HUNDRED), divisor),
        )
      }),
      runs(500, 100_000),
    )
  })

  it('of a quotient of quotients, the longest that an explanation has', () => {
    const amount = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 })
    fc.assert(
      fc.property(amount, amount, minor, minor, amount, minor, (own, sum, group, sizes, line, gross) => {
        const part = q.div(q.mul(q.rational(sum, 100), q.rational(group)), q.rational(sizes))
        same(
          exact(own).div(100).plus(exact(sum).div(100).times(group).div(sizes).times(line).div(gross)),
          q.add(q.rational(own, 100), q.div(q.mul(part, q.rational(line)), q.rational(gross))),
        )
      }),
      runs(500, 100_000),
    )
  })

  it('of a tie and of zero, reached again by quotients', () => {
    const size = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n })
    fc.assert(
      fc.property(size, minor, minor, fc.constantFrom(2, 8), (units, a, b, decimals) => {
        const tie = `${units}5e-${decimals + 1}`
        const ideal = q.fromText(tie)
        const back = whole(tie).times(a).div(b).div(a).times(b)
        expect(exactText(back)).toBe(q.toText(ideal))
        expect(exactText(roundExact(back, decimals))).toBe(q.toText(q.round(ideal, decimals)))
        expect(exactText(back.minus(tie))).toBe('0')
        expect(exactNumber(back.minus(tie))).toBe(0)
      }),
      runs(1000, 100_000),
    )
  })

  it('of the fractions nearest to ties and to displayed decimals, with the largest divisors', () => {
    const divisor = fc.bigInt({ min: 1n, max: 3n * 10n ** 21n }).map((value) => value * 10n + 1n)
    const above = fc.bigInt({ min: 0n, max: 10n ** 40n })
    fc.assert(
      fc.property(divisor, divisor, above, fc.constantFrom(2, 8, 20), (a, b, units, decimals) => {
        const [halves, under] = [2n * 10n ** BigInt(decimals), a * b]
        for (const aside of [-1n, 1n]) {
          // `half` of all halves lies 1 / (halves x under) beside the fraction.
          const half = (((aside * inverse(under, halves)) % halves) + halves) % halves
          const over = (half * under - aside) / halves + units * under
          same(whole(over).div(String(a)).div(String(b)), q.rational(over, under))
          same(whole(-over).div(String(a)).div(String(b)), q.rational(-over, under))
        }
      }),
      runs(200, 20_000),
    )
  })
})

// ---------------------------------------------------------------------------------------------- shares

const turn = (values: readonly number[]): number[] => values.map((value) => 0 - value)
const byPosition = (): number => 0
const weightsOf = (weight: fc.Arbitrary<number>) => fc.array(weight, { minLength: 2, maxLength: 12 })
const weights = fc.oneof(
  weightsOf(fc.nat({ max: 50 })),
  weightsOf(fc.nat({ max: 99_999_999_999_999 })),
  weightsOf(fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 })),
)
const total = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }),
)

/** Shares by largest remainder in rational numbers: each weight times `numerator / divisor`. */
const ideally = (sum: number, of: readonly number[], numerator: number, divisor: number): number[] =>
  q
    .largestRemainder(
      q.rational(sum),
      of.map((weight) => q.mul(q.rational(weight), q.rational(numerator, divisor))),
      0,
      (a, b) => required(of[b]) - required(of[a]),
    )
    .map(q.toNumber)

describe('shares in safe integers and in exact decimals equal those of rational numbers', () => {
  it('of an amount', () => {
    fc.assert(
      fc.property(total, weights, (sum, of) => {
        const all = of.reduce((a, b) => a + b, 0)
        fc.pre(all !== 0 && (Math.abs(sum) * Math.max(...of.map(Math.abs))) / Math.abs(all) < 1e15)
        const parts = allocate(sum, of, byPosition)
        const expected = ideally(Math.abs(sum), all < 0 ? turn(of) : of, Math.abs(sum), Math.abs(all))
        expect(parts).toEqual(sum < 0 ? turn(expected) : expected)
        expect(parts.reduce((rest, part) => rest - BigInt(part), BigInt(sum))).toBe(0n)
      }),
      runs(500, 100_000),
    )
  })

  it('of a price with tax', () => {
    const rates = fc.constantFrom(4, 5.5, 10, 21, 33.33333333, 0.00000001, 99.99999999)
    fc.assert(
      fc.property(weights, rates, (of, rate) => {
        const all = of.reduce((a, b) => a + b, 0)
        const [part, hundred] = percentRatio(rate)
        const base = netOf(all, rate)
        const parts = spread(base, of, [hundred, hundred + part], byPosition)
        const expected = ideally(Math.abs(base), all < 0 ? turn(of) : of, hundred, hundred + part)
        expect(parts).toEqual(all < 0 ? turn(expected) : expected)
      }),
      runs(500, 100_000),
    )
  })
})

// ---------------------------------------------------------------------------------------------- what comes in

const SCHEMAS = new URL('../../../schemas/', import.meta.url)

/** Every number that a schema accepts, with the keywords that bound it. */
function* numbersOf(node: unknown): Generator<Record<string, unknown>> {
  if (node === null || typeof node !== 'object') return
  if ((node as { type?: unknown }).type === 'number') yield node as Record<string, unknown>
  for (const member of Object.values(node)) yield* numbersOf(member)
}

const line = (members: object) =>
  invoiceOf([{ quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21, ...members }])

describe('the numbers from which the precision is derived', () => {
  it('are below 10^12 in size if the schemas of an invoice accept them', () => {
    const files = readdirSync(SCHEMAS).filter(
      (name) => name.endsWith('.json') && !name.startsWith('validation-'),
    )
    const numbers = files.flatMap((name) => [
      ...numbersOf(JSON.parse(readFileSync(new URL(name, SCHEMAS), 'utf8'))),
    ])
    expect(numbers.length).toBeGreaterThan(5)
    for (const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } of numbers) {
      expect(minimum ?? exclusiveMinimum).toBeGreaterThanOrEqual(-1e12)
      expect(maximum ?? exclusiveMaximum).toBeLessThanOrEqual(1e12)
    }
  })

  it('are refused before any calculation if they are larger', () => {
    for (const name of tokens`
      quantity unit_price_without_tax discount_amount discount_rate tax_output_rate`)
      for (const value of [1e12, 1e21, 1e300, Number.MAX_VALUE]) {
        const { errors, data } = validate(line({ [name]: value }))
        expect(data).toBeNull()
        expect(errors.map(({ source, path }) => ({ source, path }))).toEqual([
          { source: 'schema', path: `/invoice/lines/0/${name}` },
        ])
      }
  })

  it('count with 8 decimals, however small', () => {
    for (const value of [5e-324, 1e-300, 1e-20, -1e-20, 4.9e-9]) {
      const { data, explanation } = validate(line({ quantity: value }), { explain: true })
      expect(data?.invoice.lines[0]?.quantity).toBe(0)
      for (const row of required(explanation)) expect(row).toMatchObject({ exact: '0', rounded: 0 })
    }
  })

  it('may be any exchange rate: one that is too large is detected by the amounts', () => {
    const document = JSON.parse(
      readFileSync(
        new URL('../../cases/exchange_rate_not_available--fires/input.json', import.meta.url),
        'utf8',
      ),
    )
    const at = (exchange_rate: number): Options => ({
      exchange_rate: { exchange_rate, exchange_rate_date: '2026-03-16' },
    })
    for (const rate of [1e21, 1e300, Number.MAX_VALUE])
      expect(validate(document, at(rate)).errors.map(({ code }) => code)).toEqual(['amount_out_of_range'])
    for (const [rate, text] of [
      [5e-324, '0'],
      [1e-20, '0.000000000000000001'],
      [0.9239582000000001, '92.39582000000001'],
      [9_999_999_999.9999, '999999999999.99'],
    ] as const) {
      const row = explain(document, at(rate)).find(
        ({ path }) => path === '/invoice/lines/0/unit_price_without_tax',
      )
      expect(row?.exact).toBe(text)
    }
  })
})
