/** Rows of the totals. */
import type { Text } from '#core/invoice/index.ts'
import { exact } from '#core/money/index.ts'
import { exchangeRate } from './explain-breakdown.ts'
import {
  countText,
  type ExplanationInput,
  type ExplanationRows,
  percent,
  RULES,
  ZERO,
} from './explanation-rows.ts'

type Entries = readonly Record<string, number>[] | undefined

/** A list of `totals` whose amounts add up to a total. */
interface Listed {
  readonly total:
    | 'total_general_discounts'
    | 'total_general_surcharges'
    | 'total_payments_on_account'
    | 'total_reimbursable_expenses'
  readonly list: 'general_discounts' | 'general_surcharges' | 'payments_on_account' | 'reimbursable_expenses'
  readonly amount: string
  readonly rate?: string
}

export const LISTS = [
  {
    total: 'total_general_discounts',
    list: 'general_discounts',
    amount: 'discount_amount',
    rate: 'discount_rate',
  },
  {
    total: 'total_general_surcharges',
    list: 'general_surcharges',
    amount: 'charge_amount',
    rate: 'charge_rate',
  },
  { total: 'total_payments_on_account', list: 'payments_on_account', amount: 'payment_on_account_amount' },
  {
    total: 'total_reimbursable_expenses',
    list: 'reimbursable_expenses',
    amount: 'reimbursable_expenses_amount',
  },
] as const satisfies readonly Listed[]

const at = (name: string) => `/invoice/totals/${name}`

class TotalRows {
  constructor(readonly rows: ExplanationRows) {}

  /** Returns the named totals that the document has, as inputs. */
  all(...names: readonly string[]): ExplanationInput[] {
    const totals = this.rows.invoice.totals as unknown as Record<string, number | undefined>
    return names.flatMap((name) => {
      const value = totals[name]
      return value === undefined ? [] : [this.rows.input(at(name), value)]
    })
  }

  sum(
    name: string,
    formula: string,
    inputs: readonly ExplanationInput[],
    signs?: readonly number[],
    rule: Text = RULES.sum,
  ): void {
    const value = inputs.reduce(
      (total, { value: part }, index) => (signs?.[index] === -1 ? total.minus(part) : total.plus(part)),
      ZERO,
    )
    this.rows.add({ path: at(name), formula, inputs, value, rounded: this.all(name)[0]?.value, rule })
  }

  /**
   * Adds a row for each discount or surcharge given as a rate on the sum of the lines, and for the total of the list.
   */
  listed({ total, list, amount, rate }: Listed): void {
    const { rows } = this
    const entries = rows.invoice.totals[list] as Entries
    const sent = rows.sheet.sent.totals[list] as Entries
    if (!entries) {
      this.totalWithoutList(total)
      return
    }
    entries.forEach((entry, index) => {
      const percentage = rate === undefined ? undefined : entry[rate]
      if (rate === undefined || sent?.[index]?.[amount] !== undefined) return
      const path = at(`${list}/${index}/${amount}`)
      const rounded = entry[amount]
      if (percentage === undefined) {
        rows.add({
          path,
          formula: `${amount} sent, or 0`,
          inputs: [],
          value: ZERO,
          rounded,
          rule: RULES.given,
        })
        return
      }
      rows.add({
        path,
        formula: `total_gross_amount x ${percentage} %`,
        inputs: [...this.all('total_gross_amount'), rows.input(at(`${list}/${index}/${rate}`), percentage)],
        value: exact(rows.invoice.totals.total_gross_amount).times(percent(percentage)),
        rounded,
        rule: RULES.document,
      })
    })
    // `data` has no path for the discount in the original currency, so its rate is the input.
    const byRate = (entry: Record<string, number>, index: number) =>
      rate !== undefined &&
      sent?.[index]?.[amount] === undefined &&
      rows.sheet.pathInData(at(`${list}/${index}/${amount}`)) === null
        ? rows.input(at(`${list}/${index}/${rate}`), entry[rate])
        : rows.input(at(`${list}/${index}/${amount}`), entry[amount])
    // An entry without an amount and a rate counts as 0.
    const inputs = entries.flatMap((entry, index) =>
      entry[amount] === undefined && (rate === undefined || entry[rate] === undefined)
        ? []
        : [byRate(entry, index)],
    )
    const rates = rate !== undefined && inputs.some(({ path }) => path.endsWith(`/${rate}`))
    rows.add({
      path: at(total),
      formula: rates
        ? `sum of ${countText(inputs.length, 'amount')} of ${list}, each as sent or its rate x total_gross_amount`
        : `sum of ${countText(inputs.length, 'amount')} of ${list}`,
      inputs: rates ? [...inputs, ...this.all('total_gross_amount')] : inputs,
      value: entries.reduce((value, entry) => value.plus(entry[amount] ?? 0), ZERO),
      rounded: this.all(total)[0]?.value,
      rule: RULES.sum,
    })
  }

