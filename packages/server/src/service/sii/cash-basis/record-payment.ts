/** Registers collections and payments of invoices, and rejects those that the SII would reject. */
import { randomUUID } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice, Text } from '#core/invoice/index.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { collectionRecord, forcedAccrualOf, paymentRecord, type SiiPayment } from '#records/sii/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import { ApiError } from '../../../errors/api-error.ts'
import { canonicalIn, documentOf, findInvoice, type InvoiceRow } from '../../../store/invoices.ts'
import type { Tx } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'
import { replacementOf } from '../../invoice/replaced-invoice.ts'
import { amountsSettledBefore, syncMovements } from './movements.ts'
import { insertPayment, type Payment, paymentsOf } from './payments.ts'

export interface NewPayment {
  readonly invoice_id: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Amount in euros; negative if it corrects an earlier payment. */
  readonly amount: number
  /** Code of the catalog `payment-methods`. It determines the means of payment (`Medio`) in the SII. */
  readonly method: string
  /** Account, or another identification of the means of payment. */
  readonly account?: string
}

const LANGUAGES = ['en', 'es'] as const

const refused = (reason: Text): ApiError => new ApiError('invoice_update_not_allowed', { reason })

const asSii = ({ date, amount, method }: Payment): SiiPayment => ({
  date,
  amount,
  payment_method_code: method,
})

/** Turns a sentence into a clause: lower-case first letter, no full stop. */
const asReason = (message: string): string =>
  `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '')

/**
 * Returns the problem of the payments as a whole: a date before the operation, or a sum above the total. `before` are
 * the payments of replaced invoices, which may have earlier dates.
 */
function problemOf(
  data: CanonicalInvoice,
  book: Book,
  before: readonly SiiPayment[],
  own: readonly SiiPayment[],
): Text | null {
  const record = book === 'ISSUED' ? collectionRecord : paymentRecord
  const [en, es] = LANGUAGES.map((locale) => {
    const messageOf = (wanted: string, list: readonly SiiPayment[]) =>
      record(data, list, { locale }).items.find(({ code }) => code === wanted)?.message
    return messageOf('sii.payment_early', own) ?? messageOf('sii.payment_total', [...before, ...own])
  })
  return en === undefined || es === undefined ? null : { en: asReason(en), es: asReason(es) }
}

/** Returns the problem of a correction that exceeds the amount collected or paid so far. */
export function excessiveCorrectionProblem(
  data: CanonicalInvoice,
  book: Book,
  payments: readonly Payment[],
): Text | null {
  const after = payments.reduce((sum, { amount }) => sum + toMinor(amount), 0)
  // The collections of an invoice with a negative total are negative too.
  if (after * (forcedAccrualOf(data, [])?.amount ?? 0) >= 0) return null
  const before = toNumber(after - toMinor(payments.at(-1)?.amount ?? 0)).toFixed(2)
  return book === 'ISSUED'
    ? {
        en: `a correction cannot exceed the amount collected, ${before} EUR`,
        es: `una corrección no puede superar lo cobrado, ${before} EUR`,
      }
    : {
        en: `a correction cannot exceed the amount paid, ${before} EUR`,
        es: `una corrección no puede superar lo pagado, ${before} EUR`,
      }
}

const replacedText = (number: string): Text => ({
  en: `invoice ${number} has replaced this one: register it there`,
  es: `la factura ${number} ha sustituido a esta: regístrelo en ella`,
})

const inFuture = (date: string, today: string): Text => ({
  en: `${date} is after today, ${today} in Madrid`,
  es: `${date} es posterior a hoy, ${today} en Madrid`,
})

export interface RecordedPayment extends Omit<Payment, 'cancelled_at' | 'created_at'> {
  readonly number: string | null
  /** Status of the payment in the SII; null if it is not reported to the SII. */
  readonly sii: { readonly status: string; readonly deadline: string } | null
}

/** Returns the status of a payment in the SII. */
async function siiOf(tx: Tx, paymentId: string): Promise<RecordedPayment['sii']> {
  const row = await tx
    .find('sii_movements', { payment_id: paymentId })
    .select(['status', 'deadline'])
    .where('status', '<>', 'withdrawn')
    .executeTakeFirst()
  return row ?? null
}

/**
 * Registers a payment of an invoice that the caller has locked and checked. If the payments of the invoice are
 * reported, a payment that the SII would reject is rejected here (`invoice_update_not_allowed`).
 */
export async function recordPayment(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  { invoice_id, number }: Pick<InvoiceRow, 'invoice_id' | 'number'>,
  book: Book,
  given: Omit<NewPayment, 'invoice_id'>,
): Promise<RecordedPayment> {
  const today = clock.today()
  if (given.date > today) throw refused(inFuture(given.date, today))
  const payment: Payment = {
    id: randomUUID(),
    invoice_id,
    date: given.date,
    amount: given.amount,
    method: given.method,
    account: given.account ?? null,
    cancelled_at: null,
    created_at: clock.stamp(),
  }
  const duty = await tx
    .find('sii_cash_basis', { invoice_id, book_type: book })
    .select('accrual_day')
    .executeTakeFirst()
  if (duty) {
    const data = canonicalIn(await documentOf(tx, invoice_id))
    const row = required(await findInvoice(tx, invoice_id))
    const replacement = await replacementOf(tx, row)
    if (replacement) throw refused(replacedText(replacement.row.number ?? ''))
    const before = await paymentsOf(tx, book, invoice_id)
    const all = [...before.filter(({ cancelled_at }) => cancelled_at === null), payment]
    // Amounts collected of a replaced invoice also count for the invoice that replaces it.
    const settled = await amountsSettledBefore(tx, book, { row, data })
    const problem =
      problemOf(data, book, settled, all.map(asSii)) ?? excessiveCorrectionProblem(data, book, all)
    if (problem) throw refused(problem)
  }
  await insertPayment(tx, book, payment)
  if (duty) await syncMovements(tx, clock, invoice_id, book)
  const { cancelled_at: _, created_at: __, ...noted } = payment
  return { ...noted, number, sii: await siiOf(tx, payment.id) }
}
