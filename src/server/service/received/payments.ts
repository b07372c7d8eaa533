/** Payments of received invoices: the SII wants them of those with key 07, whoever paid (art. 61 bis.2.3º RD 1624/1992). */
import type { Clock } from '../../environment/clock.ts'
import { ApiError } from '../../errors/api-error.ts'
import { stateWords } from '../../errors/words.ts'
import { isReceivedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { type NewPayment, notePayment } from '../sii/cash-basis/noting.ts'

/** Notes a payment. Throws `invoice_not_found`, or `invoice_update_not_allowed` for one that cannot be paid. */
export async function addPayment(
  tx: Tx,
  { invoice_id, ...given }: NewPayment,
  clock: Pick<Clock, 'today' | 'stamp'>,
) {
  const row = await requireLocked(tx, invoice_id, isReceivedKind)
  if (row.status !== 'received')
    throw new ApiError('invoice_update_not_allowed', {
      reason: {
        en: `it is ${stateWords(row.status).en}, and only an invoice that is received can be paid`,
        es: `está ${stateWords(row.status).es}, y solo puede pagarse una factura recibida`,
      },
    })
  return notePayment(tx, clock, row, 'RECEIVED', given)
}
