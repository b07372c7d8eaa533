/**
 * The equivalence surcharge of an invoice that is corrected by substitution. It is part of the tax of the invoice, but
 * the fiscal record has separate amounts (`CuotaRectificada`, `CuotaRecargoRectificado`). The corrective invoice has
 * only their sum, so the surcharge is read from the corrected invoice if that is stored here.
 */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { toNumber } from '../../../money/index.ts'
import { fromJson } from '../../store/json.ts'
import type { Rows } from '../../store/store.ts'
import { surchargeOf, taxWithoutSurcharge } from '../invoice/tax-amounts.ts'

/**
 * Returns the surcharge option of the record, 0 if the original has none. Empty if the original is not stored here, or
 * if the corrected tax that the client stated is not the original's tax without its surcharge.
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
