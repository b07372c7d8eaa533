/** Collections of issued invoices: the SII wants them of companies under cash basis (art. 61 bis.2.3º RD 1624/1992). */
import type { Clock } from '../../environment/clock.ts'
import { ApiError } from '../../errors/api-error.ts'
import { stateWords } from '../../errors/words.ts'
import { isIssuedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { type NewPayment, notePayment } from '../sii/cash-basis/noting.ts'

/** Notes a collection. Throws `invoice_not_found`, or `invoice_update_not_allowed` for one that cannot be collected. */
export async function addCollection(
  tx: Tx,
  { invoice_id, ...given }: NewPayment,
  clock: Pick<Clock, 'today' | 'stamp'>,
) {
  const row = await requireLocked(tx, invoice_id, isIssuedKind)
  if (!isInForce(row.status))
    throw new ApiError('invoice_update_not_allowed', {
      reason: {
        en: `it is ${stateWords(row.status).en}, and only an invoice that is issued or sent can be collected`,
        es: `está ${stateWords(row.status).es}, y solo puede cobrarse una factura emitida o enviada`,
      },
    })
  return notePayment(tx, clock, row, 'ISSUED', given)
}
