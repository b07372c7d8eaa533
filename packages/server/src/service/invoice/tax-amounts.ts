/** Amounts of an invoice as they are in its fiscal record. */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { sum, toMinor, toNumber } from '#core/money/index.ts'

/** Returns the equivalence surcharge of an invoice, in cents. */
export const surchargeCents = ({ invoice }: CanonicalInvoice): number =>
  sum((invoice.taxes_outputs ?? []).map((entry) => toMinor(entry.equivalence_surcharge_amount ?? 0)))

/** Returns the tax of an invoice without its surcharge. */
export const taxWithoutSurcharge = (data: CanonicalInvoice): number =>
  toNumber(toMinor(data.invoice.totals.total_tax_outputs) - surchargeCents(data))

/** Returns the taxable base in the fiscal record of an invoice. Under a margin scheme, this is the margin. */
export const taxableBase = ({ invoice }: CanonicalInvoice): number =>
  toNumber(sum((invoice.taxes_outputs ?? []).map(({ taxable_base }) => toMinor(taxable_base))))
