/**
 * The equivalence surcharge of an invoice that a substitution corrects. It is part of the invoice's tax, but the fiscal
 * record says tax and surcharge apart (`CuotaRectificada`, `CuotaRecargoRectificado`), and the corrective has only one
 * amount for both: the surcharge is taken from the corrected invoice, where that is here.
 */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { toMinor, toNumber } from '../../../money/index.ts'
import { fromJson } from '../../store/json.ts'
import type { Rows } from '../../store/store.ts'

/** In cents. */
const surchargeOf = ({ invoice }: CanonicalInvoice): number =>
  (invoice.taxes_outputs ?? []).reduce(
    (sum, { equivalence_surcharge_amount: amount }) => sum + toMinor(amount ?? 0),
    0,
  )

/** The tax of an invoice without its surcharge. */
export const taxWithoutSurcharge = (data: CanonicalInvoice): number =>
  toNumber(toMinor(data.invoice.totals.total_tax_outputs) - surchargeOf(data))

/** The taxable base as the record of an invoice has it: of a margin scheme, the margin. */
export const taxableBase = ({ invoice }: CanonicalInvoice): number =>
  toNumber((invoice.taxes_outputs ?? []).reduce((sum, { taxable_base }) => sum + toMinor(taxable_base), 0))

/**
 * The option of the records, 0 where the original has no surcharge. Empty where the original is not here, or the
 * client stated another tax than that of the original without its surcharge.
 */
export async function correctedSurcharge(
  db: Rows,
  { invoice }: CanonicalInvoice,
): Promise<{ readonly corrected_surcharge_amount?: number }> {
  const { is_corrective, corrective } = invoice.header
  if (!is_corrective || corrective?.correction_type !== 'S' || !corrective.invoice_number) return {}
  const original = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .select('invoice_documents.canonical')
    .where('invoices.direction', '=', 'issued')
    .where('invoices.number', '=', corrective.invoice_number.trim())
    .executeTakeFirst()
  if (!original?.canonical) return {}
  const data = fromJson(original.canonical)
  const surcharge = surchargeOf(data)
  return surcharge === 0 || corrective.corrected_tax_amount === taxWithoutSurcharge(data)
    ? { corrected_surcharge_amount: toNumber(surcharge) }
    : {}
}
