/** Evaluates the formula of an explanation row with its inputs, in exact fractions. */

import { required } from '#core/errors/index.ts'
import type { ExplanationRow } from '#engine/index.ts'
import { add, div, fromNumber, HUNDRED, mul, type Rational, sub, sum, ZERO } from '../core/money/rational.ts'

/**
 * Formulas that distribute an amount, or that sum amounts with different formulas. Their inputs do not suffice to
 * evaluate them; the second implementation calculates the same amounts (`test/second`).
 */
const NOT_EVALUATED = /\b(?:each|its|their|alone)\b|; euros/

/** Texts about an amount sent, which is the only input. */
const SENT = / sent(?:, or 0| for this part of the group)?/

const TOKEN = /sum of [\w ]+?(?= [x+/-] |$)|-?\d[\d.e-]*|[a-z_.]+|[-+/()%]/g

const isRate = (name: string): boolean =>
  /_rate$|^equivalence_surcharge$/.test(name) && name !== 'exchange_rate'

/** Reads a formula: sums, products and quotients of inputs by name, of numbers and of percentages. */
class Reader {
  private readonly tokens: readonly string[]
  private readonly names: readonly string[]
  private readonly values: readonly Rational[]
  private next = 0

  constructor({ formula, inputs }: ExplanationRow) {
    this.tokens = formula.replace(SENT, '').match(TOKEN) ?? []
    this.names = inputs.map(({ path }) => required(path.split('/').at(-1)))
    this.values = inputs.map(({ value }) => fromNumber(value))
  }

  /** Sums and differences. */
  sum(): Rational {
    let total = this.product()
    while (this.is('+') || this.is('-'))
      total = this.take() === '+' ? add(total, this.product()) : sub(total, this.product())
    return total
  }

  private product(): Rational {
    let total = this.factor()
    while (this.is('x') || this.is('/'))
      total = this.take() === 'x' ? mul(total, this.factor()) : div(total, this.factor())
    return total
  }

  private factor(): Rational {
    const token = this.take()
    if (token === '(') {
      const value = this.sum()
      this.take()
      return value
    }
    if (/^-?\d/.test(token)) {
      const value = fromNumber(Number(token))
      if (!this.is('%')) return value
      this.take()
      return div(value, HUNDRED)
    }
    return token.startsWith('sum of') || token === 'tax' ? sum(this.others()) : this.named(token)
  }

  private is(token: string): boolean {
    return this.tokens[this.next] === token
  }

  private take(): string {
    return required(this.tokens[this.next++])
  }

  /** Amounts that the formula does not name. */
  private others(): Rational[] {
    return this.values.filter((_, at) => {
      const name = required(this.names[at])
      return !isRate(name) && !this.tokens.includes(name)
    })
  }

  /** The only input of a name; 0 if the invoice need not have it. */
  private named(token: string): Rational {
    const name = required(token.split('.').at(-1))
    const at = name === 'price' || this.tokens.length === 1 ? 0 : this.names.indexOf(name)
    if (at !== 0 && at !== this.names.lastIndexOf(name)) throw new Error(`several inputs ${name}`)
    return this.values[at] ?? ZERO
  }
}

/** Returns the exact value of a formula; undefined if its inputs do not suffice. */
export function evaluate(row: ExplanationRow): Rational | undefined {
  const { formula, inputs } = row
  for (const { path, value } of inputs)
    if (
      isRate(required(path.split('/').at(-1))) &&
      / %$|\(100 \+/.test(formula) &&
      !formula.includes(String(value))
    )
      throw new Error(`${row.path}: rate ${value} among the inputs, another in the formula`)
  if (formula === 'no Spanish tax' || formula.startsWith('0: ')) return ZERO
  return NOT_EVALUATED.test(formula) ? undefined : new Reader(row).sum()
}
