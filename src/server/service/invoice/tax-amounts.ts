/** Amounts of an invoice as in its fiscal record. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { toMinor, toNumber } from '../../../money/index.ts'

/** Returns the surcharge in cents. */
export const surchargeOf = ({ invoice }: CanonicalInvoice): number =>
  (invoice.taxes_outputs ?? []).reduce(
    (sum, { equivalence_surcharge_amount: amount }) => sum + toMinor(amount ?? 0),
    0,
  )

/** Returns the tax of an invoice without its surcharge. */
export const taxWithoutSurcharge = (data: CanonicalInvoice): number =>
  toNumber(toMinor(data.invoice.totals.total_tax_outputs) - surchargeOf(data))

/** Returns the taxable base as in the record of an invoice; under a margin scheme, the margin. */
export const taxableBase = ({ invoice }: CanonicalInvoice): number =>
  toNumber((invoice.taxes_outputs ?? []).reduce((sum, { taxable_base }) => sum + toMinor(taxable_base), 0))
