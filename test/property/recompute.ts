/** Recomputes the rows of an explanation from their formulas and inputs alone, in its own fractions. */
import type { CanonicalInvoice, ExplanationRow } from '../../src/api/index.ts'
import { required } from '../../src/errors/index.ts'
import {
  abs,
  add,
  compare,
  div,
  fromNumber,
  HUNDRED,
  isZero,
  max,
  mul,
  negate,
  type Rational,
  round,
  sign,
  sub,
  sum,
  ZERO,
} from '../money/rational.ts'

/** What a row is worked out from. */
class Inputs {
  readonly values: readonly Rational[]
  readonly names: readonly string[]
  constructor(
    readonly row: ExplanationRow,
    readonly data: CanonicalInvoice,
    readonly decimals: number,
  ) {
    this.values = row.inputs.map(({ value }) => fromNumber(value))
    this.names = row.inputs.map(({ path }) => required(path.split('/').at(-1)))
  }

  all(): Rational {
    return sum(this.values)
  }
  value(at: number): Rational {
    return required(this.values[at])
  }
  /** The only input of this name; 0 where an invoice need not have it. */
  named(name: string): Rational {
    const at = this.names.indexOf(name)
    if (at !== this.names.lastIndexOf(name)) throw new Error(`several inputs ${name}`)
    return at < 0 ? ZERO : this.value(at)
  }
  sumOf(name: string): Rational {
    return sum(this.values.filter((_, at) => this.names[at] === name))
  }
  /** Returns the percentage in the formula; an input that is a rate must equal it. */
  rate(text: string): Rational {
    const rate = fromNumber(Number(text))
    this.names.forEach((name, at) => {
      if (/_rate$|^equivalence_surcharge$/.test(name) && compare(this.value(at), rate) !== 0)
        throw new Error(`${this.row.path}: ${text} % in the formula, another rate among the inputs`)
    })
    return div(rate, HUNDRED)
  }
}

const withoutTax = (amount: Rational, rate: string): Rational =>
  div(mul(amount, HUNDRED), add(HUNDRED, fromNumber(Number(rate))))

/** What is left of a price above the purchase, on the side of the price and never below nothing. */
const margin = (price: Rational, purchase: Rational): Rational => {
  const left = max(ZERO, sub(abs(price), purchase))
  return sign(price) < 0 ? negate(left) : left
}

const adjustment = (inputs: Inputs): Rational =>
  sub(inputs.named('total_gross_amount_before_taxes'), inputs.named('total_gross_amount'))

/** Lines that are taxed alike, by the members that `data` has on them. */
const groupOf = (line: CanonicalInvoice['invoice']['lines'][number]): string =>
  [
    line.tax_treatment_code,
    line.tax_treatment_code === 'TAXABLE_NON_EXEMPT' ? (line.tax_output_rate ?? 0) : 0,
    line.tax_regime_key,
    line.exemption_reason_code,
    line.non_taxable_reason,
    line.consumption_country_code,
    line.consumption_tax_rate,
    line.consumption_rate_type,
    line.supply_type,
  ].join('|')

/** Gross amounts of the lines among the inputs, by group. */
function grossByGroup({ row, data, values }: Inputs): Map<string, Rational> {
  const sums = new Map<string, Rational>()
  const seen = new Set<string>()
  row.inputs.forEach(({ path }, at) => {
    const index = /^\/invoice\/lines\/(\d+)\/.*gross_amount_without_tax$/.exec(path)?.[1]
    if (index === undefined || seen.has(path)) return
    seen.add(path)
    const key = groupOf(required(data.invoice.lines[Number(index)]))
    sums.set(key, add(sums.get(key) ?? ZERO, required(values[at])))
  })
  return sums
}

const bySize = (whole: Rational, part: Rational, parts: readonly Rational[]): Rational =>
  div(mul(whole, abs(part)), sum(parts.map(abs)))

