/**
 * Why every cent: one row per computed amount, worked out again in exact decimals from the amounts around it.
 * The rows do not ask the calculation what it did; they show that its result follows.
 */
import type { Context } from '../rules/index.ts'
import { isMarginLine, type TaxGroup } from './calculate/index.ts'
import { type Examined, examine } from './engine.ts'
import type { InvoiceBlock, Line, Options } from './invoice/index.ts'
import { type Exact, exact, sum } from './money/index.ts'

export interface ExplanationInput {
  readonly path: string
  readonly value: number
}

export interface ExplanationRow {
  /** JSON Pointer of the computed amount in `data`. */
  readonly path: string
  /** How it is computed, in the contract's words. */
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  /** Exact value before rounding, as decimal text; `…` marks a value with more than 20 decimals. */
  readonly exact: string
  readonly rounded: number
  /** Rule of the calculation page that was applied. */
  readonly rule: string
  /** What rounding each line by itself would have given, where it matters. */
  readonly line_by_line?: { readonly value: number; readonly difference: number }
}

const RULES = {
  line: 'line: quantity x price, rounded once',
  adjustment: 'line discount or charge: the amount sent, else the rate on the line cost',
  sum: 'sum of amounts already in cents',
  lineTax: 'line tax: informative, rounded by itself; the breakdown decides',
  group: 'group: once per tax group, never line by line',
  included: 'price with tax: base of the whole group, so that the charge is kept to the cent',
  spread: 'largest remainder: the parts add up to the group',
  margin: 'margin scheme: only the margin carries tax, and never less than zero',
  document: 'document discount or surcharge: the amount sent, else the rate on the sum of the lines',
  entry: 'entry sent by the client, within the tolerance',
  given: 'amount sent without its list',
  conversion: 'foreign currency: original amount x exchange_rate (euros per unit)',
} as const

const cents = (value: Exact): Exact => value.round(2)
const ZERO = exact(0)
const HUNDRED = exact(100)

class Rows {
  readonly rows: ExplanationRow[] = []
  constructor(readonly invoice: InvoiceBlock) {}

  /** Adds a row; `rounded` is what stands in the document. */
  add(
    path: string,
    formula: string,
    inputs: readonly ExplanationInput[],
    value: Exact,
    rounded: number,
    rule: string,
    lineByLine?: Exact,
  ): void {
    const row = { path, formula, inputs, exact: value.toText(), rounded, rule }
    this.rows.push(
      lineByLine
        ? {
            ...row,
            line_by_line: {
              value: lineByLine.toNumber(),
              difference: lineByLine.minus(exact(rounded)).toNumber(),
            },
          }
        : row,
    )
  }
}

const input = (path: string, value: number | undefined): ExplanationInput => ({ path, value: value ?? 0 })

/** Inputs of a line: its own members, at their paths. */
const of = (index: number, line: Line, ...names: (keyof Line)[]): ExplanationInput[] =>
  names
    .filter((name) => line[name] !== undefined)
    .map((name) => input(`/invoice/lines/${index}/${name}`, line[name] as number))

const percent = (value: number): Exact => exact(value).div(HUNDRED)
const rateOf = (group: TaxGroup): number => group.consumptionRate ?? group.rate

/** Part of `whole` that falls to one of the weights: by size where they add up to zero. */
function proportion(whole: Exact, weight: number, weights: readonly number[]): Exact {
  const total = sum(weights)
  if (total !== 0) return whole.times(exact(weight)).div(exact(total))
  const size = sum(weights.map(Math.abs))
  return size === 0 ? ZERO : whole.times(exact(Math.abs(weight))).div(exact(size))
}

/** Exact part of the document discounts and surcharges that falls to a group, in euros. */
function groupShare({ inEuros }: Context, group: TaxGroup): Exact {
  if (group.share === 0) return ZERO
  const whole = exact(inEuros.adjustment).div(HUNDRED)
  return proportion(
    whole,
    group.gross,
    inEuros.groups.map((other) => other.gross),
  )
}

/** Exact part of the group's share that falls to a line, in euros. */
function lineShare({ inEuros }: Context, group: TaxGroup, index: number): Exact {
  const weights = group.lines.map((at) => inEuros.lines[at]!.gross)
  return proportion(exact(group.share).div(HUNDRED), inEuros.lines[index]!.gross, weights)
}

