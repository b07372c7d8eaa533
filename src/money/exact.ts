/**
 * Exact numbers: fractions of `BigInt`, the fallback of the fast path in `money.ts` wherever a safe integer is not
 * provably enough, and the arithmetic of `explain`. Nothing is rounded before it is asked for.
 */

const power = (decimals: number): bigint => 10n ** BigInt(decimals)

/** What is not finite: too large for any number, so that it is found out of range. */
const HUGE = power(400)

/** Decimals that a fraction keeps on its way to a number. */
const DECIMALS = 70

type Operand = Exact | number | string

/** A fraction with a positive denominator. */
export class Exact {
  constructor(
    readonly above: bigint,
    readonly below: bigint,
  ) {}

  plus(other: Operand): Exact {
    const { above, below } = fraction(other)
    const common =
      this.below % below === 0n ? this.below : below % this.below === 0n ? below : this.below * below
    return new Exact(this.above * (common / this.below) + above * (common / below), common)
  }

  minus(other: Operand): Exact {
    return this.plus(fraction(other).negated())
  }

  times(other: Operand): Exact {
    const { above, below } = fraction(other)
    return new Exact(this.above * above, this.below * below)
  }

  div(other: Operand): Exact {
    const { above, below } = fraction(other)
    if (above === 0n) return new Exact(this.above < 0n ? -HUGE : HUGE, 1n)
    const sign = above < 0n ? -1n : 1n
    return new Exact(this.above * below * sign, this.below * above * sign)
  }

  negated(): Exact {
    return new Exact(-this.above, this.below)
  }

  abs(): Exact {
    return this.above < 0n ? this.negated() : this
  }

  /** The largest whole number that is not above it. */
  floor(): Exact {
    const whole = this.above / this.below
    return new Exact(whole * this.below > this.above ? whole - 1n : whole, 1n)
  }

  cmp(other: Operand): number {
    const { above } = this.minus(other)
    return above < 0n ? -1 : above > 0n ? 1 : 0
  }

  lt(other: Operand): boolean {
    return this.cmp(other) < 0
  }

  isZero(): boolean {
    return this.above === 0n
  }
}

/**
 * The decimal that a JSON number prints as: `24.37` is exactly 24.37.
 *
 * @example
 * exactText(exact(24.37).times(3)) // => '73.11'
 * exactText(exact(2997).div(121), 4) // => '24.7685…'
 * exactText(roundExact(exact(-1.005), 2)) // => '-1.01'
 */
export function exact(value: number | string): Exact {
  if (typeof value === 'number' && !Number.isFinite(value)) return new Exact(value < 0 ? -HUGE : HUGE, 1n)
  const [digits = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = digits.split('.')
  const scale = decimals.length - Number(exponent)
  const units = BigInt(whole + decimals)
  return scale > 0 ? new Exact(units, power(scale)) : new Exact(units * power(-scale), 1n)
}

const fraction = (value: Operand): Exact => (value instanceof Exact ? value : exact(value))

/** In units of the last decimal, rounded half away from zero. */
const unitsOf = ({ above, below }: Exact, decimals: number): bigint =>
  (2n * above * power(decimals) + (above < 0n ? -below : below)) / (2n * below)

/** Rounded half away from zero. */
export const roundExact = (value: Exact, decimals: number): Exact =>
  new Exact(unitsOf(value, decimals), power(decimals))

/** Decimal text of units of the last decimal. */
function textOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals > 0 ? `.${digits.slice(at)}` : ''}`
}

/** Decimal text with so many decimals, rounded half away from zero. */
export const fixedText = (value: Exact, decimals: number): string =>
  textOf(unitsOf(value, decimals), decimals)

/** Decimal text without rounding; `…` marks digits beyond `decimals`. */
export function exactText({ above, below }: Exact, decimals = 20): string {
  const scaled = above * power(decimals)
  const units = scaled / below
  const text = textOf(units, decimals).replace(/\.?0+$/, decimals > 0 ? '' : '$&')
  if (units * below === scaled) return text
  return `${units === 0n && above < 0n ? '-' : ''}${text}…`
}

/** The nearest number, never -0. */
export function exactNumber(value: Exact): number {
  const [above, below] = [Number(value.above), Number(value.below)]
  const isSafe = Number.isSafeInteger(above) && Number.isSafeInteger(below)
  return (isSafe ? above / below : Number(fixedText(value, DECIMALS))) + 0
}

/** `value` in minor units. */
export const exactMinor = (value: number, decimals: number): number => Number(unitsOf(exact(value), decimals))

/** `a x b` in minor units. */
export const exactProduct = (a: number, b: number, decimals: number): number =>
  Number(unitsOf(exact(a).times(b), decimals))

/** `amount x percent / 100`, both sides in minor units. */
export const exactPercent = (amount: number, percent: number): number =>
  Number(unitsOf(exact(amount).times(percent).div(100), 0))

/** `gross x 100 / (100 + percent)`, both sides in minor units. */
export const exactNet = (gross: number, percent: number): number =>
  Number(unitsOf(exact(gross).times(100).div(exact(percent).plus(100)), 0))

/** `value` rounded half away from zero to `decimals` decimals, as the nearest number. */
export const exactRound = (value: number, decimals: number): number =>
  exactNumber(roundExact(exact(value), decimals))

/** `a x b` rounded to `decimals` decimals, as the nearest number. */
export const exactConversion = (a: number, b: number, decimals: number): number =>
  exactNumber(roundExact(exact(a).times(b), decimals))

/** A percentage as whole numbers `[percent x 10^n, 100 x 10^n]`. */
export const exactRatio = (percent: number): [number, number] => {
  const { above, below } = exact(percent)
  return [Number(above), Number(100n * below)]
}
