/**
 * Uses the registered invoices of a supplier as evidence for its next invoice. A field that agrees with them gets the
 * next higher score, but at most `TRUST.named`. The scores of amounts do not change.
 */
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { plainOf } from '../labels/plain-text.ts'
import type { Fields } from './agreed-fields.ts'

/** A supplier of the company, according to its latest registered invoices. */
export interface KnownSupplier {
  readonly tax_id: string
  readonly name: string
  /** Numbers and years of the supplier's invoices, the latest first. */
  readonly invoices: readonly { readonly number: string; readonly year: string }[]
  /** IBANs to which the supplier was paid. */
  readonly accounts: readonly string[]
  /** Whether the supplier's invoices withhold tax; undefined if only some do, or if there are too few. */
  readonly withholds: boolean | undefined
}

const risen = (score: number): number =>
  score === TRUST.found ? TRUST.agreed : score === TRUST.agreed ? TRUST.named : score

/** Raises the score of a matching value, and removes the reasons for a review that the match settles. */
function settled<T>(
  { value, score, reasons = [] }: ScoredValue<T>,
  ...doubts: readonly ReasonCode[]
): ScoredValue<T> {
  return scoredValue(value, risen(score), ...reasons.filter((one) => !doubts.includes(one)))
}

/** Returns the pattern of a number: `F-2026/0017` and `F-2026/0018` have the same pattern. */
const patternOf = (number: string): string =>
  number.toUpperCase().replace(/\d+/g, '9').replace(/\p{L}/gu, 'A').replace(/\s+/g, ' ')

/** Minimum number of earlier invoices with a pattern for the pattern to be usual. */
const PATTERN = 2

const isUsual = (number: string, { invoices }: KnownSupplier): boolean =>
  invoices.filter((one) => patternOf(one.number) === patternOf(number)).length >= PATTERN

const sameName = (one: string, other: string): boolean =>
  plainOf(one).replace(/[^a-z\d]/g, '') === plainOf(other).replace(/[^a-z\d]/g, '')

/** Returns the fields with their scores and names adjusted by what is known about the supplier. */
export function adjustedToKnownSupplier(fields: Fields, known: KnownSupplier | undefined): Fields {
  const { supplierTaxId, supplierName, number } = fields
  if (!known || !supplierTaxId || supplierTaxId.value !== known.tax_id) return fields
  return {
    ...fields,
    supplierTaxId: settled(supplierTaxId, 'several_suppliers', 'supplier_unchecked', 'supplier_repaired'),
    supplierName:
      supplierName && sameName(supplierName.value, known.name)
        ? settled({ ...supplierName, value: known.name }, 'supplier_name_broken')
        : supplierName && supplierName.score > TRUST.found
          ? supplierName
          : scoredValue(known.name, TRUST.agreed),
    number: number && isUsual(number.value, known) ? settled(number, 'number_unchecked') : number,
  }
}

type Invoice = CanonicalInvoiceInput['invoice']

/** Returns the differences from the supplier's registered invoices. An invoice without amounts has no `totals`. */
export function differencesFromKnownSupplier(
  { invoice }: { readonly invoice: Omit<Invoice, 'totals'> & { readonly totals?: Invoice['totals'] } },
  known: KnownSupplier | undefined,
): ReasonCode[] {
  if (!known || invoice.supplier.tax_id !== known.tax_id) return []
  const { header, issue_data, payment_details = [], totals } = invoice
  const isRegistered = known.invoices.some(
    ({ number, year }) => number === header.invoice_number && year === issue_data.issue_date?.slice(0, 4),
  )
  const accounts = payment_details.flatMap(({ iban_account_to_be_credited: iban }) => iban ?? [])
  const isNewAccount = known.accounts.length > 0 && accounts.some((iban) => !known.accounts.includes(iban))
  const withholds = totals && (totals.total_taxes_withheld ?? 0) !== 0
  return [
    ...(isRegistered ? (['already_registered'] as const) : []),
    ...(isNewAccount ? (['account_new'] as const) : []),
    ...(known.withholds === undefined || withholds === undefined || known.withholds === withholds
      ? []
      : (['withholding_unusual'] as const)),
  ]
}
