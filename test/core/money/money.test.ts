/**
 * Exact money: the fast path on safe integers equals the exact path on `decimal.js`, and both equal rational numbers on
 * BigInt. `cases.json` lists figures that any port of the engine must reproduce.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { required } from '#core/errors/index.ts'
import {
  exact,
  exactConversion,
  exactMinor,
  exactNet,
  exactNumber,
  exactPercent,
  exactProduct,
  exactRound,
  exactText,
} from '#core/money/exact.ts'
import {
  allocate,
  convertPrice,
  keepDecimals,
  multiply,
  netOf,
  percentOf,
  percentRatio,
  scaleOf,
  spread,
  sum,
  toMinor,
  toNumber,
} from '#core/money/index.ts'
import { divideRounded } from '#core/money/scale.ts'
import { runs } from '../../size.ts'
import { add, div, fromNumber, HUNDRED, mul, type Rational, rational, round } from './rational.ts'

/** Arguments and the expected value, by operation. */
interface Cases {
  readonly toMinor: [number, number, number][]
  readonly multiply: [number, number, number, number][]
  readonly percentOf: [number, number, number][]
  readonly netOf: [number, number, number][]
  readonly keepDecimals: [number, number, number][]
  readonly allocate: [number, number[], number[]][]
  readonly spread: [number, number[], [number, number], number[]][]
  readonly scaleOf: [number, number][]
  readonly toNumber: [number, number, number][]
  readonly divideRounded: [number, number, number][]
  readonly sum: [number[], number][]
  readonly percentRatio: [number, [number, number]][]
  readonly exact: [number, 'plus' | 'minus' | 'times' | 'div', number, number, string][]
}

const cases: Cases = JSON.parse(readFileSync(new URL('./cases.json', import.meta.url), 'utf8'))

/** A rational rounded to `decimals`, in minor units. */
const minor = (value: Rational, decimals: number): number => {
  const { num, den } = round(value, decimals)
  return Number((num * 10n ** BigInt(decimals)) / den)
}
const rounded = (value: Rational, decimals: number): number => {
  const { num, den } = round(value, decimals)
  const units = (num * 10n ** BigInt(decimals)) / den
  return Number(`${units}e-${decimals}`) + 0
}
const percent = (amount: number, rate: number): Rational =>
  div(mul(rational(amount), fromNumber(rate)), HUNDRED)
const net = (amount: number, rate: number): Rational =>
  div(mul(rational(amount), HUNDRED), add(HUNDRED, fromNumber(rate)))

/** Decimals that a number prints with. */
const decimalsOf = (value: number): number => {
  const exact = fromNumber(value)
  let places = 0
  while (10n ** BigInt(places) % exact.den !== 0n) places++
  return places
}

/** Numbers as documents carry them: up to `decimals` decimals, small and large, of either sign. */
const decimalOf = (decimals: number, largest: number) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: decimals }),
      fc.oneof(fc.maxSafeNat(), fc.nat(), fc.nat({ max: 9999 })),
      fc.boolean(),
    )
    .map(([scale, units, minus]) => {
      let value = Number(`${units}e-${scale}`)
      while (value > largest) value = Number(`${Math.floor(value / 1000)}e-${Math.min(scale, 2)}`)
      return minus && value !== 0 ? -value : value
    })
const quantity = decimalOf(8, 1e6)
const price = fc.oneof(decimalOf(8, 1e6), decimalOf(2, 1e12))
/** Any double that an amount may be sent as, float dust included. */
const dusty = fc
  .oneof(
    price,
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    fc.tuple(price, price).map(([a, b]) => (Math.abs(a + b) < 1e13 ? a + b : a)),
  )
  .map((value) => value + 0) // -0 has a test of its own
const amount = fc.oneof(
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }),
)
const rate = fc.oneof(
  fc.constantFrom(0, 0.5, 1.4, 1.75, 4, 5.2, 10, 15, 19, 21, 33.33),
  decimalOf(8, 100).map(Math.abs),
)
const decimals = fc.constantFrom(2, 2, 2, 0, 3)

