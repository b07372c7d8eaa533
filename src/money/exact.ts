/**
 * Exact arithmetic on fractions of whole numbers, for every input that JSON can carry: the fallback of the fast
 * path in `money.ts` wherever a safe integer is not provably enough, and the arithmetic of `explain`. Nothing is
 * rounded before it is asked to be. Tests prove both paths equal to `decimal.js`.
 */

/** Powers of ten as far as they are usual: to raise anew takes longer than all the rest. */
const POWERS: readonly bigint[] = /* @__PURE__ */ Array.from(
  { length: 41 },
  (_, decimals) => 10n ** BigInt(decimals),
)
const power = (decimals: number): bigint => POWERS[decimals] ?? 10n ** BigInt(decimals)
const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value)

/** A fraction of whole numbers; the divisor is positive. */
export class Exact {
  constructor(
    readonly over: bigint,
    readonly under: bigint,
  ) {}

  plus(other: Exact): Exact {
    return new Exact(this.over * other.under + other.over * this.under, this.under * other.under)
  }
  minus(other: Exact): Exact {
    return this.plus(other.negated())
  }
  times(other: Exact): Exact {
    return new Exact(this.over * other.over, this.under * other.under)
  }
  /** The divisor must not be zero. */
  div(other: Exact): Exact {
    const [over, under] = [this.over * other.under, this.under * other.over]
    return under < 0n ? new Exact(-over, -under) : new Exact(over, under)
  }
  negated(): Exact {
    return new Exact(-this.over, this.under)
  }
  abs(): Exact {
    return new Exact(sizeOf(this.over), this.under)
  }
  isNegative(): boolean {
    return this.over < 0n
  }

  /** Whole number of units of the last decimal, half away from zero. */
  units(decimals: number): bigint {
    const size = sizeOf(this.over) * power(decimals)
    const quotient = (2n * size + this.under) / (2n * this.under)
    return this.over < 0n ? -quotient : quotient
  }

  /** Rounded half away from zero. */
  round(decimals: number): Exact {
    return new Exact(this.units(decimals), power(decimals))
  }

  /** Decimal text without rounding; `…` marks digits beyond `decimals`. */
  toText(decimals = 20): string {
    const size = sizeOf(this.over)
    const whole = size / this.under
    const scaled = ((size - whole * this.under) * power(decimals)) / this.under
    const isWhole = (whole * power(decimals) + scaled) * this.under === size * power(decimals)
    const fraction = scaled.toString().padStart(decimals, '0').replace(/0+$/, '')
    const sign = this.over < 0n ? '-' : ''
    return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${isWhole ? '' : '…'}`
  }

  /** The nearest number, exact when it has a short decimal form. */
  toNumber(): number {
    return Number(this.toText(30).replace('…', '')) + 0
  }
}

/**
 * The decimal that a JSON number prints as: `24.37` is exactly 24.37.
 *
 * @example
 * exact(24.37).times(exact(3)).toText() // => '73.11'
 * exact(2997).div(exact(121)).toText(4) // => '24.7685…'
 * exact(-1.005).round(2).toText() // => '-1.01'
 */
export function exact(value: number): Exact {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift < 0 ? new Exact(digits, power(-shift)) : new Exact(digits * power(shift), 1n)
}

const HUNDRED = new Exact(100n, 1n)

/** `value` in minor units. */
export const exactMinor = (value: number, decimals: number): number => Number(exact(value).units(decimals))

/** `a x b` in minor units. */
export const exactProduct = (a: number, b: number, decimals: number): number =>
  Number(exact(a).times(exact(b)).units(decimals))

/** `amount x percent / 100`, both sides in minor units. */
export const exactPercent = (amount: number, percent: number): number =>
  Number(exact(amount).times(exact(percent)).div(HUNDRED).units(0))

/** `gross x 100 / (100 + percent)`, both sides in minor units. */
export const exactNet = (gross: number, percent: number): number =>
  Number(
    exact(gross)
      .times(HUNDRED)
      .div(HUNDRED.plus(exact(percent)))
      .units(0),
  )

/** `value` rounded half away from zero to `decimals` decimals, as the nearest number. */
export function exactRound(value: number, decimals: number): number {
  const rounded = exact(value).round(decimals)
  const [over, under] = [Number(rounded.over), Number(rounded.under)]
  // The quotient of two whole numbers that are exact is the nearest there is; text takes five times as long.
  return Number.isSafeInteger(over) && Number.isSafeInteger(under) ? over / under + 0 : rounded.toNumber()
}

/** `a x b` rounded to `decimals` decimals, as the nearest number. */
export const exactConversion = (a: number, b: number, decimals: number): number =>
  exact(a).times(exact(b)).round(decimals).toNumber()

/** A percentage as whole numbers `[percent x 10^n, 100 x 10^n]`. */
export const exactRatio = (percent: number): [number, number] => {
  const { over, under } = exact(percent)
  return [Number(over), 100 * Number(under)]
}
