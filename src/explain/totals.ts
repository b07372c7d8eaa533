/** Why each total is what it is. */
import type { Context } from '../../rules/index.ts'
import { exact } from '../money/index.ts'
import { type ExplanationInput, input, percent, plural, type Rows, RULES, ZERO } from './rows.ts'

export function explainTotals(rows: Rows, context: Context): void {
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
