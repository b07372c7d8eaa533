/** Movements: the collections, payments and accruals to report to the SII, derived from registered payments. */
import { randomUUID } from 'node:crypto'
import { toMinor, toNumber } from '#core/money/index.ts'
import { deadlineOf, type SiiPayment } from '#records/sii/index.ts'
import { accrualOf, type Link, settledAmountsOf } from '#records/sii/record/index.ts'
import type { Clock } from '../../../environment/clock.ts'
import { canonicalIn, documentOf, type InvoiceRow, lockInvoice } from '../../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../../store/store.ts'
import type { Book, MovementKind } from '../../../store/tables.ts'
import { replacedInvoice, replacementOf, type StoredInvoice } from '../../invoice/replaced-invoice.ts'
import { type Payment, paymentsOf } from './payments.ts'

export type Movement = CompanyRow<'sii_movements'>

/** Returns the movements (payments and accruals to report) of a book, or of one invoice, except withdrawn movements. */
export function movementsOf(db: Rows, book: Book, invoiceId?: string): Promise<Movement[]> {
  const all = db.find('sii_movements', { book_type: book }).selectAll().where('status', '<>', 'withdrawn')
  const wanted = invoiceId === undefined ? all : all.where('invoice_id', '=', invoiceId)
  return wanted.orderBy('created_at').orderBy('movement_id').execute()
}

/** Whether the tax authority has or may have a movement. It can then be reversed, but no longer withdrawn. */
export const isReported = ({ status, sending_id }: Movement): boolean =>
  sending_id !== null || status === 'accepted' || status === 'accepted_with_errors'

const minorOf = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { amount }) => sum + toMinor(amount), 0)

/** The total amount to report for a payment or accrual. The first movement gets this date, kind and payment. */
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
  /** Whether all movements of the invoice are reported again, because the tax authority deleted them. */
  readonly isAgain: boolean
}

const DEADLINES = { ISSUED: 'COLLECTIONS', RECEIVED: 'PAYMENTS' } as const

const movementFor = (
  { invoice_id, book, today, stamp, isAgain }: InvoiceContext,
  { kind, payment, date }: Wanted,
  cents: number,
  isCorrection: boolean,
): Movement => {
  // A correction counts from the day on which it becomes known. The law sets the date of an accrual.
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
    deadline: deadlineOf({ book: DEADLINES[book], date: isAgain ? today : known }).deadline,
    sending_id: null,
    not_before_ms: 0,
    pause_ms: 0,
    last_submission_id: null,
    submitted_at: null,
    accepted_at: null,
    error_code: null,
    error_description: null,
    created_at: stamp,
    updated_at: stamp,
  }
}

/** Withdraws or adds movements until the reported amount of a payment or accrual equals the wanted amount. */
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

/** Status of invoices whose collections no longer count. A cancelled received invoice stays in the books. */
const CANCELLED = 'cancelled'

const paidOf = async (db: Rows, book: Book, invoiceId: string): Promise<readonly SiiPayment[]> =>
  (await paymentsOf(db, book, invoiceId))
    .filter(({ cancelled_at }) => cancelled_at === null)
    .map(({ date, amount }) => ({ date, amount }))

/** Returns an invoice with all invoices that it replaces, oldest first. Invoices that replace each other occur once. */
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

/** Returns the amounts that were collected or paid, or have accrued, of the invoices that an invoice replaces. */
export async function amountsSettledBefore(
  db: Rows,
  book: Book,
  { row, data }: StoredInvoice,
): Promise<readonly SiiPayment[]> {
  return settledAmountsOf(await chainOf(db, book, await replacedInvoice(db, data, row.invoice_id)))
}

type Duty = Awaited<ReturnType<typeof dutyOf>>

/**
 * Returns the reported amount. It does not change if the invoice is no longer under cash basis here, because the tax
 * authority no longer allows its regime key to change (AEAT 3011).
 */
const keptOf = (movements: readonly Movement[]): number => minorOf(movements.filter(isReported))

/** Returns the amount of a payment that should be reported. */
function dueOf(duty: Duty, { cancelled_at, date, amount }: Payment, own: readonly Movement[]): number {
  if (cancelled_at !== null) return 0
  if (!duty) return keptOf(own)
  // After the unpaid amount has accrued, later collections are not reported (art. 61 decies RD 1624/1992).
  return date <= duty.accrual_day ? toMinor(amount) : 0
}

async function syncAccrual(
  tx: Tx,
  context: InvoiceContext,
  invoice: InvoiceRow,
  duty: Duty,
  accruals: readonly Movement[],
): Promise<void> {
  const { invoice_id, book, today } = context
  const isOver = duty !== undefined && today > duty.accrual_day
  if (!isOver && accruals.length === 0) return
  const accrual =
    isOver && invoice.status !== CANCELLED
      ? accrualOf(
          await chainOf(tx, book, { row: invoice, data: canonicalIn(await documentOf(tx, invoice_id)) }),
        )
      : null
  const cents = !duty ? keptOf(accruals) : accrual ? toMinor(accrual.amount) : 0
  const date = accrual?.date ?? duty?.accrual_day ?? accruals[0]?.date ?? today
  await syncPayment(tx, context, { kind: 'accrual', payment: null, cents, date }, accruals)
}

/**
 * Updates the movements of an invoice so that they match its registered and cancelled payments and, after 31 December
 * of the year after the operation, the accrual of the unpaid amount. Locks the invoice. May be called repeatedly.
 * `isAgain` means that the tax authority no longer has the reported movements.
 */
export async function syncMovements(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  invoiceId: string,
  book: Book,
  isAgain = false,
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId)
  const duty = await dutyOf(tx, invoiceId, book)
  const before = await movementsOf(tx, book, invoiceId)
  if (!invoice || (!duty && before.length === 0)) return
  const [today, stamp] = [clock.today(), clock.stamp()]
  const context: InvoiceContext = { invoice_id: invoiceId, book, today, stamp, isAgain }
  for (const payment of await paymentsOf(tx, book, invoiceId)) {
    const own = before.filter(({ payment_id }) => payment_id === payment.id)
    const wanted: Wanted = { kind: 'paid', payment, cents: dueOf(duty, payment, own), date: payment.date }
    await syncPayment(tx, context, wanted, own)
  }
  await syncAccrual(
    tx,
    context,
    invoice,
    duty,
    before.filter(({ kind }) => kind === 'accrual'),
  )
}

/**
 * Reports the movements of an invoice again. The tax authority deleted them together with the record of the invoice.
 * They are sent once the invoice is registered again, for example with another number (art. 61 decies RD 1624/1992).
 */
export async function reportAgain(
  tx: Tx,
  clock: Pick<Clock, 'today' | 'stamp'>,
  invoiceId: string,
  book: Book,
): Promise<void> {
  await tx
    .update('sii_movements', { status: 'withdrawn', updated_at: clock.stamp() })
    .where('invoice_id', '=', invoiceId)
    .where('book_type', '=', book)
    .where('status', 'in', ['accepted', 'accepted_with_errors'])
    .execute()
  await syncMovements(tx, clock, invoiceId, book, true)
}