const documentAdjustments = ({ invoice }: Rows): ExplanationInput[] =>
  (['total_general_discounts', 'total_general_surcharges'] as const).map((name) =>
    input(`/invoice/totals/${name}`, invoice.totals[name]),
  )

/** Tax that the cost before the line's own discount and charge would carry. */
function taxOfCost(line: Line, group: TaxGroup, cost: Exact): Exact {
  if (!isMarginLine(line)) return cost.times(percent(rateOf(group)))
  const margin = cost.abs().minus(exact(line.purchase_price_incl!))
  if (margin.isNegative()) return ZERO
  return (cost.isNegative() ? margin.negated() : margin).times(percent(group.rate))
}

function explainPrices(rows: Rows, context: Context, index: number): void {
  const original = context.stated.lines[index]!
  const line = rows.invoice.lines[index]!
  const rate = rows.invoice.issue_data.invoice_currency?.exchange_rate
  if (original === line || rate === undefined) return
  for (const name of ['unit_price_without_tax', 'unit_price_with_tax'] as const)
    if (line[name] !== undefined)
      rows.add(
        `/invoice/lines/${index}/${name}`,
        `invoice_currency.${name} x exchange_rate`,
        [
          input(`/invoice/lines/${index}/invoice_currency/${name}`, original[name]),
          input('/invoice/issue_data/invoice_currency/exchange_rate', rate),
        ],
        exact(original[name]!).times(exact(rate)),
        line[name],
        RULES.conversion,
      )
}

function explainLine(rows: Rows, context: Context, index: number): void {
  const line = rows.invoice.lines[index]!
  const { group } = context.inEuros.lines[index]!
  const at = (name: string) => `/invoice/lines/${index}/${name}`
  const { withTax } = group
  const margin = isMarginLine(line)
  const price = withTax ? 'unit_price_with_tax' : 'unit_price_without_tax'
  const exactCost = exact(line.quantity).times(exact(line[price]!))
  const cost = cents(exactCost)
  explainPrices(rows, context, index)
  const costName = withTax ? 'total_cost_with_tax' : 'total_cost_without_tax'
  rows.add(
    at(costName),
    `quantity x ${price}`,
    of(index, line, 'quantity', price),
    exactCost,
    line[costName]!,
    RULES.line,
  )
  if (withTax)
    rows.add(
      at('gross_amount_with_tax'),
      'total_cost_with_tax',
      of(index, line, 'total_cost_with_tax'),
      cost,
      line.gross_amount_with_tax!,
      RULES.sum,
    )
  for (const kind of ['discount', 'charge'] as const) {
    const amount = line[`${kind}_amount`]
    if (amount === undefined || withTax) continue
    const rate = line[`${kind}_rate`]
    const sent = context.sent.invoice.lines[index]![`${kind}_amount`]
    if (sent === undefined && rate !== undefined)
      rows.add(
        at(`${kind}_amount`),
        `total_cost_without_tax x ${rate} %`,
        of(index, line, 'total_cost_without_tax', `${kind}_rate`),
        cost.times(percent(rate)),
        amount,
        RULES.adjustment,
      )
  }
  explainLineTax(rows, index, line, group, margin, at)
  if (!withTax) {
    const discounted = line.gross_amount_without_tax !== line.total_cost_without_tax
    const tax = exact(line.tax_output_amount!).plus(exact(line.consumption_tax_amount ?? 0))
    rows.add(
      at('gross_amount_without_tax'),
      'total_cost_without_tax - discount_amount + charge_amount',
      of(index, line, 'total_cost_without_tax', 'discount_amount', 'charge_amount'),
      cost.minus(exact(line.discount_amount ?? 0)).plus(exact(line.charge_amount ?? 0)),
      line.gross_amount_without_tax!,
      RULES.sum,
    )
    rows.add(
      at('gross_amount_with_tax'),
      'gross_amount_without_tax + tax',
      of(index, line, 'gross_amount_without_tax', 'tax_output_amount', 'consumption_tax_amount'),
      exact(line.gross_amount_without_tax!).plus(tax),
      line.gross_amount_with_tax!,
      RULES.sum,
    )
    rows.add(
      at('total_cost_with_tax'),
      discounted
        ? 'total_cost_without_tax + the tax that it alone would carry'
        : 'total_cost_without_tax + tax',
      discounted
        ? of(
            index,
            line,
            'total_cost_without_tax',
            'tax_output_rate',
            'consumption_tax_rate',
            'purchase_price_incl',
          )
        : of(index, line, 'total_cost_without_tax', 'tax_output_amount', 'consumption_tax_amount'),
      discounted ? cost.plus(taxOfCost(line, group, cost)) : cost.plus(tax),
      line.total_cost_with_tax!,
      RULES.lineTax,
    )
  }
  if (line.tax_withheld_rate !== undefined) {
    const { share } = group
    const base = exact(line.gross_amount_without_tax!).plus(lineShare(context, group, index))
    rows.add(
      at('tax_withheld_base'),
      share === 0
        ? 'gross_amount_without_tax'
        : 'gross_amount_without_tax and its share of document discounts and surcharges',
      share === 0
        ? of(index, line, 'gross_amount_without_tax')
        : [...of(index, line, 'gross_amount_without_tax'), ...documentAdjustments(rows)],
      base,
      line.tax_withheld_base!,
      share === 0 ? RULES.sum : RULES.spread,
    )
    rows.add(
      at('tax_withheld_amount'),
      `tax_withheld_base x ${line.tax_withheld_rate} %`,
      of(index, line, 'tax_withheld_base', 'tax_withheld_rate'),
      exact(line.tax_withheld_base!).times(percent(line.tax_withheld_rate)),
      line.tax_withheld_amount!,
      RULES.lineTax,
    )
  }
}

