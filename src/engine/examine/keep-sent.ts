/**
 * Keeps the amounts of documents that another system has issued. When totals are checked, the result for an import or a
 * received invoice has the amounts sent. Only absent amounts are filled in, so that they add up to the totals sent
 * (calculation page, section 5). The rules check the computed document, which stays unchanged.
 */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from '#core/invoice/terms.ts'
import { keepDecimals } from '#core/money/index.ts'
import type { Context } from '#rules/index.ts'
import { addAmountsAdjustedToTotals, type KeptAmounts } from './follow-totals.ts'

/** Returns the amounts of `source`, rounded to the decimals of their currency; a rule reports excess decimals. */
function amountsOf(
  source: object | undefined,
  names: readonly string[],
  decimals: number,
): Record<string, number> | undefined {
  let amounts: Record<string, number> | undefined
  for (const name of names) {
    const value = (source as Record<string, unknown> | undefined)?.[name]
    if (typeof value !== 'number') continue
    amounts ??= {}
    amounts[name] = keepDecimals(value, decimals)
  }
  return amounts
}

/**
 * Returns the path suffix of the block with the amounts sent. It is empty unless the document was converted to euros.
 */
const blockOf = ({ invoice, stated }: Context): '' | '/invoice_currency' =>
  stated.invoice === invoice ? '' : '/invoice_currency'

const keepsSent = ({ settings: { check, operation } }: Context): boolean =>
  check && (operation === 'import' || operation === 'received')

const NOTHING: ReadonlyMap<string, KeptAmounts> = new Map()

/** Returns the amounts that the result keeps as sent, by the path of their object. */
export function keptAmounts(context: Context): ReadonlyMap<string, KeptAmounts> {
  if (!keepsSent(context)) return NOTHING
  const kept = new Map<string, KeptAmounts>()
  const { sent, invoice, stated } = context
  const { calculation } = stated
  const block = blockOf(context)
  const keep = (path: string, from: string, source: object | undefined, names: readonly string[]) => {
    const amounts = amountsOf(source, names, calculation.decimals)
    if (amounts) kept.set(path + block, { from, amounts })
  }
  const keepRows = (
    list: 'taxes_outputs' | 'taxes_withheld',
    groups: readonly { readonly rows: readonly { sent: object | undefined; index: number | undefined }[] }[],
    names: readonly string[],
  ) => {
    groups
      .flatMap((group) => group.rows)
      .forEach((row, index) => {
        keep(`/invoice/${list}/${index}`, `/invoice/${list}/${row.index}`, row.sent, names)
      })
  }
  keep('/invoice/totals', '/invoice/totals', sent.totals, COMPUTED_TOTALS)
  for (let index = 0; index < invoice.lines.length; index++) {
    const path = `/invoice/lines/${index}`
    keep(path, path, sent.lines[index], LINE_AMOUNTS)
  }
  keepRows('taxes_outputs', calculation.groups, OUTPUT_AMOUNTS)
  // Entries of `taxes_withheld` have no `invoice_currency` block.
  if (block === '') keepRows('taxes_withheld', calculation.withheld, WITHHELD_AMOUNTS)
  if (kept.has(`/invoice/totals${block}`)) addAmountsAdjustedToTotals(kept, context, block)
  return kept
}

const LISTS = ['lines', 'taxes_outputs', 'taxes_withheld', 'payment_details'] as const

/** Returns the document for the result: a copy with the amounts sent, if the operation keeps them. */
export function withSentAmounts(document: CanonicalInvoice, context: Context): CanonicalInvoice {
  const kept = keptAmounts(context)
  if (kept.size === 0) return document
  const block = blockOf(context)
  const put = <T extends { readonly invoice_currency?: object }>(target: T, path: string): T => {
    const amounts = kept.get(path + block)?.amounts
    if (!amounts) return target
    return block === ''
      ? { ...target, ...amounts }
      : { ...target, invoice_currency: { ...target.invoice_currency, ...amounts } }
  }
  const { invoice } = document
  const lists = LISTS.flatMap((name) => {
    const list: readonly object[] | undefined = invoice[name]
    return list ? [[name, list.map((entry, index) => put(entry, `/invoice/${name}/${index}`))]] : []
  })
  const totals = put(invoice.totals, '/invoice/totals')
  return { ...document, invoice: { ...invoice, totals, ...Object.fromEntries(lists) } }
}
