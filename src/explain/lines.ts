/** Why each amount of a line is what it is. */
import type { Context } from '../../rules/index.ts'
import { isMarginLine, type TaxGroup } from '../calculate/index.ts'
import type { Line } from '../invoice/index.ts'
import { exact } from '../money/index.ts'
import { cents, HUNDRED, input, of, percent, type Rows, RULES, rateOf, ZERO } from './rows.ts'
import { documentAdjustments, lineShare, taxOfCost } from './shares.ts'

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

export function explainLine(rows: Rows, context: Context, index: number): void {
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