describe('listed examples', () => {
  test.each(cases.toMinor)('toMinor(%d, %d) is %d', (value, places, expected) => {
    expect(toMinor(value, places)).toBe(expected)
    expect(exactMinor(value, places)).toBe(expected)
  })
  test.each(cases.multiply)('multiply(%d, %d, %d) is %d', (a, b, places, expected) => {
    expect(multiply(a, b, places)).toBe(expected)
    expect(multiply(b, a, places)).toBe(expected)
    expect(exactProduct(a, b, places)).toBe(expected)
  })
  test.each(cases.percentOf)('percentOf(%d, %d) is %d', (value, of, expected) => {
    expect(percentOf(value, of)).toBe(expected)
    expect(exactPercent(value, of)).toBe(expected)
  })
  test.each(cases.netOf)('netOf(%d, %d) is %d', (value, of, expected) => {
    expect(netOf(value, of)).toBe(expected)
    expect(exactNet(value, of)).toBe(expected)
  })
  it('netOf at -100 % is undefined: no amount has its own negative as its tax', () => {
    expect(netOf(-1957, -100)).toBe(0)
  })
  test.each(cases.keepDecimals)('keepDecimals(%d, %d) is %d', (value, places, expected) => {
    expect(keepDecimals(value, places)).toBe(expected)
    expect(exactRound(value, places)).toBe(expected)
  })
  test.each(cases.allocate)('allocate(%d, %j) is %j', (total, weights, expected) => {
    expect(allocate(total, weights, (a, b) => a - b)).toEqual(expected)
  })
  test.each(cases.spread)('spread(%d, %j, %j) is %j', (total, weights, ratio, expected) => {
    expect(spread(total, weights, ratio, (a, b) => a - b)).toEqual(expected)
  })
  test.each(cases.scaleOf)('scaleOf(%d) is %d', (value, expected) => {
    expect(scaleOf(value)).toBe(expected)
  })
  test.each(cases.toNumber)('toNumber(%d, %d) is %d', (value, places, expected) => {
    expect(toNumber(value, places)).toBe(expected)
  })
  test.each(cases.divideRounded)('divideRounded(%d, %d) is %d', (value, by, expected) => {
    expect(divideRounded(value, by)).toBe(expected)
  })
  test.each(cases.sum)('sum(%j) is %d', (values, expected) => {
    expect(sum(values)).toBe(expected)
  })
  test.each(cases.percentRatio)('percentRatio(%d) is %j', (value, expected) => {
    expect(percentRatio(value)).toEqual(expected)
  })
  test.each(cases.exact)('%d %s %d to %d decimals is %s', (a, operation, b, places, expected) => {
    const result = exact(a)[operation](exact(b))
    expect(exactText(result, places)).toBe(expected)
    expect(result.lt(0)).toBe(expected.startsWith('-'))
    expect(exactText(result.abs(), places)).toBe(expected.replace('-', ''))
    if (!expected.endsWith('…')) expect(exactNumber(result)).toBe(Number(expected))
  })
})

