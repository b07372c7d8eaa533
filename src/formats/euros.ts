/**
 * Converts an issued invoice in another currency to euros, because the company registers it in euros (art. 79.Once Ley
 * 37/1992; art. 12 RD 1619/2012). The original amounts move to the `invoice_currency` blocks.
 */

import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { COMPUTED_MEMBERS, LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { allocate, fromEuros, keepDecimals, sum, toMinor, toNumber } from '#core/money/index.ts'
import type { ReadingItems, Statement } from './model/index.ts'
import { calculate, MISMATCHES, refuseErrors } from './settle-amounts.ts'

type Invoice = CanonicalInvoiceInput['invoice']
type Line = Invoice['lines'][number]
type Members = Readonly<Record<string, unknown>>

const without = <T extends object>(source: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name))) as T

/** Removes the amounts of discounts and charges with a percentage, from which they are calculated in any currency. */
function withoutRated(document: CanonicalInvoiceInput): CanonicalInvoiceInput {
  const lean = <T extends object>(one: T): T =>
    without(one, [
      ...('discount_rate' in one ? ['discount_amount'] : []),
      ...('charge_rate' in one ? ['charge_amount'] : []),
    ])
  const { invoice } = document
  const { general_discounts: discounts, general_surcharges: surcharges } = invoice.totals
  const lists = {
    ...(discounts && { general_discounts: discounts.map(lean) }),
    ...(surcharges && { general_surcharges: surcharges.map(lean) }),
  }
  const totals = { ...invoice.totals, ...lists }
  return { ...document, invoice: { ...invoice, lines: invoice.lines.map(lean), totals } }
}

/** Returns the price in euros with the fewest decimals that still converts to the price of the document. */
function shortPrice(price: number | undefined, original: number | undefined, rate: number) {
  if (price === undefined || original === undefined) return price
  for (let decimals = 2; decimals < 8; decimals++) {
    const short = keepDecimals(price, decimals)
    if (fromEuros(short, rate) === original) return short
  }
  return price
}

const PRICES = ['unit_price_without_tax', 'unit_price_with_tax'] as const

function lineOf(line: Line, rate: number): Line {
  const prices = PRICES.flatMap((name) => {
    const price = shortPrice(line[name], line.invoice_currency?.[name], rate)
    return price === undefined ? [] : [[name, price]]
  })
  return { ...without(line, LINE_AMOUNTS), ...Object.fromEntries(prices) }
}

/**
 * Totals that are always calculated from other amounts. The total of a list is calculated only if the list is present.
 */
const CALCULATED_TOTALS: readonly string[] = [
  'total_gross_amount',
  'total_consumption_taxes',
  'total_non_taxable_amount',
  'total_taxes_withheld',
]
const isCalculatedTotal = (name: string, { totals }: Invoice): boolean =>
  CALCULATED_TOTALS.includes(name) || (name.startsWith('total_') && name.slice('total_'.length) in totals)

/** Returns a copy of the invoice with the calculated amounts, as a client sends them. */
function withAmounts(invoice: Invoice, calculated: CanonicalInvoice['invoice'], rate: number): Invoice {
  const { lines, taxes_outputs, taxes_withheld, totals, payment_details } = calculated
  const blocks = {
    lines,
    taxes_outputs,
    ...(invoice.taxes_withheld && { taxes_withheld }),
    ...(invoice.payment_details && { payment_details }),
    totals,
  }
  const sent: Invoice = JSON.parse(
    JSON.stringify(blocks, (name, value: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : value)),
  )
  const names = Object.keys(sent.totals).filter((name) => isCalculatedTotal(name, invoice))
  return {
    ...invoice,
    ...sent,
    lines: sent.lines.map((line) => lineOf(line, rate)),
    totals: without(sent.totals, names),
  }
}

type Amount = readonly [holder: object | undefined, name: string, sign: 1 | -1]

/** Adds cents to the first amount that is present. */
function add(cents: number, ...amounts: readonly Amount[]): void {
  for (const [holder, name, sign] of amounts) {
    const value = (holder as Members | undefined)?.[name]
    if (typeof value !== 'number') continue
    Object.assign(holder as object, { [name]: toNumber(toMinor(value) + sign * cents) })
    return
  }
}

/** Returns the entry with the largest base. */
function largestOf<T extends { readonly taxable_base: number }>(entries: readonly T[]): T | undefined {
  const sizes = entries.map((entry) => Math.abs(entry.taxable_base))
  return entries[sizes.indexOf(Math.max(...sizes))]
}

/**
 * Replaces converted amounts with the amounts that the document states in euros. Both may differ by cents, because
 * discounts and payments were rounded in the other currency.
 */
