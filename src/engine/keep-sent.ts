/**
 * Documents issued by another system are not rewritten. When totals are checked, the result for an import or a received
 * invoice shows the amounts sent; only absent amounts are filled in, so that they add up to the totals sent (calculation
 * page, section 5). The rules check the computed document, which does not change.
 */
import type { Context } from '../../rules/index.ts'
import {
  type CanonicalInvoice,
  COMPUTED_TOTALS,
  isMarginKey,
  LINE_AMOUNTS,
  OUTPUT_AMOUNTS,
  WITHHELD_AMOUNTS,
} from '../invoice/index.ts'
import { allocate, keepDecimals, type Minor, sum, toMinor, toNumber } from '../money/index.ts'

/** The amounts sent that one object of `data` keeps. */
interface Kept {
  /** Path of the object in the document sent. */
  readonly from: string
  readonly amounts: Record<string, number>
  /** Path of the total sent that an amount follows, by its name. */
  readonly follows?: Record<string, string>
}

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

/** Returns the path suffix of the block with the amounts sent: not empty if the document was converted to euros. */
const blockOf = ({ invoice, stated }: Context): '' | '/invoice_currency' =>
  stated.invoice === invoice ? '' : '/invoice_currency'

const keepsSent = ({ settings: { check, operation } }: Context): boolean =>
  check && (operation === 'import' || operation === 'received')

const NOTHING: ReadonlyMap<string, Kept> = new Map()

/** Returns the amounts that the result keeps as sent, by the path of their object. */
export function keptAmounts(context: Context): ReadonlyMap<string, Kept> {
  if (!keepsSent(context)) return NOTHING
  const kept = new Map<string, Kept>()
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
  // Withholding has no currency block.
  if (block === '') keepRows('taxes_withheld', calculation.withheld, WITHHELD_AMOUNTS)
  if (kept.has(`/invoice/totals${block}`)) followTotals(kept, context)
  return kept
}

/**
 * Moves the amounts that were not sent by the cents that the totals sent differ from them: a supplier may round each
 * line. Larger differences are reported, and nothing is moved.
 */
function followTotals(kept: Map<string, Kept>, context: Context): void {
  const { sent, stated } = context
  const { invoice, calculation } = stated
  const { decimals } = calculation
  const block = blockOf(context)
  const tolerance = Math.max(1, invoice.lines.length)
  const minor = (amount: unknown): Minor => toMinor((amount as number | undefined) ?? 0, decimals)
  const sentAt = (path: string, name: string): number | undefined => kept.get(path + block)?.amounts[name]
  const set = (path: string, name: string, amount: Minor, total: string): void => {
    const { from, amounts, follows } = kept.get(path + block) ?? { from: path, amounts: {} }
    const follow = { ...follows, [name]: `/invoice/totals/${total}` }
    kept.set(path + block, {
      from,
      amounts: { ...amounts, [name]: toNumber(amount, decimals) },
      follows: follow,
    })
  }
  type Total = keyof typeof invoice.totals
  const totalOf = (name: Total): Minor => minor(sentAt('/invoice/totals', name) ?? invoice.totals[name])
  /** Sets a total that was not sent. */
  const setTotal = (name: Total, amount: Minor, total: Total): void => {
    const moved = amount - minor(invoice.totals[name])
    if (sentAt('/invoice/totals', name) === undefined && moved !== 0 && Math.abs(moved) <= tolerance)
      set('/invoice/totals', name, amount, total)
  }
  /** Spreads the difference over the entries of a list of which no amount was sent. */
  const spread = (
    list: 'lines' | 'taxes_outputs' | 'taxes_withheld',
    names: readonly [string, string?],
    total: Minor,
    origin: Total,
  ): void => {
    const entries = (invoice[list] ?? []) as readonly object[] as readonly Readonly<Record<string, number>>[]
    const [name, alike] = names
    const path = (index: number): string => `/invoice/${list}/${index}`
    const amounts = entries.map((entry) => minor(entry[name]))
    const missing = total - sum(amounts)
    const free = amounts.flatMap((amount, index) => (amount === 0 ? [] : [index]))
    if (missing === 0 || Math.abs(missing) > tolerance || free.length === 0) return
    if (entries.some((_, index) => sentAt(path(index), name) !== undefined)) return
    const sizes = free.map((index) => Math.abs(amounts[index]!))
    allocate(missing, sizes, () => 0).forEach((part, at) => {
      const index = free[at]!
      if (part === 0) return
      set(path(index), name, amounts[index]! + part, origin)
      if (alike && minor(entries[index]![alike]) === amounts[index])
        set(path(index), alike, amounts[index]! + part, origin)
    })
  }
  const outputs = invoice.taxes_outputs
  const before = totalOf('total_gross_amount_before_taxes')
  const adjustment = totalOf('total_general_discounts') - totalOf('total_general_surcharges')
  setTotal('total_gross_amount', before + adjustment, 'total_gross_amount_before_taxes')
  const gross = totalOf('total_gross_amount')
  spread('lines', ['gross_amount_without_tax', 'tax_output_base'], gross, 'total_gross_amount')
  if (!outputs.some((entry) => isMarginKey(entry.tax_regime_key)))
    spread('taxes_outputs', ['taxable_base'], before, 'total_gross_amount_before_taxes')
  const others = outputs.map(
    ({ consumption_tax_amount: foreign, equivalence_surcharge_amount: surcharge }) =>
      minor(foreign) + minor(surcharge),
  )
  const tax = totalOf('invoice_total') - before - sum(others)
  spread('taxes_outputs', ['tax_amount'], tax, 'invoice_total')
  const withheld = totalOf('total_taxes_withheld')
  if (block === '') spread('taxes_withheld', ['tax_amount'], withheld, 'total_taxes_withheld')
  const movedBy = (name: Total): Minor => totalOf(name) - minor(invoice.totals[name])
  const payable =
    minor(invoice.totals.total_executable_amount) +
    movedBy('invoice_total') -
    movedBy('total_taxes_withheld') -
    movedBy('total_payments_on_account') +
    movedBy('total_reimbursable_expenses')
  setTotal('total_executable_amount', payable, 'invoice_total')
  const isFilled = sent.payment_details?.[0]?.installment_amount === undefined
  if (block === '' && isFilled && invoice.payment_details?.length === 1)
    set(
      '/invoice/payment_details/0',
      'installment_amount',
      totalOf('total_executable_amount'),
      'invoice_total',
    )
}

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
  const putAll = <T extends object>(list: readonly T[], name: string): T[] =>
    list.map((entry, index) => put(entry, `/invoice/${name}/${index}`))
  const { invoice } = document
  const merged = { ...invoice, totals: put(invoice.totals, '/invoice/totals') }
  merged.lines = putAll(invoice.lines, 'lines')
  if (invoice.taxes_outputs) merged.taxes_outputs = putAll(invoice.taxes_outputs, 'taxes_outputs')
  if (invoice.taxes_withheld) merged.taxes_withheld = putAll(invoice.taxes_withheld, 'taxes_withheld')
  if (invoice.payment_details) merged.payment_details = putAll(invoice.payment_details, 'payment_details')
  return { ...document, invoice: merged }
}