describe('the fast path equals the exact path and the rational numbers', () => {
  it('toMinor', () => {
    fc.assert(
      fc.property(dusty, decimals, (value, places) => {
        const result = toMinor(value, places)
        expect(result).toBe(exactMinor(value, places))
        expect(result).toBe(minor(fromNumber(value), places))
      }),
      runs(3000, 300_000),
    )
  })
  it('multiply', () => {
    fc.assert(
      fc.property(fc.oneof(quantity, dusty), price, decimals, (a, b, places) => {
        const exact = mul(fromNumber(a), fromNumber(b))
        fc.pre(minor(exact, places) < 9e15 && minor(exact, places) > -9e15)
        const result = multiply(a, b, places) + 0 // never -0: see below
        expect(result).toBe(exactProduct(a, b, places))
        expect(result).toBe(minor(exact, places))
      }),
      runs(3000, 300_000),
    )
  })
  it('percentOf', () => {
    fc.assert(
      fc.property(amount, rate, (value, of) => {
        const result = percentOf(value, of)
        expect(result).toBe(exactPercent(value, of))
        expect(result).toBe(minor(percent(value, of), 0))
      }),
      runs(3000, 300_000),
    )
  })
  it('netOf', () => {
    fc.assert(
      fc.property(amount, rate, (value, of) => {
        const result = netOf(value, of)
        expect(result).toBe(exactNet(value, of))
        expect(result).toBe(minor(net(value, of), 0))
      }),
      runs(3000, 300_000),
    )
  })
  it('keepDecimals', () => {
    fc.assert(
      fc.property(dusty, fc.constantFrom(8, 2, 0, 3), (value, places) => {
        const result = keepDecimals(value, places)
        expect(result).toBe(exactRound(value, places))
        expect(result).toBe(rounded(fromNumber(value), places))
        expect(keepDecimals(result, places)).toBe(result)
      }),
      runs(3000, 300_000),
    )
  })
  it('convertPrice', () => {
    fc.assert(
      fc.property(decimalOf(8, 1e6), decimalOf(8, 1e4), (value, by) => {
        expect(convertPrice(value, by)).toBe(exactConversion(value, by, 8))
        expect(convertPrice(value, by)).toBe(rounded(mul(fromNumber(value), fromNumber(by)), 8))
      }),
      runs(1000, 100_000),
    )
  })
  it('scaleOf gives enough decimals, and never fewer than the number has', () => {
    fc.assert(
      fc.property(dusty, (value) => {
        const scale = scaleOf(value)
        if (scale >= 0) {
          expect(scale).toBeGreaterThanOrEqual(decimalsOf(value))
          expect(scale).toBeLessThanOrEqual(8)
        } else expect(decimalsOf(value) > 8 || Math.abs(value) * 10 ** decimalsOf(value) >= 1e12).toBe(true)
      }),
      runs(3000, 300_000),
    )
  })
  it('divideRounded, if numerator and divisor together stay below 2^53', () => {
    const whole = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -1000, max: 1000 }))
    const divisor = fc.oneof(
      fc.integer({ min: 1, max: 1000 }),
      fc.constantFrom(1e2, 1e4, 1e8, 1e12),
      fc.integer({ min: 1 }),
    )
    fc.assert(
      fc.property(whole, divisor, (numerator, by) => {
        fc.pre(Math.abs(numerator) + by <= Number.MAX_SAFE_INTEGER)
        expect(divideRounded(numerator, by)).toBe(minor(rational(numerator, by), 0))
      }),
      runs(3000, 300_000),
    )
  })
})

describe('amounts', () => {
  it('round half away from zero, alike on both sides of zero', () => {
    fc.assert(
      fc.property(dusty, price, rate, (value, other, of) => {
        const turned = (result: number): number => 0 - result
        expect(toMinor(turned(value))).toBe(turned(toMinor(value)))
        expect(keepDecimals(turned(value))).toBe(turned(keepDecimals(value)))
        const [minus, plus] = [turned(toMinor(other)), toMinor(other)]
        expect(percentOf(minus, of)).toBe(turned(percentOf(plus, of)))
        expect(netOf(minus, of)).toBe(turned(netOf(plus, of)))
      }),
      runs(1000, 100_000),
    )
  })
  it('are written to JSON as the shortest text and read back without loss', () => {
    fc.assert(
      fc.property(amount, decimals, (value, places) => {
        const shown = toNumber(value, places)
        expect(toMinor(JSON.parse(JSON.stringify(shown)), places)).toBe(value)
        expect(JSON.stringify(shown)).toMatch(new RegExp(`^-?\\d+(\\.\\d{1,${Math.max(places, 1)}})?$`))
        expect(shown).toBe(Number(`${value}e-${places}`))
        expect(Object.is(shown, -0)).toBe(false)
      }),
      runs(3000, 300_000),
    )
  })
  it('are never -0', () => {
    for (const zero of [
      toMinor(-0),
      toMinor(-0.001),
      multiply(-1, 0),
      multiply(-0.001, 0.1),
      percentOf(-1, 1),
      netOf(0, 21),
      toNumber(-0),
    ])
      expect(Object.is(zero, 0)).toBe(true)
    expect(Object.is(keepDecimals(-0), 0)).toBe(true)
    expect(Object.is(keepDecimals(-1e-9), 0)).toBe(true)
  })
  it('add up exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 200 }), (amounts) => {
        expect(BigInt(sum(amounts))).toBe(amounts.reduce((total, value) => total + BigInt(value), 0n))
      }),
      runs(500, 10_000),
    )
  })
})

