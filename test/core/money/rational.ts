import { required } from '#core/errors/index.ts'
/**
 * Exact rational numbers on BigInt, for the reference calculation only. Always in lowest terms, with a
 * positive denominator, so that two equal values have equal members. Written to be read, not to be fast.
 */
export interface Rational {
  readonly num: bigint
  readonly den: bigint
}

const absolute = (x: bigint): bigint => (x < 0n ? -x : x)

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [absolute(a), absolute(b)]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
  let [n, d] = [BigInt(num), BigInt(den)]
  if (d === 0n) throw new RangeError('a rational number cannot have the denominator 0')
  if (d < 0n) [n, d] = [-n, -d]
  const common = greatestCommonDivisor(n, d)
  return common > 1n ? { num: n / common, den: d / common } : { num: n, den: d }
}

export const ZERO: Rational = rational(0n)
export const ONE: Rational = rational(1n)
export const HUNDRED: Rational = rational(100n)

/** The decimal that a JSON number stands for: its shortest text, exponent form included (`1e-8`, `1.5e+21`). */
export function fromNumber(value: number): Rational {
  if (!Number.isFinite(value)) throw new RangeError(`not a finite number: ${value}`)
  return fromText(String(value))
}

export function fromText(text: string): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (match === null) throw new RangeError(`not a decimal number: ${text}`)
  const [, minus, whole = '', fraction = '', exponentText = '0'] = match
  const digits = BigInt(whole + fraction) * (minus === '-' ? -1n : 1n)
  const exponent = Number(exponentText) - fraction.length
  return exponent >= 0
    ? rational(digits * 10n ** BigInt(exponent))
    : rational(digits, 10n ** BigInt(-exponent))
}

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.num * b.den + b.num * a.den, a.den * b.den)
export const sub = (a: Rational, b: Rational): Rational =>
  rational(a.num * b.den - b.num * a.den, a.den * b.den)
export const mul = (a: Rational, b: Rational): Rational => rational(a.num * b.num, a.den * b.den)
export const div = (a: Rational, b: Rational): Rational => rational(a.num * b.den, a.den * b.num)
export const negate = (a: Rational): Rational => ({ num: -a.num, den: a.den })
export const abs = (a: Rational): Rational => ({ num: absolute(a.num), den: a.den })
export const sum = (values: readonly Rational[]): Rational => values.reduce(add, ZERO)

/** -1, 0 or 1, as `Array.prototype.sort` wants it. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const [left, right] = [a.num * b.den, b.num * a.den]
  return left < right ? -1 : left > right ? 1 : 0
}
export const sign = (a: Rational): -1 | 0 | 1 => compare(a, ZERO)
export const isZero = (a: Rational): boolean => a.num === 0n
export const max = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b)

/** The largest integer that is not above the value. */
export function roundDown(a: Rational): bigint {
  const quotient = a.num / a.den // BigInt division cuts towards zero
  return a.num < 0n && quotient * a.den !== a.num ? quotient - 1n : quotient
}

/** Half away from zero, the same for both signs. */
export function round(a: Rational, decimals: number): Rational {
  const scale = 10n ** BigInt(decimals)
  const units = roundDown(add(mul(abs(a), rational(scale)), rational(1n, 2n)))
  return rational(a.num < 0n ? -units : units, scale)
}

/** The exact decimal text, without exponent and without closing zeros; only for values that have one. */
export function toText(a: Rational): string {
  let [rest, decimals] = [a.den, 0]
  while (rest % 10n === 0n) [rest, decimals] = [rest / 10n, decimals + 1]
  while (rest % 2n === 0n) [rest, decimals] = [rest / 2n, decimals + 1]
  while (rest % 5n === 0n) [rest, decimals] = [rest / 5n, decimals + 1]
  if (rest !== 1n) throw new RangeError(`${a.num}/${a.den} has no finite decimal text`)
  const digits = ((absolute(a.num) * 10n ** BigInt(decimals)) / a.den).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return (a.num < 0n ? '-' : '') + whole + (fraction === '' ? '' : `.${fraction}`)
}

/** The JSON number of a finite decimal; never -0. */
export const toNumber = (a: Rational): number => (isZero(a) ? 0 : Number(toText(a)))

/**
 * Largest remainder: each ideal is cut down to the unit (10^-decimals) and the missing units go, one each,
 * to the largest cut-off parts. `tie` orders two positions with the same cut-off part: negative = `a` first.
 * The ideals must add up to the total, or to something that rounds to it.
 */
export function largestRemainder(
  total: Rational,
  ideals: readonly Rational[],
  decimals: number,
  tie: (a: number, b: number) => number,
): Rational[] {
  const scale = 10n ** BigInt(decimals)
  const scaled = ideals.map((ideal) => mul(ideal, rational(scale)))
  const wholes = scaled.map(roundDown)
  const cutOff = scaled.map((value, i) => sub(value, rational(required(wholes[i]))))
  const missing = sub(mul(total, rational(scale)), rational(wholes.reduce((a, b) => a + b, 0n)))
  if (missing.den !== 1n || missing.num < 0n || missing.num > BigInt(ideals.length)) {
    throw new RangeError('the ideals do not add up to the total')
  }
  const winners = ideals
    .map((_, i) => i)
    .sort((a, b) => compare(required(cutOff[b]), required(cutOff[a])) || tie(a, b) || a - b)
    .slice(0, Number(missing.num))
  return wholes.map((units, i) => rational(winners.includes(i) ? units + 1n : units, scale))
}

/** Returns a value as explanations write it: with up to 20 decimals, cut, and a mark if there are more. */
export function asText(value: Rational, decimals = 20): string {
  const size = abs(value)
  const power = 10n ** BigInt(decimals)
  const scaled = (size.num * power) / size.den
  const whole = scaled * size.den === size.num * power
  const digits = scaled.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return `${value.num < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}${whole ? '' : '…'}`
}
