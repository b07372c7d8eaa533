/** Formats the formula of an explanation, English or Spanish, with its values: `9.99 x 100 / (100 + 21)`. */

import { required } from '#core/errors/index.ts'
import { segmentsOf } from '#core/invoice/pointer.ts'
import type { ExplanationInput, ExplanationRow } from '#engine/index.ts'
import type { NumberFormats } from '../input/input-numbers.ts'

const MOST_SHOWN = 6

const nameOf = (path: string): string => segmentsOf(path).at(-1) ?? path

const show = ({ path, value }: ExplanationInput, { amount, plain }: NumberFormats): string =>
  /quantity|rate|unit_price/.test(nameOf(path)) ? plain(value) : amount(value)

interface Phrases {
  readonly more: (count: number) => string
}

function sumOf(inputs: readonly ExplanationInput[], numbers: NumberFormats, { more }: Phrases): string {
  const shown = inputs.slice(0, MOST_SHOWN).map((input) => show(input, numbers))
  const rest = inputs.length - shown.length
  return shown.join(' + ') + (rest > 0 ? ` + … (${more(rest)})` : '')
}

/** Formats sums, such as `sum of 3 line bases x 21 %`. */
function sumValues({ formula, inputs }: ExplanationRow, numbers: NumberFormats, phrases: Phrases): string {
  const last = required(inputs.at(-1))
  if (formula.endsWith(' - taxable_base'))
    return `${grouped(inputs.slice(0, -1), numbers, phrases)} - ${show(last, numbers)}`
  if (formula.endsWith(' x total_gross_amount_before_taxes / total_gross_amount')) {
    const [before, gross] = inputs.slice(-2).map((input) => show(input, numbers))
    return `${grouped(inputs.slice(0, -2), numbers, phrases)} x ${before} / ${gross}`
  }
  const times = / x .*/.exec(formula)?.[0] ?? ''
  return times === '' ? sumOf(inputs, numbers, phrases) : grouped(inputs, numbers, phrases) + times
}

const grouped = (inputs: readonly ExplanationInput[], numbers: NumberFormats, phrases: Phrases): string => {
  const sum = sumOf(inputs, numbers, phrases)
  return inputs.length > 1 ? `(${sum})` : sum
}

/** Optional amounts; if absent, they are not part of the sum. */
const OPTIONAL: ReadonlySet<string> = new Set(['discount_amount', 'charge_amount', 'rounding_amount'])

/** Replaces the names in a formula with their values. */
function named({ formula, inputs }: ExplanationRow, numbers: NumberFormats): string {
  const values = new Map(inputs.map((input) => [nameOf(input.path), show(input, numbers)]))
  const [first = '', ...others] = inputs.map((input) => show(input, numbers))
  const arithmetic = formula
    .replace(/\b(?:price|precio)\b/, first)
    .replace(
      /invoice_currency\.| (?:sent|enviado)(?: (?:for|para) .{1,40} (?:group|grupo)|(?= x exchange_rate))/,
      '',
    )
  const filled = arithmetic.replace(/ ([-+]) (?:tax|impuesto)$/, (_, sign: string) =>
    others.map((value) => ` ${sign} ${value}`).join(''),
  )
  return filled
    .replace(/ [-+] ([a-z]+(?:_[a-z]+)+)/g, (term, name: string) =>
      values.has(name) || !OPTIONAL.has(name) ? term : '',
    )
    .replace(/[a-z]+(?:_[a-z]+)*/g, (name) => values.get(name) ?? name)
}

/**
 * Matches formulas that name a sum but do more than add their inputs: proportional parts, rates mixed with amounts,
 * results per rate.
 */
const NOT_A_SUM =
  /(?:line bases?|bases? de línea) \+ |each as sent or its rate|cada uno según se envió|(?:that rate|ese porcentaje)$/

/** Returns the formula with its values; an empty text if the formula has no inputs or is not arithmetic. */
export function formulaValues(row: ExplanationRow, numbers: NumberFormats, phrases: Phrases): string {
  const { formula, inputs } = row
  if (inputs.length === 0 || NOT_A_SUM.test(formula)) return ''
  if (/^suma? (?:of|de) /.test(formula)) return sumValues(row, numbers, phrases)
  // The tax on a cost does not depend only on the rate, but also on reverse charge or the country of consumption.
  if (/ (?:tax|impuesto)$/.test(formula) && inputs.some(({ path }) => path.endsWith('_rate'))) return ''
  const filled = named(row, numbers)
  return /[a-z]{2}/.test(filled) ? '' : filled
}
