/**
 * A document that another system issued is not rewritten: when totals are checked, the answer about an import or a
 * received invoice shows the amounts that were sent, and only what was not sent is filled in (calculation page,
 * section 5). The rules have judged what was computed; that document stays as it is.
 */
import type { Context } from '../../rules/index.ts'
import {
  type CanonicalInvoice,
  COMPUTED_TOTALS,
  LINE_AMOUNTS,
  OUTPUT_AMOUNTS,
  WITHHELD_AMOUNTS,
} from '../invoice/index.ts'
import { keepDecimals } from '../money/index.ts'

/** What one object of `data` keeps of the amounts that were sent for it. */
interface Kept {
  /** Where they stand in the document sent. */
  readonly from: string
  readonly amounts: Readonly<Record<string, number>>
}

/** The amounts of `source`, with the decimals that their currency has; more were reported. */
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

/** A converted document keeps the amounts sent in its blocks. */
const blockOf = ({ invoice, stated }: Context): '' | '/invoice_currency' =>
  stated.invoice === invoice ? '' : '/invoice_currency'

const keepsSent = ({ settings: { check, operation } }: Context): boolean =>
  check && (operation === 'import' || operation === 'received')

const NOTHING: ReadonlyMap<string, Kept> = new Map()

/** The amounts that the answer keeps as they were sent, by the place of the object that has them. */
export function keptAmounts(context: Context): ReadonlyMap<string, Kept> {
  if (!keepsSent(context)) return NOTHING
  const kept = new Map<string, Kept>()
  const { sent, invoice, stated } = context
  const { calculation } = stated
  const block = blockOf(context)
  const keep = (place: string, from: string, source: object | undefined, names: readonly string[]) => {
    const amounts = amountsOf(source, names, calculation.decimals)
    if (amounts) kept.set(place + block, { from, amounts })
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
  // The single instalment that was filled in is the amount to pay.
  const { total_executable_amount: installment_amount } = sent.totals
  const details = sent.payment_details ?? []
  if (block === '' && details.length < 2 && details[0]?.installment_amount === undefined)
    keep('/invoice/payment_details/0', '/invoice/totals', { installment_amount }, ['installment_amount'])
  for (let index = 0; index < invoice.lines.length; index++) {
    const place = `/invoice/lines/${index}`
    keep(place, place, sent.lines[index], LINE_AMOUNTS)
  }
  keepRows('taxes_outputs', calculation.groups, OUTPUT_AMOUNTS)
  // What is withheld has no block.
  if (block === '') keepRows('taxes_withheld', calculation.withheld, WITHHELD_AMOUNTS)
  return kept
}

/** The document as it is answered: a copy with the sent amounts, where the operation asks for them. */
export function withSentAmounts(document: CanonicalInvoice, context: Context): CanonicalInvoice {
  const kept = keptAmounts(context)
  if (kept.size === 0) return document
  const block = blockOf(context)
  const put = <T extends { readonly invoice_currency?: object }>(target: T, place: string): T => {
    const amounts = kept.get(place + block)?.amounts
    if (!amounts) return target
    return block === ''
      ? { ...target, ...amounts }
      : { ...target, invoice_currency: { ...target.invoice_currency, ...amounts } }
  }
  const putAll = <T extends object>(list: readonly T[], name: string): T[] =>
    list.map((entry, index) => put(entry, `/invoice/${name}/${index}`))
  const { invoice } = document
  const answered = { ...invoice, totals: put(invoice.totals, '/invoice/totals') }
  answered.lines = putAll(invoice.lines, 'lines')
  if (invoice.taxes_outputs) answered.taxes_outputs = putAll(invoice.taxes_outputs, 'taxes_outputs')
  if (invoice.taxes_withheld) answered.taxes_withheld = putAll(invoice.taxes_withheld, 'taxes_withheld')
  if (invoice.payment_details) answered.payment_details = putAll(invoice.payment_details, 'payment_details')
  return { ...document, invoice: answered }
}