function explainLineTax(
  rows: Rows,
  index: number,
  line: Line,
  group: TaxGroup,
  margin: boolean,
  at: (name: string) => string,
): void {
  const { withTax } = group
  const rate = rateOf(group)
  const foreign = group.consumptionRate !== undefined
  const hundred = exact(100).plus(exact(rate))
  const base = exact(line.tax_output_base!)
  if (margin) {
    const gross = exact((withTax ? line.gross_amount_with_tax : line.gross_amount_without_tax)!)
    const size = gross.abs().minus(exact(line.purchase_price_incl!))
    const left = size.isNegative() ? ZERO : gross.isNegative() ? size.negated() : size
    rows.add(
      at('tax_output_base'),
      withTax ? `(price - purchase_price_incl) x 100 / (100 + ${rate})` : 'price - purchase_price_incl',
      of(index, line, withTax ? 'gross_amount_with_tax' : 'gross_amount_without_tax', 'purchase_price_incl'),
      withTax ? left.times(HUNDRED).div(hundred) : left,
      line.tax_output_base!,
      RULES.margin,
    )
  } else
    rows.add(
      at('tax_output_base'),
      withTax ? `gross_amount_with_tax x 100 / (100 + ${rate})` : 'gross_amount_without_tax',
      of(index, line, withTax ? 'gross_amount_with_tax' : 'gross_amount_without_tax'),
      withTax ? exact(line.gross_amount_with_tax!).times(HUNDRED).div(hundred) : base,
      line.tax_output_base!,
      withTax ? RULES.spread : RULES.sum,
    )
  const gross = exact(line.gross_amount_with_tax!)
  const included = withTax && !group.margin
  rows.add(
    at('tax_output_amount'),
    foreign
      ? 'no Spanish tax'
      : included
        ? 'gross_amount_with_tax - tax_output_base'
        : `tax_output_base x ${group.rate} %`,
    included
      ? of(index, line, 'gross_amount_with_tax', 'tax_output_base')
      : of(index, line, 'tax_output_base', 'tax_output_rate'),
    foreign ? ZERO : included ? gross.minus(base) : base.times(percent(group.rate)),
    line.tax_output_amount!,
    withTax && group.margin ? RULES.spread : RULES.lineTax,
  )
  if (foreign)
    rows.add(
      at('consumption_tax_amount'),
      withTax ? 'gross_amount_with_tax - tax_output_base' : `tax_output_base x ${rate} %`,
      of(
        index,
        line,
        ...(withTax
          ? (['gross_amount_with_tax', 'tax_output_base'] as const)
          : (['tax_output_base', 'consumption_tax_rate'] as const)),
      ),
      withTax ? gross.minus(base) : base.times(percent(rate)),
      line.consumption_tax_amount!,
      RULES.lineTax,
    )
  if (withTax)
    for (const name of ['gross_amount_without_tax', 'total_cost_without_tax'] as const)
      rows.add(
        at(name),
        'gross_amount_with_tax - tax',
        of(index, line, 'gross_amount_with_tax', 'tax_output_amount', 'consumption_tax_amount'),
        gross.minus(exact(line.tax_output_amount!)).minus(exact(line.consumption_tax_amount ?? 0)),
        line[name]!,
        RULES.sum,
      )
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function explainBreakdown(rows: Rows, context: Context): void {
  const { lines } = rows.invoice
  let index = 0
  for (const group of context.inEuros.groups) {
    const rate = rateOf(group)
    const foreign = group.consumptionRate !== undefined
    const grosses = group.lines.map((at) =>
      input(`/invoice/lines/${at}/gross_amount_with_tax`, lines[at]!.gross_amount_with_tax),
    )
    const bases = group.lines.map((at) =>
      input(`/invoice/lines/${at}/tax_output_base`, lines[at]!.tax_output_base),
    )
    const charged = grosses.reduce((sum, { value }) => sum.plus(exact(value)), ZERO)
    const own = bases.reduce((sum, { value }) => sum.plus(exact(value)), ZERO)
    const hundred = exact(100).plus(exact(rate))
    const included = group.withTax && !group.margin && group.share === 0
    const byLine = (value: (line: Line) => Exact) =>
      group.lines.reduce((sum, at) => sum.plus(cents(value(lines[at]!))), ZERO)
    for (const row of group.rows) {
      const entry = rows.invoice.taxes_outputs![index]!
      const at = (name: string) => `/invoice/taxes_outputs/${index}/${name}`
      const base = exact(entry.taxable_base)
      const split = group.rows.length > 1
      if (split)
        rows.add(
          at('taxable_base'),
          'taxable_base sent for this part of the group',
          [input(at('taxable_base'), row.sent?.taxable_base)],
          base,
          entry.taxable_base,
          RULES.entry,
        )
      else if (included)
        rows.add(
          at('taxable_base'),
          `sum of ${plural(grosses.length, 'line')} with tax x 100 / (100 + ${rate})`,
          grosses,
          charged.times(HUNDRED).div(hundred),
          entry.taxable_base,
          RULES.included,
          byLine((line) => exact(line.gross_amount_with_tax!).times(HUNDRED).div(hundred)),
        )
      else
        rows.add(
          at('taxable_base'),
          group.share === 0
            ? `sum of ${plural(bases.length, 'line base')}`
            : `sum of ${plural(bases.length, 'line base')} and the group's share of document discounts and surcharges`,
          group.share === 0 ? bases : [...bases, ...documentAdjustments(rows)],
          own.plus(groupShare(context, group)),
          entry.taxable_base,
          group.share === 0 ? RULES.sum : RULES.spread,
        )
      const taxInput = [input(at('taxable_base'), entry.taxable_base)]
      const lineTax = byLine((line) => exact(line.tax_output_base!).times(percent(rate)))
      const tax = (value: number, name: string) => {
        if (included && !split)
          rows.add(
            at(name),
            `sum of ${plural(grosses.length, 'line')} with tax - taxable_base`,
            [...grosses, ...taxInput],
            charged.minus(base),
            value,
            RULES.included,
            lineTax,
          )
        else if (included)
          rows.add(
            at(name),
            'tax sent for this part of the group',
            [input(at(name), value)],
            exact(value),
            value,
            RULES.entry,
          )
        else
          rows.add(
            at(name),
            split ? `taxable_base x ${rate} %` : `sum of ${plural(bases.length, 'line base')} x ${rate} %`,
            taxInput,
            base.times(percent(rate)),
            value,
            RULES.group,
            split || group.share !== 0 ? undefined : lineTax,
          )
      }
      if (foreign) {
        rows.add(at('tax_amount'), 'no Spanish tax', taxInput, ZERO, entry.tax_amount, RULES.group)
        tax(entry.consumption_tax_amount!, 'consumption_tax_amount')
      } else tax(entry.tax_amount, 'tax_amount')
      const surcharge = entry.equivalence_surcharge_amount
      if (surcharge !== undefined && entry.equivalence_surcharge !== undefined)
        rows.add(
          at('equivalence_surcharge_amount'),
          `taxable_base x ${entry.equivalence_surcharge} %`,
          [...taxInput, input(at('equivalence_surcharge'), entry.equivalence_surcharge)],
          base.times(percent(entry.equivalence_surcharge)),
          surcharge,
          RULES.group,
        )
      index += 1
    }
  }
}

function explainWithheld(rows: Rows, context: Context): void {
  context.inEuros.withheld.forEach((group, index) => {
    const entry = rows.invoice.taxes_withheld![index]!
    const at = (name: string) => `/invoice/taxes_withheld/${index}/${name}`
    const bases = group.lines.map((line) =>
      input(`/invoice/lines/${line}/tax_withheld_base`, rows.invoice.lines[line]!.tax_withheld_base),
    )
    const sum = bases.reduce((total, { value }) => total.plus(exact(value)), ZERO)
    const byLine = bases.reduce(
      (total, { value }) => total.plus(cents(exact(value).times(percent(group.rate)))),
      ZERO,
    )
    rows.add(
      at('taxable_base'),
      `sum of ${plural(bases.length, 'line base')}`,
      bases,
      sum,
      entry.taxable_base,
      RULES.sum,
    )
    rows.add(
      at('tax_amount'),
      `taxable_base x ${group.rate} %`,
      [input(at('taxable_base'), entry.taxable_base)],
      sum.times(percent(group.rate)),
      entry.tax_amount,
      RULES.group,
      byLine,
    )
  })
}

function explainTotals(rows: Rows, context: Context): void {
  const { totals, lines, taxes_outputs: outputs = [], taxes_withheld: withheld = [] } = rows.invoice
  const at = (name: string) => `/invoice/totals/${name}`
  const total = (name: keyof typeof totals) => input(at(name), totals[name] as number | undefined)
  const sum = (
    name: keyof typeof totals,
    formula: string,
    inputs: readonly ExplanationInput[],
    signs?: readonly number[],
    rule: string = RULES.sum,
  ) =>
    rows.add(
      at(name),
      formula,
      inputs,
      inputs.reduce(
        (value, { value: part }, index) => value.plus(exact(part).times(exact(signs?.[index] ?? 1))),
        ZERO,
      ),
      totals[name] as number,
      rule,
    )
  sum(
    'total_gross_amount',
    `sum of gross_amount_without_tax of ${plural(lines.length, 'line')}`,
    lines.map((line, index) =>
      input(`/invoice/lines/${index}/gross_amount_without_tax`, line.gross_amount_without_tax),
    ),
  )
  const adjust = (
    list: 'general_discounts' | 'general_surcharges',
    amountName: string,
    rateName: string,
    name: 'total_general_discounts' | 'total_general_surcharges',
  ) => {
    const entries = totals[list] as readonly Record<string, number>[] | undefined
    const sent = context.sent.invoice.totals[list] as readonly Record<string, number>[] | undefined
    entries?.forEach((entry, index) => {
      const rate = entry[rateName]
      if (sent?.[index]?.[amountName] === undefined && rate !== undefined)
        rows.add(
          at(`${list}/${index}/${amountName}`),
          `total_gross_amount x ${rate} %`,
          [total('total_gross_amount'), input(at(`${list}/${index}/${rateName}`), rate)],
          exact(totals.total_gross_amount!).times(percent(rate)),
          entry[amountName]!,
          RULES.document,
        )
    })
    if (entries)
      sum(
        name,
        `sum of ${plural(entries.length, 'amount')} of ${list}`,
        entries.map((entry, index) => input(at(`${list}/${index}/${amountName}`), entry[amountName])),
      )
    else sum(name, `${name} sent, or 0`, [total(name)], undefined, RULES.given)
  }
  adjust('general_discounts', 'discount_amount', 'discount_rate', 'total_general_discounts')
  adjust('general_surcharges', 'charge_amount', 'charge_rate', 'total_general_surcharges')
  sum(
    'total_gross_amount_before_taxes',
    'total_gross_amount - total_general_discounts + total_general_surcharges',
    [total('total_gross_amount'), total('total_general_discounts'), total('total_general_surcharges')],
    [1, -1, 1],
  )
  sum(
    'total_tax_outputs',
    'sum of tax_amount and equivalence_surcharge_amount of taxes_outputs',
    outputs.flatMap((entry, index) => [
      input(`/invoice/taxes_outputs/${index}/tax_amount`, entry.tax_amount),
      ...(entry.equivalence_surcharge_amount === undefined
        ? []
        : [
            input(
              `/invoice/taxes_outputs/${index}/equivalence_surcharge_amount`,
              entry.equivalence_surcharge_amount,
            ),
          ]),
    ]),
  )
  sum(
    'total_consumption_taxes',
    'sum of consumption_tax_amount of taxes_outputs',
    outputs.flatMap((entry, index) =>
      entry.consumption_tax_amount === undefined
        ? []
        : [input(`/invoice/taxes_outputs/${index}/consumption_tax_amount`, entry.consumption_tax_amount)],
    ),
  )
  sum('invoice_total', 'total_gross_amount_before_taxes + total_tax_outputs + total_consumption_taxes', [
    total('total_gross_amount_before_taxes'),
    total('total_tax_outputs'),
    total('total_consumption_taxes'),
  ])
  sum(
    'total_non_taxable_amount',
    'sum of taxable_base of the NON_TAXABLE entries',
    outputs.flatMap((entry, index) =>
      entry.tax_treatment_code === 'NON_TAXABLE'
        ? [input(`/invoice/taxes_outputs/${index}/taxable_base`, entry.taxable_base)]
        : [],
    ),
  )
  sum(
    'total_taxes_withheld',
    'sum of tax_amount of taxes_withheld',
    withheld.map((entry, index) => input(`/invoice/taxes_withheld/${index}/tax_amount`, entry.tax_amount)),
  )
  const listed = (
    name: 'total_payments_on_account' | 'total_reimbursable_expenses',
    list: 'payments_on_account' | 'reimbursable_expenses',
    amountName: string,
  ) => {
    const entries = totals[list] as readonly Record<string, number>[] | undefined
    if (entries)
      sum(
        name,
        `sum of ${plural(entries.length, 'amount')} of ${list}`,
        entries.map((entry, index) => input(at(`${list}/${index}/${amountName}`), entry[amountName])),
      )
    else sum(name, `${name} sent, or 0`, [total(name)], undefined, RULES.given)
  }
  listed('total_payments_on_account', 'payments_on_account', 'payment_on_account_amount')
  listed('total_reimbursable_expenses', 'reimbursable_expenses', 'reimbursable_expenses_amount')
  sum(
    'total_executable_amount',
    'invoice_total - total_taxes_withheld - total_payments_on_account + total_reimbursable_expenses + rounding_amount',
    [
      total('invoice_total'),
      total('total_taxes_withheld'),
      total('total_payments_on_account'),
      total('total_reimbursable_expenses'),
      total('rounding_amount'),
    ],
    [1, -1, -1, 1, 1],
  )
}

/** Rows of an examined invoice; none when it did not come through the schema. */
export function explanationOf({ context }: Examined): readonly ExplanationRow[] {
  if (!context) return []
  const rows = new Rows(context.invoice)
  for (let index = 0; index < context.invoice.lines.length; index++) explainLine(rows, context, index)
  explainBreakdown(rows, context)
  explainWithheld(rows, context)
  explainTotals(rows, context)
  return rows.rows
}

/**
 * The reason for every computed amount: formula, inputs with their paths, exact value, rounded value, rule, and
 * what rounding line by line would have given. Amounts are euros. A document with schema errors has no rows:
 * `validate` says what is wrong with it.
 *
 * Source: calculation page, "Explained totals". Throws only what `validate` throws.
 *
 * @example
 * explain({ schema_version: 'json_1_1' }) // => []
 */
export const explain = (document: unknown, options: Options = {}): readonly ExplanationRow[] =>
  explanationOf(examine(document, { ...options, totals: 'recalculate' }))
