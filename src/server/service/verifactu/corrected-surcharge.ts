/**
 * The equivalence surcharge of an invoice that is corrected by substitution. It is part of the tax of the invoice, but
 * the fiscal record has separate amounts (`CuotaRectificada`, `CuotaRecargoRectificado`). The corrective invoice has
 * only their sum, so the surcharge is read from the corrected invoice if that is stored here.
 */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { toNumber } from '../../../money/index.ts'
import type { Rows } from '../../store/store.ts'
import { IN_FORCE } from '../invoice/corrections.ts'
import { replacedInvoice } from '../invoice/replaced.ts'
import { surchargeCents, taxWithoutSurcharge } from '../invoice/tax-amounts.ts'

/**
 * Returns the surcharge option of the record, 0 if the original has none. Empty if the original is not stored here, or
 * if the corrected tax that the client stated is not the original's tax without its surcharge.
 */
export async function correctedSurcharge(
  db: Rows,
  corrective: CanonicalInvoice,
): Promise<{ readonly corrected_surcharge_amount?: number }> {
  // The record of the original had its surcharge, even if it was cancelled since.
  const original = await replacedInvoice(db, corrective, undefined, [...IN_FORCE, 'cancelled'])
  if (!original) return {}
  const { data } = original
  const surcharge = surchargeCents(data)
  return surcharge === 0 ||
    corrective.invoice.header.corrective?.corrected_tax_amount === taxWithoutSurcharge(data)
    ? { corrected_surcharge_amount: toNumber(surcharge) }
    : {}
}
