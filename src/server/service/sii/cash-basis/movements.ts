/** Movements: what the SII must be notified of about collections and payments, derived from what is registered here. */
import { randomUUID } from 'node:crypto'
import { toMinor, toNumber } from '../../../../money/index.ts'
import { deadlineOf, type SiiPayment } from '../../../../sii/index.ts'
import { accrualOf, type Link, settledOf } from '../../../../sii/record/accrual.ts'
import type { Clock } from '../../../environment/clock.ts'
import { canonicalIn, documentOf, lockInvoice } from '../../../store/invoices.ts'
import type { Own, Rows, Tx } from '../../../store/store.ts'
import type { Book, MovementKind } from '../../../store/tables.ts'
import { replacedInvoice, replacementOf, type StoredInvoice } from '../../invoice/replaced.ts'
import { type Payment, paymentsOf } from './payments.ts'

export type Movement = Own<'sii_movements'>

/** Returns the movements of a book, or of one invoice, except withdrawn ones. */
export function movementsOf(db: Rows, book: Book, invoiceId?: string): Promise<Movement[]> {
  const all = db.find('sii_movements', { book_type: book }).selectAll().where('status', '<>', 'withdrawn')
  const wanted = invoiceId === undefined ? all : all.where('invoice_id', '=', invoiceId)
  return wanted.orderBy('created_at').orderBy('movement_id').execute()
}

/** Whether the tax authority has a movement, or may have it: it can then be corrected, but not withdrawn. */
const isReported = ({ status, sending_id }: Movement): boolean =>
  sending_id !== null || status === 'accepted' || status === 'accepted_with_errors'

const minorOf = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { amount }) => sum + toMinor(amount), 0)

/** What should be reported in total, and the date, kind and payment of the first movement. */
interface Wanted {
  readonly kind: MovementKind
  readonly payment: Payment | null
  readonly cents: number
  /** Date of the collection, payment or accrual. */
  readonly date: string
}

interface InvoiceContext {
  readonly invoice_id: string
  readonly book: Book
  readonly today: string
  readonly stamp: string
}

const DEADLINES = { ISSUED: 'COLLECTIONS', RECEIVED: 'PAYMENTS' } as const

const movementFor = (
  { invoice_id, book, today, stamp }: InvoiceContext,
  { kind, payment, date }: Wanted,
  cents: number,
  isCorrection: boolean,
): Movement => {
  // A correction counts from the day it is known. An accrual has its date by law.
  const known = isCorrection ? today : date
  return {
    movement_id: randomUUID(),
    invoice_id,
    book_type: book,
    kind,
    payment_id: payment?.id ?? null,
    date: kind === 'accrual' ? date : known,
    amount: toNumber(cents),
    method: payment?.method ?? null,
    account: payment?.account ?? null,
    status: 'pending',
    deadline: deadlineOf({ book: DEADLINES[book], date: known }).deadline,
    sending_id: null,
    not_before_ms: 0,
    last_submission_id: null,
    submitted_at: null,
    accepted_at: null,
    error_code: null,
    error_description: null,
    created_at: stamp,
    updated_at: stamp,
  }
}

/** Withdraws or adds movements so that what is reported of a payment, or of the accrual, equals what should be. */
async function syncPayment(
  tx: Tx,
  context: InvoiceContext,
  wanted: Wanted,
  before: readonly Movement[],
): Promise<void> {
  const reported = before.filter(isReported)
  const unreported = before.filter((one) => !isReported(one))
  const left = wanted.cents - minorOf(reported)
  const isUpToDate =
    left === 0
      ? unreported.length === 0
      : unreported.length === 1 &&
        minorOf(unreported) === left &&
        (reported.length > 0 || unreported[0]?.date === wanted.date)
  if (isUpToDate) return
  for (const { movement_id } of unreported)
    await tx.change('sii_movements', { status: 'withdrawn', updated_at: context.stamp }, { movement_id })
  if (left !== 0) await tx.insert('sii_movements', movementFor(context, wanted, left, reported.length > 0))
}

const dutyOf = (db: Rows, invoiceId: string, book: Book) =>
  db.find('sii_cash_basis', { invoice_id: invoiceId, book_type: book }).selectAll().executeTakeFirst()

/** Collections of a cancelled invoice no longer count; a received invoice stays in the books. */
const CANCELLED = 'cancelled'

const paidOf = async (db: Rows, book: Book, invoiceId: string): Promise<readonly SiiPayment[]> =>
  (await paymentsOf(db, book, invoiceId))
    .filter(({ cancelled_at }) => cancelled_at === null)
    .map(({ date, amount }) => ({ date, amount }))

/** Returns an invoice with those that it replaces, the oldest first. Two that name each other are one chain. */
async function chainOf(db: Rows, book: Book, invoice: StoredInvoice | undefined): Promise<Link[]> {
  const chain = new Map<string, Link>()
  let one = invoice
  while (one && !chain.has(one.row.invoice_id)) {
    const { row, data } = one
    const replacement = await replacementOf(db, row)
    chain.set(row.invoice_id, {
      document: data,
      payments: await paidOf(db, book, row.invoice_id),
      replacedOn: replacement && (replacement.row.issue_date ?? ''),
    })
    one = await replacedInvoice(db, data, row.invoice_id)
  }
  return [...chain.values()].reverse()
}

/** Returns what was collected or paid, or has accrued, of the invoices that this one replaces. */
export async function settledBefore(
  db: Rows,
  book: Book,
  { row, data }: StoredInvoice,
): Promise<readonly SiiPayment[]> {
  return settledOf(await chainOf(db, book, await replacedInvoice(db, data, row.invoice_id)))
}

/**
 * Brings the movements of an invoice in line with its payments: those registered, those cancelled, and, after 31
 * December of the year following the operation, the rest of the total. May be called repeatedly. Locks the invoice.
 */
export async function syncMovements(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  invoiceId: string,
  book: Book,
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId)
  const duty = await dutyOf(tx, invoiceId, book)
  const before = await movementsOf(tx, book, invoiceId)
  if (!invoice || (!duty && before.length === 0)) return
  const context: InvoiceContext = { invoice_id: invoiceId, book, today: clock.today(), stamp: clock.stamp() }
  const payments = await paymentsOf(tx, book, invoiceId)
  for (const payment of payments) {
    // Once the rest has accrued, later collections are not reported (art. 61 decies RD 1624/1992).
    const isDue = duty && payment.cancelled_at === null && payment.date <= duty.accrual_day
    const cents = isDue ? toMinor(payment.amount) : 0
    const own = before.filter(({ payment_id }) => payment_id === payment.id)
    await syncPayment(tx, context, { kind: 'paid', payment, cents, date: payment.date }, own)
  }
  const accruals = before.filter(({ kind }) => kind === 'accrual')
  const isOver = duty !== undefined && context.today > duty.accrual_day
  if (!isOver && accruals.length === 0) return
  const day = duty?.accrual_day ?? accruals[0]?.date ?? context.today
  const accrual =
    isOver && invoice.status !== CANCELLED
      ? accrualOf(
          await chainOf(tx, book, { row: invoice, data: canonicalIn(await documentOf(tx, invoiceId)) }),
        )
      : null
  const cents = accrual ? toMinor(accrual.amount) : 0
  const wanted: Wanted = { kind: 'accrual', payment: null, cents, date: accrual?.date ?? day }
  await syncPayment(tx, context, wanted, accruals)
}
