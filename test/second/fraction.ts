const POWERS = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent))

/**
 * Exact fractions of whole numbers, without a limit on their size. Independent of the decimal arithmetic of the engine:
 * the author has not read `src/`.
 */
export class Fraction {
  static readonly ZERO = new Fraction(0n, 1n)
  static readonly HUNDRED = new Fraction(100n, 1n)

  /** `denominator` is positive. Fractions are not reduced, because amounts of one currency share a denominator. */
  private constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}

  /** Returns the decimal number that a JSON number is printed as. */
  static of(value: number): Fraction {
    const [digits = '', exponent = '0'] = String(value).split('e')
    const [whole = '', decimals = ''] = digits.split('.')
    const shift = Number(exponent) - decimals.length
    const numerator = BigInt(whole + decimals)
    return shift < 0
      ? new Fraction(numerator, 10n ** BigInt(-shift))
      : new Fraction(numerator * 10n ** BigInt(shift), 1n)
  }

  static sum(values: readonly Fraction[]): Fraction {
    return values.reduce((sum, value) => sum.plus(value), Fraction.ZERO)
  }

  plus({ numerator, denominator }: Fraction): Fraction {
    if (this.numerator === 0n) return new Fraction(numerator, denominator)
    if (numerator === 0n) return this
    return denominator === this.denominator
      ? new Fraction(this.numerator + numerator, denominator)
      : new Fraction(
          this.numerator * denominator + numerator * this.denominator,
          this.denominator * denominator,
        )
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated())
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator)
  }

  /** Throws a `RangeError` for a division by zero. */
  over(other: Fraction): Fraction {
    const numerator = this.numerator * other.denominator
    const denominator = this.denominator * other.numerator
    if (denominator === 0n) throw new RangeError('division by zero')
    return denominator < 0n ? new Fraction(-numerator, -denominator) : new Fraction(numerator, denominator)
  }

  percent(rate: Fraction): Fraction {
    return this.times(rate).over(Fraction.HUNDRED)
  }

  negated(): Fraction {
    return new Fraction(-this.numerator, this.denominator)
  }

  absolute(): Fraction {
    return this.numerator < 0n ? this.negated() : this
  }

  /** Returns -1, 0 or 1. */
  get sign(): number {
    return this.numerator === 0n ? 0 : this.numerator < 0n ? -1 : 1
  }

  /** Returns a negative number, 0 or a positive number, as a comparator of `sort` does. */
  compare(other: Fraction): number {
    return this.minus(other).sign
  }

  /** Rounds to a number of decimals; a half is rounded away from zero. */
  round(decimals: number): Fraction {
    const scale = POWERS[decimals]!
    const { numerator, denominator } = this.absolute()
    const rounded = (2n * numerator * scale + denominator) / (2n * denominator)
    return new Fraction(this.numerator < 0n ? -rounded : rounded, scale)
  }

  /** Rounds to a number of decimals, towards minus infinity. */
  roundDown(decimals: number): Fraction {
    const scale = POWERS[decimals]!
    const scaled = this.numerator * scale
    const quotient = scaled / this.denominator
    return new Fraction(scaled < 0n && scaled % this.denominator !== 0n ? quotient - 1n : quotient, scale)
  }

  /** Returns the JSON number that is nearest to a rounded fraction. */
  toNumber(): number {
    const decimals = this.denominator.toString().length - 1
    if (this.denominator !== POWERS[decimals]!) throw new RangeError('not rounded')
    return this.numerator === 0n ? 0 : Number(`${this.numerator}e-${decimals}`)
  }
}
