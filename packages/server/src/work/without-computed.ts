/**
 * Returns a stored invoice in the form that a client could send: the document that the client sent, without the amounts
 * that the engine computes. An amount is kept if the stored invoice would differ without it. Examples are a surcharge,
 * a split breakdown, or a cent that the supplier rounded in another way.
 */
import { isDeepStrictEqual } from 'node:util'
import type { CanonicalInvoice, InvoiceBlock, Line, Options, Totals } from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { validateDocument } from './validation.ts'

type Members = Readonly<Record<string, unknown>>

/** Copies an object without some of its members. */
export const without = (source: object, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)))

/** Totals, each with the list that it is computed from. If its list is absent, the total is an input. */
const LISTS = {
  total_general_discounts: 'general_discounts',
  total_general_surcharges: 'general_surcharges',
  total_payments_on_account: 'payments_on_account',
  total_reimbursable_expenses: 'reimbursable_expenses',
} as const

/** Members of a line that the engine may copy from the tax breakdown. */
const FROM_BREAKDOWN = [
  'tax_regime_key',
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_rate_type',
  'supply_type',
] as const

/** Parts of the invoice that the engine completes. */
const PARTS = ['issue_data', 'lines', 'taxes_outputs', 'taxes_withheld', 'totals', 'payment_details'] as const

/** Removes members, and amounts of discounts and charges with a percentage. Also does so in the original currency. */
function withoutAmounts(source: object, names: readonly string[] = []): Members {
  const adjustments = ['discount', 'charge'].filter((name) => `${name}_rate` in source)
  const removed = [...names, ...adjustments.map((name) => `${name}_amount`)]
  const { invoice_currency: block, ...members } = without(source, removed)
  return { ...members, ...(block !== undefined && { invoice_currency: without(Object(block), removed) }) }
}

/** Returns the totals that are inputs, and those that are required. */
function bareTotals(sent: Totals, required: Totals): Totals {
  const computed = COMPUTED_TOTALS.filter(
    (name) => !(name in LISTS) || sent[LISTS[name as keyof typeof LISTS]],
  )
  const { general_discounts: discounts, general_surcharges: surcharges } = sent
  return {
    ...withoutAmounts(sent, computed),
    ...(discounts && { general_discounts: discounts.map((entry) => withoutAmounts(entry)) }),
    ...(surcharges && { general_surcharges: surcharges.map((entry) => withoutAmounts(entry)) }),
    total_gross_amount_before_taxes: required.total_gross_amount_before_taxes,
    total_tax_outputs: required.total_tax_outputs,
    invoice_total: required.invoice_total,
  }
}

/** Returns the lines without computed amounts, but with the members that the engine copies from the breakdown. */
function bareLines({ lines, taxes_outputs: entries = [] }: InvoiceBlock, stored: InvoiceBlock): Line[] {
  const names = FROM_BREAKDOWN.filter((name) => entries.some((entry) => entry[name] !== undefined))
  return lines.map((line, index) => {
    const taken = names.map((name) => [name, stored.lines[index]?.[name]] as const)
    return {
      ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)),
      ...withoutAmounts(line, LINE_AMOUNTS),
    } as Members as unknown as Line
  })
}

/** Returns the sent invoice without any computed amount, with the required totals. */
function bare(sent: InvoiceBlock, stored: InvoiceBlock, required: Totals): InvoiceBlock {
  const { taxes_outputs: _, taxes_withheld: __, payment_details: instalments, ...inputs } = sent
  // The amount of a single instalment is always the amount to pay, so it is computed.
  const single = instalments?.length === 1 && without(instalments[0]!, ['installment_amount'])
  const kept = single ? (Object.keys(single).length > 0 ? [single] : undefined) : instalments
  return {
    ...inputs,
    lines: bareLines(sent, stored),
    totals: bareTotals(sent.totals, required),
    ...(kept && { payment_details: kept }),
  }
}

/**
 * Returns a part of the sent invoice. Of the lines, takes only those whose result differs from the stored line. Adds to
 * `issue_data` the values that were deduced when the invoice was stored.
 */
function partAsSent(
  name: (typeof PARTS)[number],
  { sent, stored, current, result }: Record<'sent' | 'stored' | 'current' | 'result', InvoiceBlock>,
): Partial<InvoiceBlock> {
  if (name === 'issue_data') {
    const found: Members = { ...result.issue_data }
    const deduced = Object.entries(stored.issue_data).filter(
      ([member, value]) => !isDeepStrictEqual(found[member], value),
    )
    return { issue_data: { ...Object.fromEntries(deduced), ...current.issue_data } }
  }
  if (name === 'lines') {
    const isSame = (index: number) => isDeepStrictEqual(result.lines[index], stored.lines[index])
    return { lines: sent.lines.map((line, index) => (isSame(index) ? current.lines[index]! : line)) }
  }
  return { [name]: sent[name] }
}

export interface StoredTexts {
  /** The document that the client sent, as JSON. */
  readonly sent: string
  /** The calculated document, as JSON. */
  readonly canonical: string
  readonly isDraft: boolean
  /** Options that are used when the document is saved. */
  readonly options: Options
}

/** Returns a stored invoice as JSON, without the values that the engine computes. */
export function withoutComputed({ sent: text, canonical, isDraft, options }: StoredTexts): string {
  const sent: CanonicalInvoice = JSON.parse(text)
  const { meta, invoice: stored }: CanonicalInvoice = JSON.parse(canonical)
  const numbered: InvoiceBlock = isDraft
    ? sent.invoice
    : {
        ...sent.invoice,
        header: { ...sent.invoice.header, invoice_number: stored.header.invoice_number! },
        issue_data: { ...sent.invoice.issue_data, issue_date: stored.issue_data.issue_date! },
      }
  // The totals of a received invoice are in the currency in which they were sent.
  const { totals } = meta.direction === 'received' ? numbered : stored
  let current = bare(numbered, stored, totals)
  const parts = new Set(PARTS)
  for (;;) {
    const document = JSON.stringify({ ...sent, invoice: current })
    const { data } = validateDocument({ document: JSON.parse(document), options })
    const result: InvoiceBlock | undefined = data && JSON.parse(JSON.stringify(data.invoice))
    const part = result && [...parts].find((name) => !isDeepStrictEqual(result[name], stored[name]))
    if (!part) return document
    parts.delete(part)
    current = { ...current, ...partAsSent(part, { sent: numbered, stored, current, result }) }
  }
}
