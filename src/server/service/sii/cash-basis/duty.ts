/** Which invoices the SII is told of the collections or payments of: those with key 07 that are in its books. */
import { CASH_BASIS, type CanonicalInvoice } from '../../../../invoice/index.ts'
import { forcedAccrualOf } from '../../../../sii/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import type { Tx } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'
import { followPayments } from './movements.ts'

/** The day on which what is left of it accrues; null where it has no key 07, or amounts to nothing. */
const accrualDayOf = (data: CanonicalInvoice): string | null =>
  data.invoice.taxes_outputs?.some(({ tax_regime_key }) => tax_regime_key === CASH_BASIS)
    ? (forcedAccrualOf(data, [])?.date ?? null)
    : null

/** Notes that an invoice is, or is no more, one of them: wherever the SII is to be told of the invoice itself. */
export async function noteCashBasis(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  { invoice_id, book_type, data }: { invoice_id: string; book_type: Book; data: CanonicalInvoice },
): Promise<void> {
  const accrual_day = accrualDayOf(data)
  if (accrual_day === null) await tx.delete('sii_cash_basis', { invoice_id, book_type }).execute()
  // What accrued of an invoice that has changed is looked at again.
  else
    await tx.upsert(
      'sii_cash_basis',
      { invoice_id, book_type, accrual_day, accrued_at: null, created_at: clock.stamp() },
      (on) => on.doUpdateSet({ accrual_day, accrued_at: null }),
    )
  await followPayments(tx, clock, invoice_id, book_type)
}

/** Nothing is to be told of an invoice that is no more. */
export async function forgetCashBasis(tx: Tx, invoiceId: string, book: Book): Promise<void> {
  for (const table of ['sii_cash_basis', 'sii_movements'] as const)
    await tx.delete(table).where('invoice_id', '=', invoiceId).where('book_type', '=', book).execute()
}
