/**
 * Converts an issued invoice in another currency to euros, in which the company registers it (art. 79.Once Ley 37/1992;
 * art. 12 RD 1619/2012). The amounts of the document become the `invoice_currency` blocks.
 */
import { validate } from '../api/index.ts'
import { required } from '../errors/index.ts'
import { type CanonicalInvoice, type CanonicalInvoiceInput, COMPUTED_MEMBERS } from '../invoice/index.ts'
import { sum, toMinor, toNumber } from '../money/index.ts'
import type { ReadingItems, Statement } from './model/index.ts'
import { MISMATCHES } from './settle.ts'

type Invoice = CanonicalInvoiceInput['invoice']

/** The blocks with amounts. */
const BLOCKS = ['lines', 'taxes_outputs', 'taxes_withheld', 'totals', 'payment_details'] as const

/** Returns the invoice with the calculated blocks, as a client sends them. */
function withBlocks(invoice: Invoice, calculated: CanonicalInvoice['invoice']): Invoice {
  const names = BLOCKS.filter((name) => invoice[name] !== undefined)
  const blocks = Object.fromEntries(names.map((name) => [name, calculated[name]]))
  const sent = JSON.stringify(blocks, (name, value: unknown) =>
    COMPUTED_MEMBERS.has(name) ? undefined : value,
  )
  return { ...invoice, ...JSON.parse(sent) }
}

const added = (amount: number | undefined, cents: number): number => toNumber(toMinor(amount ?? 0) + cents)

/**
 * Returns the invoice with the base and the tax that the document states in euros. They may differ by cents from the
 * converted amounts; the entry with the largest base takes the difference.
 */
function withStated(invoice: Invoice, { base, tax }: NonNullable<Statement['inEuros']>): Invoice {
  const { totals, taxes_outputs: entries = [], payment_details: details } = invoice
  const cents = (stated: number | undefined, converted: number): number =>
    stated === undefined ? 0 : toMinor(stated) - toMinor(converted)
  const onBase = cents(base, totals.total_gross_amount_before_taxes)
  const onTax = cents(tax, totals.total_tax_outputs)
  if (onBase === 0 && onTax === 0) return invoice
  const onTotal = sum([onBase, onTax])
  const sizes = entries.map((entry) => Math.abs(entry.taxable_base))
  const largest = sizes.indexOf(Math.max(...sizes))
  return {
    ...invoice,
    taxes_outputs: entries.map((entry, index) =>
      index === largest
        ? {
            ...entry,
            taxable_base: added(entry.taxable_base, onBase),
            tax_amount: added(entry.tax_amount, onTax),
          }
        : entry,
    ),
    totals: {
      ...totals,
      total_gross_amount_before_taxes: added(totals.total_gross_amount_before_taxes, onBase),
      total_tax_outputs: added(totals.total_tax_outputs, onTax),
      invoice_total: added(totals.invoice_total, onTotal),
      total_executable_amount: added(totals.total_executable_amount, onTotal),
    },
    ...(details?.length === 1
      ? {
          payment_details: details.map((detail) => ({
            ...detail,
            installment_amount: added(detail.installment_amount, onTotal),
          })),
        }
      : {}),
  }
}

/**
 * Returns a document in euros: unchanged if it is received or already in euros. Refuses an issued document that states
 * neither an exchange rate nor amounts in euros, or whose amounts in euros contradict its rate.
 */
export function inEuros(
  document: CanonicalInvoiceInput,
  { locationOf, inEuros: stated = {} }: Statement,
  items: ReadingItems,
): CanonicalInvoiceInput | null {
  const { invoice } = document
  const currency = invoice.issue_data.invoice_currency
  if (document.meta.direction !== 'issued' || currency === undefined) return document
  const { invoice_currency_code: code, exchange_rate: rate } = currency
  if (rate === undefined) {
    items.refuse('format.exchange_rate_missing', locationOf('/invoice/issue_data/invoice_currency'), {
      received: code,
    })
    return null
  }
  const check = (sent: CanonicalInvoiceInput) =>
    validate(
      { ...sent, meta: { ...sent.meta, direction: 'received' } },
      { operation: 'received', totals: 'check', locale: items.locale },
    )
  const { data } = check(document)
  const converted = {
    ...document,
    invoice: withStated(withBlocks(invoice, required(data).invoice), stated),
  }
  const problem = check(converted).errors.find(({ code: one }) => MISMATCHES.test(one))
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
