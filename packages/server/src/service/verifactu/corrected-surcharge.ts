/**
 * The equivalence surcharge of an invoice that is corrected by substitution. The fiscal record has separate amounts for
 * tax and surcharge (`CuotaRectificada`, `CuotaRecargoRectificado`), but the corrective invoice states only their sum.
 * The surcharge is therefore read from the corrected invoice if that is stored here.
 */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { toNumber } from '#core/money/index.ts'
import type { Rows } from '../../store/store.ts'
import { IN_FORCE } from '../invoice/corrections.ts'
import { replacedInvoice } from '../invoice/replaced-invoice.ts'
import { surchargeCents, taxWithoutSurcharge } from '../invoice/tax-amounts.ts'

/**
 * Returns the surcharge option of the record; 0 if the original has no surcharge. Returns no option if the original is
 * not stored here, or if the stated corrected tax differs from the original's tax without its surcharge.
 */
export async function correctedSurcharge(
  db: Rows,
  corrective: CanonicalInvoice,
): Promise<{ readonly corrected_surcharge_amount?: number }> {
  // The record of the original stated its surcharge, even if the original has been cancelled since.
  const original = await replacedInvoice(db, corrective, undefined, [...IN_FORCE, 'cancelled'])
  if (!original) return {}
  const { data } = original
  const surcharge = surchargeCents(data)
  return surcharge === 0 ||
    corrective.invoice.header.corrective?.corrected_tax_amount === taxWithoutSurcharge(data)
    ? { corrected_surcharge_amount: toNumber(surcharge) }
    : {}
}