// ---------------------------------------------------------------------------------------------- allocation

const weightsOf = (weight: fc.Arbitrary<number>) => fc.array(weight, { minLength: 1, maxLength: 12 })
const positive = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 1_000_000 }), fc.nat({ max: 9_999_999_999_999 }))
const anySign = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }),
)
const turn = (values: readonly number[]): number[] => values.map((value) => 0 - value)
const byPosition = (): number => 0

/**
 * Weights of both signs that nearly cancel out give shares beyond any amount: the calculation refuses those, and
 * `hostile.test.ts` sees to it that it does so at once.
 */
function reachable(total: number, weights: readonly number[]): boolean {
  const all = Math.abs(weights.reduce((sum, weight) => sum + weight, 0))
  return all === 0 || (Math.abs(total) * Math.max(...weights.map(Math.abs))) / all < 1e15
}

/** The parts as a multiset of (weight, part). */
const pairs = (weights: readonly number[], parts: readonly number[]): string[] =>
  weights.map((weight, i) => `${weight}:${parts[i]}`).sort()

describe('allocate', () => {
  it('gives parts that add up, whatever the signs', () => {
    fc.assert(
      fc.property(amount, weightsOf(fc.oneof(positive, anySign)), (total, weights) => {
        fc.pre(reachable(total, weights))
        const parts = allocate(total, weights, byPosition)
        expect(parts).toHaveLength(weights.length)
        expect(parts.every(Number.isSafeInteger)).toBe(true)
        expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(total))
        expect(parts.some((part) => Object.is(part, -0))).toBe(false)
      }),
      runs(2000, 200_000),
    )
  })
  it('gives each part within a cent of its exact share', () => {
    fc.assert(
      fc.property(amount, weightsOf(fc.oneof(positive, anySign)), (total, weights) => {
        const all = weights.reduce((a, b) => a + BigInt(b), 0n)
        fc.pre(all !== 0n && reachable(total, weights))
        const parts = allocate(total, weights, byPosition)
        parts.forEach((part, i) => {
          // |part - total x weight / all| < 1, multiplied by all
          const off = BigInt(part) * all - BigInt(total) * BigInt(required(weights[i]))
          expect((off < 0n ? -off : off) < (all < 0n ? -all : all)).toBe(true)
        })
      }),
      runs(2000, 200_000),
    )
  })
  it('negated totals or weights give negated or equal parts', () => {
    fc.assert(
      fc.property(amount, weightsOf(anySign), (total, weights) => {
        fc.pre(reachable(total, weights))
        const parts = allocate(total, weights, byPosition)
        expect(allocate(0 - total, weights, byPosition)).toEqual(turn(parts))
        // Total and weights together: the same invoice, turned.
        if (weights.reduce((a, b) => a + b, 0) !== 0)
          expect(allocate(total, turn(weights), byPosition)).toEqual(parts)
      }),
      runs(2000, 200_000),
    )
  })
  it('does not depend on the order of the weights, except among equal ones', () => {
    const shuffled = weightsOf(fc.oneof(positive, anySign)).chain((weights) =>
      fc.tuple(fc.constant(weights), fc.shuffledSubarray(weights, { minLength: weights.length })),
    )
    fc.assert(
      fc.property(amount, shuffled, (total, [weights, others]) => {
        fc.pre(reachable(total, weights))
        // Weights that add up to zero are taken by size: 14 and -14 are equal ones then.
        fc.pre(weights.reduce((a, b) => a + b, 0) !== 0)
        const one = allocate(total, weights, byPosition)
        const other = allocate(total, others, byPosition)
        expect(pairs(others, other)).toEqual(pairs(weights, one))
      }),
      runs(2000, 200_000),
    )
  })
  it('gives a tie of equal weights to the preferred one, and of unequal weights to the larger', () => {
    expect(allocate(1, [5, 5], (a, b) => b - a)).toEqual([0, 1])
    expect(allocate(1, [5, 5], (a, b) => a - b)).toEqual([1, 0])
    // 0.5 and 1.5 of 2: both remainders are a half
    expect(allocate(2, [1, 3], (a, b) => a - b)).toEqual([0, 2])
    expect(allocate(2, [3, 1], (a, b) => b - a)).toEqual([2, 0])
    expect(allocate(7, [0, 0, 0], (a, b) => b - a)).toEqual([0, 0, 7])
  })
  it('of zero, or over no weights, is zero', () => {
    expect(allocate(0, [1, 2, 3], byPosition)).toEqual([0, 0, 0])
    expect(allocate(5, [], byPosition)).toEqual([])
  })
})