const amountOf = (line: CanonicalInvoice['invoice']['lines'][number], name: keyof typeof line): Rational =>
  fromNumber(required(line[name] as number))

const lineOf = ({ row, data }: Inputs) =>
  required(data.invoice.lines[Number(required(/\/lines\/(\d+)\//.exec(required(row.inputs[0]).path))[1])])

/** A group's part where the gross amounts of all lines add up to nothing. */
const groupBySize = (inputs: Inputs): Rational => {
  const sums = grossByGroup(inputs)
  return bySize(adjustment(inputs), required(sums.get(groupOf(lineOf(inputs)))), [...sums.values()])
}

const lineBySize = (inputs: Inputs): Rational => {
  const part = groupBySize(inputs)
  const group = groupOf(lineOf(inputs))
  const own = required(grossByGroup(inputs).get(group))
  const gross = inputs.value(0)
  if (!isZero(own)) return div(mul(part, gross), own)
  const seen = new Set<string>()
  const lines = inputs.values.filter((_, at) => {
    const { path } = required(inputs.row.inputs[at])
    const index = /\/lines\/(\d+)\//.exec(path)?.[1]
    if (index === undefined || seen.has(path)) return false
    seen.add(path)
    return groupOf(required(inputs.data.invoice.lines[Number(index)])) === group
  })
  return isZero(sum(lines.map(abs))) ? ZERO : bySize(part, gross, lines)
}

/** Margins with their parts of the discounts and surcharges of the document. */
const limitedMargins = (inputs: Inputs): Rational => {
  const isForeign = inputs.row.path.includes('/invoice_currency/')
  const lines = inputs.data.invoice.lines.map((line) =>
    isForeign ? { ...line, ...line.invoice_currency } : line,
  )
  const grosses = lines.map((line) => amountOf(line, 'gross_amount_without_tax'))
  const whole = sum(grosses)
  // Without any amount, one line has the whole adjustment; the row does not say which one.
  if (grosses.every(isZero)) return fromNumber(inputs.row.rounded)
  const indexes = inputs.row.inputs.flatMap(
    ({ path }) => /\/lines\/(\d+)\/(?:invoice_currency\/)?tax_output_base$/.exec(path)?.[1] ?? [],
  )
  const bases = indexes.map((index) => {
    const line = required(lines[Number(index)])
    const gross = required(grosses[Number(index)])
    const part = isZero(whole)
      ? bySize(adjustment(inputs), gross, grosses)
      : div(mul(adjustment(inputs), gross), whole)
    if (line.purchase_price_incl === undefined) return add(amountOf(line, 'tax_output_base'), part)
    const isIncluded = line.unit_price_with_tax !== undefined
    const price = isIncluded ? amountOf(line, 'gross_amount_with_tax') : gross
    const left = sub(abs(price), amountOf(line, 'purchase_price_incl'))
    const base = isIncluded ? withoutTax(left, String(line.tax_output_rate)) : left
    // A line without price has the sign of its part.
    return (sign(price) || sign(part)) < 0 ? negate(max(ZERO, sub(base, part))) : max(ZERO, add(base, part))
  })
  // The parts are in minor units, so their sum may differ by one for each line.
  const [total, shown] = [sum(bases), fromNumber(inputs.row.rounded)]
  const most = div(fromNumber(indexes.length), fromNumber(10 ** inputs.decimals))
  return compare(abs(sub(total, shown)), most) <= 0 ? shown : total
}

const BEFORE = String.raw`\(total_gross_amount_before_taxes - total_gross_amount\)`
const RATE = String.raw`(-?[\d.e-]+)`

type Work = (inputs: Inputs, ...groups: string[]) => Rational

/** What the formula of a margin says, taken at its word. */
const marginOf = (inputs: Inputs, sign: string): Rational =>
  (sign === '+' ? add : sub)(inputs.value(0), inputs.named('purchase_price_incl'))

/** The formulas of `src/api/explanation`, and their meaning. */
const FORMULAS: readonly (readonly [pattern: RegExp, work: Work])[] = [
  [/^amount sent$/, (inputs) => inputs.value(0)],
  [/^\w+ sent, or 0$/, (inputs) => inputs.values[0] ?? ZERO],
  [/^\w+ sent for this part of the group$/, (inputs) => inputs.value(0)],
  [
    /^(?:invoice_currency\.\w+|\w+ sent(?: for this part of the group)?) x exchange_rate$/,
    (inputs) => mul(inputs.value(0), inputs.named('exchange_rate')),
  ],
  [/^quantity x unit_price_with(?:out)?_tax$/, (inputs) => mul(inputs.value(0), inputs.value(1))],
  [/^(?:total_executable_amount|total_cost_with_tax|gross_amount_without_tax)$/, (inputs) => inputs.value(0)],
  [/^no Spanish tax$/, () => ZERO],
  [
    /^0: purchase_price_incl exceeds the price$/,
    (inputs) => {
      if (sign(sub(abs(inputs.value(0)), inputs.named('purchase_price_incl'))) >= 0)
        throw new Error('no loss')
      return ZERO
    },
  ],
  [
    new RegExp(`^(?:gross_amount_with_tax|sum of \\d+ lines? with tax) x 100 / \\(100 \\+ ${RATE}\\)$`),
    (inputs, rate) => withoutTax(inputs.all(), required(rate)),
  ],
  [
    new RegExp(`^\\(price ([-+]) purchase_price_incl\\) x 100 / \\(100 \\+ ${RATE}\\)$`),
    (inputs, sign, rate) => withoutTax(marginOf(inputs, required(sign)), required(rate)),
  ],
  [/^price ([-+]) purchase_price_incl$/, (inputs, sign) => marginOf(inputs, required(sign))],
  [
    /^gross_amount_with_tax - (?:tax_output_base|gross_amount_without_tax)$/,
    (inputs) => sub(inputs.value(0), inputs.value(1)),
  ],
  [/^gross_amount_with_tax - tax$/, (inputs) => sub(inputs.value(0), sum(inputs.values.slice(1)))],
  [/^(?:gross_amount|total_cost)_without_tax \+ tax$/, (inputs) => inputs.all()],
  [
    /^total_cost_without_tax \+ the tax on it alone$/,
    (inputs) => {
      const cost = inputs.named('total_cost_without_tax')
      const taxed = inputs.names.includes('purchase_price_incl')
        ? margin(cost, inputs.named('purchase_price_incl'))
        : cost
      const rates = add(inputs.named('tax_output_rate'), inputs.named('consumption_tax_rate'))
      return add(cost, div(mul(taxed, rates), HUNDRED))
    },
  ],
  [
    /^gross_amount_without_tax x total_gross_amount_before_taxes \/ total_gross_amount$/,
    (inputs) => div(mul(inputs.value(0), inputs.value(1)), inputs.value(2)),
  ],
  [
    new RegExp(`^gross_amount_without_tax \\+ (?:0|(${BEFORE}))$`),
    (inputs, match) => (match ? add(inputs.value(0), adjustment(inputs)) : inputs.value(0)),
  ],
  [
    new RegExp(`^gross_amount_without_tax \\+ its proportional part of ${BEFORE}$`),
    (inputs) => add(inputs.value(0), lineBySize(inputs)),
  ],
  [
    /^sum of \d+ line bases? x total_gross_amount_before_taxes \/ total_gross_amount$/,
    (inputs) =>
      div(
        mul(inputs.sumOf('tax_output_base'), inputs.named('total_gross_amount_before_taxes')),
        inputs.named('total_gross_amount'),
      ),
  ],
  [new RegExp(`^sum of margins, each with its part of ${BEFORE} and at least 0$`), limitedMargins],
  [
    new RegExp(`^sum of \\d+ line bases? \\+ ${BEFORE}$`),
    (inputs) => add(inputs.sumOf('tax_output_base'), adjustment(inputs)),
  ],
  [
    new RegExp(
      `^sum of \\d+ line bases? \\+ ${BEFORE} x size of the group / sum of the sizes of the groups$`,
    ),
    (inputs) => add(inputs.sumOf('tax_output_base'), groupBySize(inputs)),
  ],
  [
    new RegExp(
      `^sum of \\d+ line bases? \\+ ${BEFORE} x sum of their gross_amount_without_tax / total_gross_amount$`,
    ),
    (inputs) => {
      const own = inputs.sumOf('tax_output_base')
      const gross = inputs.sumOf('gross_amount_without_tax')
      const part = div(mul(adjustment(inputs), gross), inputs.named('total_gross_amount'))
      return add(own, part)
    },
  ],
  [
    /^sum of \d+ lines? with tax - taxable_base$/,
    (inputs) => sub(inputs.sumOf('gross_amount_with_tax'), inputs.named('taxable_base')),
  ],
  [
    /^sum of \d+ amounts? of \w+, each as sent or its rate x total_gross_amount$/,
    (inputs) =>
      sum(
        inputs.values.map((value, at) => {
          const name = required(inputs.names[at])
          if (name === 'total_gross_amount') return ZERO
          if (!name.endsWith('_rate')) return round(value, inputs.decimals)
          return round(div(mul(inputs.named('total_gross_amount'), value), HUNDRED), inputs.decimals)
        }),
      ),
  ],
  [
    /^sum of tax_withheld_base of the lines of each tax_withheld_rate x that rate$/,
    (inputs) => {
      const bases = new Map<number, Rational>()
      const parts: Rational[] = []
      inputs.row.inputs.forEach(({ path }, at) => {
        const [, list, index] = required(/^\/invoice\/(\w+)\/(\d+)\//.exec(path))
        if (list === 'taxes_withheld') {
          const rate = fromNumber(
            required(required(inputs.data.invoice.taxes_withheld)[Number(index)]).tax_rate,
          )
          parts.push(div(mul(inputs.value(at), rate), HUNDRED))
          return
        }
        const rate = required(required(inputs.data.invoice.lines[Number(index)]).tax_withheld_rate)
        bases.set(rate, add(bases.get(rate) ?? ZERO, inputs.value(at)))
      })
      for (const [rate, base] of bases) parts.push(div(mul(base, fromNumber(rate)), HUNDRED))
      return sum(parts.map((part) => round(part, inputs.decimals)))
    },
  ],
  // `sum of 2 line bases x 21 %`: the sum of the line bases is the taxable base, which is the input.
  [
    new RegExp(`^(?:\\w+|sum of \\d+ line bases?) x ${RATE} %$`),
    (inputs, rate) => mul(inputs.value(0), inputs.rate(required(rate))),
  ],
  [/^sum of /, (inputs) => inputs.all()],
  [
    /^\w+(?: [-+] \w+)+$/,
    (inputs) =>
      [...inputs.row.formula.matchAll(/(?:^|([-+]) )(\w+)/g)].reduce(
        (total, [, operator, name = '']) =>
          operator === '-' ? sub(total, inputs.named(name)) : add(total, inputs.named(name)),
        ZERO,
      ),
  ],
]

/** Returns the exact value of a row, from its formula and inputs. */
export function recompute(row: ExplanationRow, data: CanonicalInvoice, decimals: number): Rational {
  for (const [pattern, work] of FORMULAS) {
    const found = pattern.exec(row.formula)
    if (found) return work(new Inputs(row, data, decimals), ...found.slice(1))
  }
  throw new Error(`unknown formula: ${row.formula}`)
}

/** As a row writes it: up to 20 decimals, cut, with a mark where there are more. */
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
