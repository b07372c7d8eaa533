/** Collections of issued invoices: the SII wants them of companies under cash basis (art. 61 bis.2.3º RD 1624/1992). */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../errors/api-error.ts'
import { stateWords } from '../../errors/words.ts'
import { isIssuedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'

export interface NewCollection {
  readonly invoice_id: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Euros; negative where it corrects an earlier one. */
  readonly amount: number
  /** Code of the catalog `payment-methods`; the means that the SII knows follow from it. */
  readonly method: string
}

/** Notes a collection. Throws `invoice_not_found`, or `invoice_update_not_allowed` for one that is not in force. */
export async function addCollection(
  tx: Tx,
  { invoice_id, date, amount, method }: NewCollection,
  stamp: string,
) {
  const row = await requireLocked(tx, invoice_id, isIssuedKind)
  if (!isInForce(row.status))
    throw new ApiError('invoice_update_not_allowed', {
      reason: {
        en: `it is ${stateWords(row.status).en}, and only an invoice that is issued or sent can be collected`,
        es: `está ${stateWords(row.status).es}, y solo puede cobrarse una factura emitida o enviada`,
      },
    })
  const collection = { collection_id: randomUUID(), invoice_id, date, amount, method }
  await tx.insert('collections', { ...collection, cancelled_at: null, created_at: stamp })
  const { collection_id: id, ...noted } = collection
  return { id, ...noted, number: row.number }
}