describe('spread', () => {
  /** A total that is the rounded sum of its ideals, as the engine passes it. */
  const spreads = fc.tuple(weightsOf(fc.oneof(positive, anySign)), rate).map(([weights, of]) => {
    const [part, whole] = percentRatio(of)
    const charged = weights.reduce((a, b) => a + b, 0)
    return { weights, ratio: [whole, whole + part] as const, total: netOf(charged, of) }
  })
  it('gives parts that add up, each within a cent of its exact share', () => {
    fc.assert(
      fc.property(spreads, ({ weights, ratio, total }) => {
        const parts = spread(total, weights, ratio, byPosition)
        expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(total))
        if (weights.length === 1) return
        const [numerator, divisor] = ratio.map(BigInt) as [bigint, bigint]
        parts.forEach((part, i) => {
          const off = BigInt(part) * divisor - BigInt(required(weights[i])) * numerator
          expect((off < 0n ? -off : off) <= divisor).toBe(true)
          expect(Object.is(part, -0)).toBe(false)
        })
      }),
      runs(2000, 200_000),
    )
  })
  it('negated totals and weights give negated parts', () => {
    fc.assert(
      fc.property(spreads, ({ weights, ratio, total }) => {
        fc.pre(weights.reduce((a, b) => a + b, 0) !== 0)
        expect(spread(0 - total, turn(weights), ratio, byPosition)).toEqual(
          turn(spread(total, weights, ratio, byPosition)),
        )
      }),
      runs(2000, 200_000),
    )
  })
  it('does not depend on the order of the weights', () => {
    const shuffled = spreads.chain((each) =>
      fc.tuple(fc.constant(each), fc.shuffledSubarray(each.weights, { minLength: each.weights.length })),
    )
    fc.assert(
      fc.property(shuffled, ([{ weights, ratio, total }, others]) => {
        expect(pairs(others, spread(total, others, ratio, byPosition))).toEqual(
          pairs(weights, spread(total, weights, ratio, byPosition)),
        )
      }),
      runs(2000, 200_000),
    )
  })
  it('a total that differs by cents from its ideal shares (a client’s own base) still adds up', () => {
    fc.assert(
      fc.property(spreads, fc.integer({ min: -12, max: 12 }), ({ weights, ratio, total }, off) => {
        const parts = spread(total + off, weights, ratio, byPosition)
        expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(total + off))
      }),
      runs(1000, 50_000),
    )
  })
})
