/**
 * Registers collections of issued invoices, which the SII requires from companies under cash basis, and payments of
 * received invoices with regime key 07, which it requires from every payer (art. 61 bis.2.3º RD 1624/1992).
 */
import type { Clock } from '../../environment/clock.ts'
import { ApiError } from '../../errors/api-error.ts'
import { statusText } from '../../errors/error-text.ts'
import { ONLY } from '../../generated/texts/sii.ts'
import { isIssuedKind, isReceivedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Book } from '../../store/tables.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { type NewPayment, recordPayment } from './cash-basis/record-payment.ts'

/**
 * Registers a payment. Throws `invoice_not_found`, or `invoice_update_not_allowed` if the invoice has a status that
 * does not allow payments.
 */
export async function addPayment(
  tx: Tx,
  book: Book,
  { invoice_id, ...given }: NewPayment,
  clock: Pick<Clock, 'today' | 'stamp'>,
) {
  const isIssued = book === 'ISSUED'
  const row = await requireLocked(tx, invoice_id, isIssued ? isIssuedKind : isReceivedKind)
  if (isIssued ? !isInForce(row.status) : row.status !== 'received') {
    const { en, es } = statusText(row.status)
    const reason = { en: `it is ${en}, and ${ONLY[book].en}`, es: `está ${es}, y ${ONLY[book].es}` }
    throw new ApiError('invoice_update_not_allowed', { reason })
  }
  return recordPayment(tx, clock, row, book, given)
}