  /** Adds the row of a total sent without its list. */
  private totalWithoutList(name: Listed['total']): void {
    const { sent, rate, fromEuros } = this.rows.sheet
    const amount = sent.totals[name]
    const input = amount === undefined ? undefined : this.rows.sentInput(at(name), amount)
    if ((rate === undefined && !fromEuros) || input === undefined)
      this.sum(name, `${name} sent, or 0`, input ? [input] : [], undefined, RULES.given)
    else
      this.rows.add({
        path: at(name),
        formula: `${name} sent ${rate === undefined ? '/' : 'x'} exchange_rate`,
        inputs: [input, ...exchangeRate(this.rows)],
        value: exact(input.value)
          .times(rate ?? 1)
          .div(fromEuros?.rate ?? 1),
        rounded: this.all(name)[0]?.value,
        rule: RULES.conversion,
      })
  }
}

export function explainTotals(rows: ExplanationRows): void {
  const totals = new TotalRows(rows)
  const [discounts, surcharges, payments, expenses] = LISTS
  const { lines } = rows.invoice
  totals.sum(
    'total_gross_amount',
    `sum of gross_amount_without_tax of ${countText(lines.length, 'line')}`,
    lines.map((line, index) =>
      rows.input(`/invoice/lines/${index}/gross_amount_without_tax`, line.gross_amount_without_tax),
    ),
  )
  totals.listed(discounts)
  totals.listed(surcharges)
  totals.sum(
    'total_gross_amount_before_taxes',
    'total_gross_amount - total_general_discounts + total_general_surcharges',
    totals.all('total_gross_amount', 'total_general_discounts', 'total_general_surcharges'),
    [1, -1, 1],
  )
  explainTaxTotals(totals)
  if (rows.sheet.pathInData('/invoice/taxes_withheld/0/tax_amount') === null) explainWithheldTotal(rows)
  else
    totals.sum(
      'total_taxes_withheld',
      'sum of tax_amount of taxes_withheld',
      (rows.invoice.taxes_withheld ?? []).map((entry, index) =>
        rows.input(`/invoice/taxes_withheld/${index}/tax_amount`, entry.tax_amount),
      ),
    )
  totals.listed(payments)
  totals.listed(expenses)
  explainToPay(totals)
}

function explainTaxTotals(totals: TotalRows): void {
  const { rows } = totals
  const { taxes_outputs: outputs = [] } = rows.invoice
  const output =
    (name: 'tax_amount' | 'equivalence_surcharge_amount' | 'consumption_tax_amount' | 'taxable_base') =>
    (entry: (typeof outputs)[number], index: number) =>
      entry[name] === undefined ? [] : [rows.input(`/invoice/taxes_outputs/${index}/${name}`, entry[name])]
  totals.sum(
    'total_tax_outputs',
    'sum of tax_amount and equivalence_surcharge_amount of taxes_outputs',
    outputs.flatMap((entry, index) => [
      ...output('tax_amount')(entry, index),
      ...output('equivalence_surcharge_amount')(entry, index),
    ]),
  )
  totals.sum(
    'total_consumption_taxes',
    'sum of consumption_tax_amount of taxes_outputs',
    outputs.flatMap(output('consumption_tax_amount')),
  )
  totals.sum(
    'invoice_total',
    'total_gross_amount_before_taxes + total_tax_outputs + total_consumption_taxes',
    totals.all('total_gross_amount_before_taxes', 'total_tax_outputs', 'total_consumption_taxes'),
  )
  totals.sum(
    'total_non_taxable_amount',
    'sum of taxable_base of the NON_TAXABLE entries',
    outputs.flatMap((entry, index) =>
      entry.tax_treatment_code === 'NON_TAXABLE' ? output('taxable_base')(entry, index) : [],
    ),
  )
}

function explainToPay(totals: TotalRows): void {
  const rounding = totals.all('rounding_amount')
  const added = rounding.length > 0 ? ' + rounding_amount' : ''
  totals.sum(
    'total_executable_amount',
    `invoice_total - total_taxes_withheld - total_payments_on_account + total_reimbursable_expenses${added}`,
    [
      ...totals.all(
        'invoice_total',
        'total_taxes_withheld',
        'total_payments_on_account',
        'total_reimbursable_expenses',
      ),
      ...rounding,
    ],
    [1, -1, -1, 1, 1],
  )
}

/**
 * Adds the row of the total withheld. `taxes_withheld` has no amounts in the original currency, so the inputs are the
 * lines or the amounts sent.
 */
function explainWithheldTotal(rows: ExplanationRows): void {
  const inputs = rows.sheet.calculation.withheld.flatMap((group) =>
    group.rows.length > 1
      ? group.rows.flatMap((row) => rows.sent('taxes_withheld', row, 'taxable_base') ?? [])
      : group.lines.flatMap((index) => rows.of(index, rows.line(index), 'tax_withheld_base')),
  )
  const total = rows.invoice.totals.total_taxes_withheld
  rows.add({
    path: at('total_taxes_withheld'),
    formula: 'sum of tax_withheld_base of the lines of each tax_withheld_rate x that rate',
    inputs,
    value: exact(total),
    rounded: total,
    rule: RULES.group,
  })
}