function keepStated(
  invoice: Invoice,
  { base, tax, withheld, payable }: NonNullable<Statement['inEuros']>,
): void {
  const { lines, totals, taxes_outputs: entries = [], payment_details: details = [] } = invoice
  const { taxes_withheld: withheldEntries = [] } = invoice
  const cents = (stated: number | undefined, converted: number | undefined): number | undefined =>
    stated === undefined ? undefined : toMinor(stated) - toMinor(converted ?? 0)
  const bases = entries.map((entry) => toMinor(entry.taxable_base))
  // If some bases are negative, one cent of the sum would change each base by many cents, so bases are not adjusted.
  const isMixed = bases.some((one) => one > 0) && bases.some((one) => one < 0)
  const onBase = (isMixed ? 0 : cents(base, totals.total_gross_amount_before_taxes)) ?? 0
  const onTax = cents(tax, totals.total_tax_outputs) ?? 0
  const withheldBefore = toNumber(sum(withheldEntries.map((entry) => toMinor(entry.tax_amount))))
  const onWithheld = cents(withheld, withheldBefore) ?? 0
  const onTotal = onBase + onTax
  const onDue = onTotal - onWithheld
  const onPayable = (isMixed ? onDue : cents(payable, totals.total_executable_amount)) ?? onDue
  // Like the engine, divides a difference in the bases in proportion to them. A difference in the taxes is divided
  // equally, because each tax is rounded by itself.
  const spread = (total: number, member: 'taxable_base' | 'tax_amount', weights: readonly number[]) => {
    if (total === 0 || sum(weights) === 0) return
    const sizeOf = (at: number) => Math.abs(required(entries[at])[member])
    const shares = allocate(total, weights, (a, b) => sizeOf(b) - sizeOf(a))
    entries.forEach((entry, at) => {
      add(required(shares[at]), [entry, member, 1])
    })
  }
  const { general_discounts: discounts = [], general_surcharges: surcharges = [] } = totals
  const adjustments = [...discounts, ...surcharges, totals, ...lines].flatMap((one): Amount[] => [
    [one, 'discount_amount', -1],
    [one, 'total_general_discounts', -1],
    [one, 'charge_amount', 1],
    [one, 'total_general_surcharges', 1],
  ])
  add(onBase, ...adjustments)
  spread(onBase, 'taxable_base', bases)
  add(onBase, [largestOf(withheldEntries), 'taxable_base', 1])
  add(onWithheld, [largestOf(withheldEntries), 'tax_amount', 1])
  const taxed = entries.map((entry) => (entry.tax_amount === 0 ? 0 : 1))
  spread(onTax, 'tax_amount', taxed)
  add(onBase, [totals, 'total_gross_amount_before_taxes', 1])
  add(onTax, [totals, 'total_tax_outputs', 1])
  add(onTotal, [totals, 'invoice_total', 1])
  add(onPayable, [totals, 'total_executable_amount', 1])
  const paid = totals.payments_on_account?.[0]
  add(onPayable - onDue, [totals, 'rounding_amount', 1], [paid, 'payment_on_account_amount', -1])
  if (details.length === 1) add(onPayable, [details[0], 'installment_amount', 1])
}

/** Calculates a document in its own currency and in euros. */
const calculated = (
  { meta, invoice, ...rest }: CanonicalInvoiceInput,
  { locale }: ReadingItems,
  totals: 'check' | 'recalculate' = 'check',
) =>
  calculate(
    { ...rest, meta: { ...meta, direction: 'received' }, invoice },
    { operation: 'received', totals, locale },
  )

/** Returns the amounts in the original currency as one text, for comparison. */
const originalOf = ({ data }: ReturnType<typeof calculated>): string =>
  JSON.stringify([
    data?.invoice.totals.invoice_currency,
    data?.invoice.lines.map((line) => line.invoice_currency),
  ])

/**
 * Returns an issued document in euros. A received document stays in its own currency; its discounts keep only their
 * percentages if `validate` then calculates the same amounts. Refuses an issued document that states neither an
 * exchange rate nor amounts in euros, or whose amounts in euros contradict its rate.
 */
export function inEuros(
  document: CanonicalInvoiceInput,
  statement: Statement,
  items: ReadingItems,
): CanonicalInvoiceInput | null {
  const { locationOf, inEuros: stated = {} } = statement
  const currency = document.invoice.issue_data.invoice_currency
  if (currency === undefined) return document
  const { invoice_currency_code: code, exchange_rate: rate } = currency
  const isIssued = document.meta.direction === 'issued'
  if (rate === undefined && !isIssued) return document
  if (rate === undefined) {
    items.refuse('format.exchange_rate_missing', locationOf('/invoice/issue_data/invoice_currency'), {
      received: code,
    })
    return null
  }
  const rated = withoutRated(document)
  const [whole, lean] = [calculated(document, items), calculated(rated, items)]
  const [exact, result] = originalOf(whole) === originalOf(lean) ? [rated, lean] : [document, whole]
  if (!isIssued) return exact
  const convert = (from: Invoice, by: ReturnType<typeof calculated>) => {
    if (by.data === null) refuseErrors(by, statement, items)
    return by.data && { ...document, invoice: withAmounts(from, by.data.invoice, rate) }
  }
  const shortened = convert(exact.invoice, result)
  // The short price of a line may give another cent than its converted price.
  const converted = shortened && convert(shortened.invoice, calculated(shortened, items, 'recalculate'))
  if (converted === null) return null
  keepStated(converted.invoice, stated)
  const problem = calculated(converted, items).errors.find(({ code: one }) => MISMATCHES.test(one))
  if (problem === undefined) return converted
  const { path, extra } = problem
  items.refuse('format.exchange_rate_mismatch', locationOf(path), {
    ...extra,
    member: path.slice(path.lastIndexOf('/') + 1),
    currency: code,
    exchange_rate: rate,
  })
  return null
}
