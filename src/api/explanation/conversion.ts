/** Rows of a foreign-currency document: the conversion to euros, and the paths of the original amounts in `data`. */

import { LINE_INPUTS } from '../../calculate/index.ts'
import { type InvoiceBlock, LINE_AMOUNTS } from '../../invoice/index.ts'
import { exact } from '../../money/index.ts'
import { exchangeRate } from './breakdown.ts'
import { type ExplanationInput, type Rows, RULES, type Sheet } from './rows.ts'
import { LISTS } from './totals.ts'

const BLOCKS: readonly (readonly [pattern: RegExp, members: ReadonlySet<string>])[] = [
  [/^(\/invoice\/lines\/\d+)\/(\w+)$/, new Set<string>([...LINE_INPUTS, ...LINE_AMOUNTS])],
  [
    /^(\/invoice\/taxes_outputs\/\d+)\/(\w+)$/,
    new Set(['taxable_base', 'tax_amount', 'equivalence_surcharge_amount']),
  ],
]

/**
 * Returns a function that maps a path to its path in the `invoice_currency` blocks, or to `null` if it has none there.
 */
export const inBlocks = (invoice: InvoiceBlock): Sheet['pathInData'] => {
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

/**
 * Adds a row for each amount of an issued invoice, which is in euros, that enters the calculation in the original
 * currency and that its block does not state.
 */
export function explainOriginalInputs(rows: Rows, euros: InvoiceBlock): void {
  const { sheet, invoice } = rows
  const convert = (path: string, name: string, value: number | undefined, rounded: number | undefined) => {
    if (value !== undefined && sheet.fromEuros)
      rows.add({
        path,
        formula: `${name} / exchange_rate`,
        inputs: [{ path, value }, ...exchangeRate(rows)],
        value: exact(value).div(sheet.fromEuros.rate),
        rounded,
        rule: RULES.original,
      })
  }
  euros.lines.forEach((line, index) => {
    for (const name of LINE_INPUTS)
      if (sheet.sent.lines[index]?.[name] !== undefined)
        convert(`/invoice/lines/${index}/${name}`, name, line[name], invoice.lines[index]?.[name])
  })
  if (sheet.sent.totals.rounding_amount !== undefined)
    convert(
      '/invoice/totals/rounding_amount',
      'rounding_amount',
      euros.totals.rounding_amount,
      invoice.totals.rounding_amount,
    )
}

/** Adds a row for each amount sent in the original currency that enters the calculation in euros. */
export function explainConversion(rows: Rows, original: InvoiceBlock): void {
  const { sent, rate } = rows.sheet
  if (rate === undefined) return
  const convert = (path: string, label: string, source: ExplanationInput, euros?: number) =>
    rows.add({
      path,
      formula: `${label} x exchange_rate`,
      inputs: [source, ...exchangeRate(rows)],
      value: exact(source.value).times(rate),
      rounded: euros,
      rule: RULES.conversion,
    })
  rows.invoice.lines.forEach((line, index) => {
    const at = `/invoice/lines/${index}`
    for (const name of LINE_INPUTS) {
      const value = original.lines[index]?.[name]
      if (value !== undefined && sent.lines[index]?.[name] !== undefined)
        convert(
          `${at}/${name}`,
          `invoice_currency.${name}`,
          { path: `${at}/invoice_currency/${name}`, value },
          line[name],
        )
    }
  })
  const listed = (path: string, name: string, source: object | undefined, target: object | undefined) => {
    const amount = (source as Record<string, unknown> | undefined)?.[name]
    const euros = (target as Record<string, unknown> | undefined)?.[name]
    if (typeof amount === 'number' && typeof euros === 'number')
      convert(`${path}/${name}`, `${name} sent`, rows.sentInput(`${path}/${name}`, amount), euros)
  }
  for (const { list, amount } of LISTS)
    sent.totals[list]?.forEach((entry, index) => {
      listed(`/invoice/totals/${list}/${index}`, amount, entry, rows.invoice.totals[list]?.[index])
    })
  const { rounding_amount: value } = original.totals
  if (value !== undefined && sent.totals.rounding_amount !== undefined)
    convert(
      '/invoice/totals/rounding_amount',
      'invoice_currency.rounding_amount',
      { path: '/invoice/totals/invoice_currency/rounding_amount', value },
      rows.invoice.totals.rounding_amount,
    )
  sent.payment_details?.forEach((entry, index) => {
    const path = `/invoice/payment_details/${index}`
    listed(path, 'installment_amount', entry, rows.invoice.payment_details?.[index])
  })
  for (const name of ['corrected_taxable_base', 'corrected_tax_amount'] as const)
    listed('/invoice/header/corrective', name, sent.header.corrective, rows.invoice.header.corrective)
  // A surcharge amount without a percentage is not computed: the amount sent is kept.
  const name = 'equivalence_surcharge_amount'
  const entries = rows.sheet.calculation.groups.flatMap((group) => group.rows)
  entries.forEach((row, index) => {
    const source = rows.sent('taxes_outputs', row, name)
    if (row.surchargeRate !== undefined || source === undefined) return
    const euros = rows.invoice.taxes_outputs[index]?.[name]
    convert(`/invoice/taxes_outputs/${index}/${name}`, `${name} sent`, source, euros)
  })
}
