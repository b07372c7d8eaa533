/** The administrator's commands for payments: cancel a payment, and send rejected payments again. */
import { CuadraError } from '#core/errors/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import { documentOf, lockInvoice } from '../../../store/invoices.ts'
import type { Tx } from '../../../store/store.ts'
import { fromJson } from '../../../store/stored-json.ts'
import type { Book } from '../../../store/tables.ts'
import { syncMovements } from './movements.ts'
import { cancelPayment, paymentsOf } from './payments.ts'
import { excessiveCorrectionProblem } from './record-payment.ts'

const NAMES = { ISSUED: 'collection', RECEIVED: 'payment' } as const

/**
 * Cancels a payment. If it was reported, a negative amount reverses it; otherwise it is not sent. Throws a
 * `CuadraError` if the payment does not exist.
 */
export async function cancelRecordedPayment(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  book: Book,
  id: string,
): Promise<{
  readonly id: string
  readonly invoice_id: string
  readonly date: string
  readonly amount: number
}> {
  const name = NAMES[book]
  const invoiceId = (await paymentsOf(tx, book)).find((one) => one.id === id)?.invoice_id
  if (invoiceId !== undefined) await lockInvoice(tx, invoiceId)
  const all = invoiceId === undefined ? [] : await paymentsOf(tx, book, invoiceId)
  const found = all.find((one) => one.id === id)
  if (!found) throw new CuadraError(`Unknown ${name} ${id}. List them with \`cuadra-admin ${name} list\`.`)
  if (found.cancelled_at !== null) throw new CuadraError(`The ${name} ${id} is already cancelled.`)
  const { invoice_id, date, amount } = found
  const left = all.filter((one) => one.cancelled_at === null && one !== found)
  const { canonical } = await documentOf(tx, invoice_id)
  const problem = canonical && excessiveCorrectionProblem(fromJson(canonical), book, left)
  if (problem)
    throw new CuadraError(
      `Without this ${name}, the sum of the other ones of the invoice is negative. Cancel the correction first.`,
    )
  await cancelPayment(tx, book, id, clock.stamp())
  await syncMovements(tx, clock, invoice_id, book)
  return { id, invoice_id, date, amount }
}

/** Sends the rejected movements of a book, or of one invoice, again. Returns their number. */
export async function resendRejected(
  tx: Tx,
  clock: Pick<Clock, 'stamp'>,
  book: Book,
  invoiceId?: string,
): Promise<number> {
  const all = tx
    .update('sii_movements', {
      status: 'pending',
      not_before_ms: 0,
      updated_at: clock.stamp(),
    })
    .where('book_type', '=', book)
    .where('status', '=', 'rejected')
  const { numUpdatedRows } = await (invoiceId === undefined
    ? all
    : all.where('invoice_id', '=', invoiceId)
  ).executeTakeFirst()
  return Number(numUpdatedRows)
}
