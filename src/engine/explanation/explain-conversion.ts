/** Rows of a foreign-currency document: the conversion to euros, and the paths of the original amounts in `data`. */

import type { InvoiceBlock } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { exact } from '#core/money/index.ts'
import { LINE_INPUTS } from '../calculate/index.ts'
import { exchangeRate } from './explain-breakdown.ts'
import { LISTS } from './explain-totals.ts'
import {
  type ExplainedCalculation,
  type ExplanationInput,
  type ExplanationRows,
  RULES,
} from './explanation-rows.ts'

const BLOCKS: readonly (readonly [pattern: RegExp, members: ReadonlySet<string>])[] = [
  [/^(\/invoice\/lines\/\d+)\/(\w+)$/, new Set<string>([...LINE_INPUTS, ...LINE_AMOUNTS])],
  [
    /^(\/invoice\/taxes_outputs\/\d+)\/(\w+)$/,
    new Set(['taxable_base', 'tax_amount', 'equivalence_surcharge_amount']),
  ],
]

/**
 * Returns a function that maps the path of an amount to its path in an `invoice_currency` block; `null` if no block has
 * it.
 */
export const currencyBlockPathOf = (invoice: InvoiceBlock): ExplainedCalculation['pathInData'] => {
  const totals = new Set(Object.keys(invoice.totals.invoice_currency ?? {}))
  return (path) => {
    for (const [pattern, members] of BLOCKS) {
      const [, parent, name] = pattern.exec(path) ?? []
      if (name !== undefined && members.has(name)) return `${parent}/invoice_currency/${name}`
    }
    const [, name] = /^\/invoice\/totals\/(\w+)$/.exec(path) ?? []
    return name !== undefined && totals.has(name) ? `/invoice/totals/invoice_currency/${name}` : null
  }
}

/** Returns the paths of the amounts that enter a calculation, in the order of the document sent. */
function inputPaths({ lines, totals, payment_details: details = [] }: InvoiceBlock): string[] {
  const entries = (list: readonly object[] = [], path: string, names: readonly string[]): string[] =>
    list.flatMap((_, index) => names.map((name) => `/invoice/${path}/${index}/${name}`))
  return [
    ...entries(lines, 'lines', LINE_INPUTS),
    ...LISTS.flatMap(({ list, amount }) => entries(totals[list], `totals/${list}`, [amount])),
    '/invoice/totals/rounding_amount',
    ...entries(details, 'payment_details', ['installment_amount']),
  ]
}

/**
 * Adds a row for each amount sent that was converted: of a received invoice to euros, of an issued invoice to its
 * original currency. `source` is the invoice before the conversion.
 */
export function explainConversion(
  rows: ExplanationRows,
  source: InvoiceBlock,
  blockOf: ExplainedCalculation['pathInData'],
): void {
  const { sent, rate, fromEuros } = rows.sheet
  const add = (path: string, label: string, input: ExplanationInput, rounded: number | undefined) =>
    rows.add({
      path,
      formula: `${label} ${fromEuros ? '/' : 'x'} exchange_rate`,
      inputs: [input, ...exchangeRate(rows)],
      value: exact(input.value)
        .times(rate ?? 1)
        .div(fromEuros?.rate ?? 1),
      rounded,
      rule: fromEuros ? RULES.original : RULES.conversion,
    })
  for (const path of inputPaths(sent)) {
    const [stated, value, rounded] = [sent, source, rows.invoice].map((invoice) => valueAt({ invoice }, path))
    if (typeof stated !== 'number' || typeof value !== 'number' || typeof rounded !== 'number') continue
    const name = path.slice(path.lastIndexOf('/') + 1)
    const block = blockOf(path)
    if (fromEuros) add(path, name, { path, value }, rounded)
    else if (block === null) add(path, `${name} sent`, rows.sentInput(path, stated), rounded)
    else add(path, `invoice_currency.${name}`, { path: block, value }, rounded)
  }
  if (fromEuros) return
  // A surcharge amount without a percentage is not computed: the amount sent is kept.
  const name = 'equivalence_surcharge_amount'
  const entries = rows.sheet.calculation.groups.flatMap((group) => group.rows)
  entries.forEach((row, index) => {
    const input = rows.sent('taxes_outputs', row, name)
    if (row.surchargeRate === undefined && input)
      add(
        `/invoice/taxes_outputs/${index}/${name}`,
        `${name} sent`,
        input,
        rows.invoice.taxes_outputs[index]?.[name],
      )
  })
}
