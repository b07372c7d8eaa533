/**
 * Compares the amounts of a document with those that the engine calculates from its lines. The stated amounts are kept,
 * because the fiscal document of another system must not change. The amounts may differ by one cent for each line.
 */

import type { CanonicalInvoice, CanonicalInvoiceInput, Options } from '#core/invoice/index.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { examine, resultOf, toItems } from '#engine/examine/index.ts'
import { messageParts, type ValidationResult } from '#engine/index.ts'
import type { ReadingItems, Statement } from './model/index.ts'

/** Codes of the engine for stated amounts that differ from the amounts calculated from the lines. */
export const MISMATCHES = /^(totals|taxes_outputs|taxes_withheld|line_amount)_mismatch$/

/** Validates a document. Without `data`, the items are the reasons why there are no amounts, and no others. */
export function calculate(document: unknown, options: Options): ValidationResult {
  const examined = examine(document, options)
  return resultOf(examined, options, toItems(examined.findings, document, examined.settings.locale))
}

/**
 * Prepares a document for the comparison of its amounts. They are compared in their own currency, so the exchange rate
 * becomes 1. The direction becomes `received`, so that only amounts are checked: an issued invoice also needs a series,
 * for which UBL has no element.
 */
export function documentToCompare(stated: CanonicalInvoiceInput): CanonicalInvoiceInput {
  const document: CanonicalInvoiceInput = { ...stated, meta: { ...stated.meta, direction: 'received' } }
  const { issue_data: issue } = document.invoice
  if (issue.invoice_currency === undefined) return document
  const invoice_currency = { ...issue.invoice_currency, exchange_rate: 1, exchange_rate_date: '2000-01-01' }
  return { ...document, invoice: { ...document.invoice, issue_data: { ...issue, invoice_currency } } }
}

/**
 * Refuses amounts that differ and values that `json_1_1` does not allow. A violated business rule is ignored, unless
 * the invoice cannot be calculated.
 */
export function refuseErrors(
  { errors, data }: ValidationResult,
  { locationOf }: Statement,
  items: ReadingItems,
): void {
  for (const item of errors) {
    if (item.severity !== 'error') continue
    const { code, path, extra } = item
    const location = locationOf(path)
    const member = path.slice(path.lastIndexOf('/') + 1)
    if (MISMATCHES.test(code))
      items.refuse('format.totals', location, { ...extra, member, canonical_path: path })
    else if (item.source === 'schema' || data === null)
      items.refuse('format.not_canonical', location, {
        problem: messageParts(item, items.locale).message,
        canonical_code: code,
        canonical_path: path,
      })
  }
}

/** Adds the calculated withholding by rate, if the document states withholding only in its lines and totals. */
function withWithheld(document: CanonicalInvoiceInput, { invoice }: CanonicalInvoice): CanonicalInvoiceInput {
  if (document.invoice.taxes_withheld !== undefined || invoice.taxes_withheld === undefined) return document
  const taxes_withheld = invoice.taxes_withheld.map(({ tax_rate, taxable_base, tax_amount }) => ({
    tax_rate,
    taxable_base,
    tax_amount,
  }))
  return { ...document, invoice: { ...document.invoice, taxes_withheld } }
}

const payableOf = ({ invoice: { totals } }: CanonicalInvoice): number | undefined =>
  totals.invoice_currency?.total_executable_amount ?? totals.total_executable_amount

/**
 * Compares a statement with the engine's calculation and returns its document. Adds the difference between the stated
 * and the calculated amount payable to `rounding_amount`. Returns null if the document is refused, for example because
 * a difference is too large for rounding.
 */
export function reconcileStatedAmounts(
  statement: Statement,
  items: ReadingItems,
): CanonicalInvoiceInput | null {
  const sent = documentToCompare(statement.document)
  const operation = 'received'
  const { locale } = items
  const checked = calculate(sent, { operation, totals: 'check', locale })
  refuseErrors(checked, statement, items)
  if (items.refused || checked.data === null) return null

  const document = withWithheld(statement.document, checked.data)
  const { total_executable_amount: stated, ...others } = document.invoice.totals
  const unstated = { ...document, invoice: { ...document.invoice, totals: others } }
  const { data } = calculate(documentToCompare(unstated), { operation, totals: 'check' })
  const computed = data && payableOf(data)
  if (stated === undefined || computed === undefined || computed === null) return document
  const { rounding_amount: rounding = 0 } = document.invoice.totals
  const difference = toMinor(stated, 4) - toMinor(computed, 4)
  if (difference === 0) return document
  const totals = {
    ...document.invoice.totals,
    rounding_amount: toNumber(toMinor(rounding, 4) + difference, 4),
  }
  return { ...document, invoice: { ...document.invoice, totals } }
}
