/** Invoices whose collections or payments must be reported: those with regime key 07 that are in a book of the SII. */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { CASH_BASIS } from '#core/invoice/terms.ts'
import { withOperationDateOf } from '#records/fiscal/index.ts'
import { forcedAccrualOf } from '#records/sii/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import type { Tx } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'
import { replacedInvoice } from '../../invoice/replaced-invoice.ts'
import { syncMovements } from './movements.ts'

/** Returns the day on which the unpaid amount accrues; null without regime key 07, or with a zero total. */
const accrualDayOf = (data: CanonicalInvoice): string | null =>
  data.invoice.taxes_outputs?.some(({ tax_regime_key }) => tax_regime_key === CASH_BASIS)
    ? (forcedAccrualOf(data, [])?.date ?? null)
    : null

/** Adds or removes the duty to report payments of an invoice. Call it when the invoice must be reported to the SII. */
export async function updatePaymentReporting(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  { invoice_id, book_type, data }: { invoice_id: string; book_type: Book; data: CanonicalInvoice },
): Promise<void> {
  const original = await replacedInvoice(tx, data, invoice_id)
  const accrual_day = accrualDayOf(original ? withOperationDateOf(data, original.data) : data)
  if (accrual_day === null) await tx.delete('sii_cash_basis', { invoice_id, book_type }).execute()
  // The accrual of a changed invoice is registered again.
  else
    await tx.upsert(
      'sii_cash_basis',
      { invoice_id, book_type, accrual_day, accrued_at: null, created_at: clock.stamp() },
      (on) => on.doUpdateSet({ accrual_day, accrued_at: null }),
    )
  await syncMovements(tx, clock, invoice_id, book_type)
  if (!original) return
  // The amount owed of the replaced invoice changes when its replacement comes into force or is cancelled.
  const replaced = { invoice_id: original.row.invoice_id, book_type }
  await tx.change('sii_cash_basis', { accrued_at: null }, replaced)
  await syncMovements(tx, clock, replaced.invoice_id, book_type)
}

/** Removes the reporting duty and the movements of a deleted invoice. */
export async function removePaymentReporting(tx: Tx, invoiceId: string, book: Book): Promise<void> {
  for (const table of ['sii_cash_basis', 'sii_movements'] as const)
    await tx.delete(table).where('invoice_id', '=', invoiceId).where('book_type', '=', book).execute()
}
