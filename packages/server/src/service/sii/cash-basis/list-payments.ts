/** Lists collections or payments, including accruals, with their status in the SII. */
import type { Text } from '#core/invoice/index.ts'
import { daysBetween } from '#records/sii/deadline/index.ts'
import { inBatches } from '../../../store/batches.ts'
import type { Rows } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'
import { fixForErrorCode } from './cash-basis-messages.ts'
import { type Movement, movementsOf } from './movements.ts'
import { type Payment, paymentsOf } from './payments.ts'

export interface SiiState {
  readonly status: string
  readonly deadline: string
  /** Days until the deadline; negative when overdue, null once the tax authority has the payment. */
  readonly days_remaining: number | null
  /** Whether the payment waits because its invoice is not registered yet. */
  readonly waits_for_invoice: boolean
  readonly last_submission_id: number | null
  readonly submitted_at: string | null
  readonly accepted_at: string | null
  readonly error_code: string | null
  readonly error_description: string | null
  readonly fix: Text | null
}

export interface ListedPayment {
  /** Id of the payment; null for rows that the server generated. */
  readonly id: string | null
  /** `correction` reverses a reported payment that was cancelled. */
  readonly kind: 'paid' | 'accrual' | 'correction'
  readonly invoice_id: string
  readonly number: string | null
  readonly date: string
  readonly amount: number
  /** Null for an accrual, since nothing was paid. */
  readonly method: string | null
  readonly account: string | null
  readonly cancelled_at: string | null
  /** Null if the payment is not reported to the SII. */
  readonly sii: SiiState | null
}

const isOpen = ({ status }: Movement): boolean => status === 'pending' || status === 'rejected'

/** Returns the numbers of invoices, and which of the invoices the tax authority has. */
async function invoicesOf(db: Rows, ids: readonly string[]) {
  const numbers = new Map<string, string | null>()
  const registered = new Set<string>()
  for (const part of inBatches([...new Set(ids)], 500)) {
    const rows = await db
      .select('invoices')
      .select(['invoice_id', 'number'])
      .where('invoice_id', 'in', part)
      .execute()
    for (const { invoice_id, number } of rows) numbers.set(invoice_id, number)
    const known = await db
      .select('sii_records')
      .select('invoice_id')
      .where('invoice_id', 'in', part)
      .where('accepted_at', 'is not', null)
      .execute()
    for (const { invoice_id } of known) registered.add(invoice_id)
  }
  return { numbers, registered }
}

const siiStateOf = (movement: Movement, book: Book, isRegistered: boolean, today: string): SiiState => ({
  status: movement.status,
  deadline: movement.deadline,
  days_remaining: isOpen(movement) ? daysBetween(today, movement.deadline) : null,
  waits_for_invoice: movement.status === 'pending' && !isRegistered,
  last_submission_id: movement.last_submission_id,
  submitted_at: movement.submitted_at,
  accepted_at: movement.accepted_at,
  error_code: movement.error_code,
  error_description: movement.error_description,
  fix: movement.error_code === null ? null : fixForErrorCode(book, movement.error_code),
})

/** Lists payments by date and then in the order of registration. */
export async function listPayments(
  db: Rows,
  book: Book,
  today: string,
  { invoice_id, open = false }: { readonly invoice_id?: string; readonly open?: boolean } = {},
): Promise<readonly ListedPayment[]> {
  const payments = await paymentsOf(db, book, invoice_id)
  const movements = await movementsOf(db, book, invoice_id)
  const { numbers, registered } = await invoicesOf(
    db,
    [...payments, ...movements].map((one) => one.invoice_id),
  )
  const siiState = (movement: Movement): SiiState =>
    siiStateOf(movement, book, registered.has(movement.invoice_id), today)
  const first = new Map<string, Movement>()
  for (const movement of movements)
    if (movement.payment_id !== null && !first.has(movement.payment_id))
      first.set(movement.payment_id, movement)
  const noted = payments.map((payment: Payment): ListedPayment => {
    const movement = first.get(payment.id)
    const { created_at: _, ...shown } = payment
    return {
      ...shown,
      kind: 'paid',
      number: numbers.get(payment.invoice_id) ?? null,
      sii: movement ? siiState(movement) : null,
    }
  })
  const made = movements
    .filter((movement) => movement.payment_id === null || first.get(movement.payment_id) !== movement)
    .map(
      (movement): ListedPayment => ({
        id: null,
        kind: movement.kind === 'accrual' ? 'accrual' : 'correction',
        invoice_id: movement.invoice_id,
        number: numbers.get(movement.invoice_id) ?? null,
        date: movement.date,
        amount: movement.amount,
        method: movement.method,
        account: movement.account,
        cancelled_at: null,
        sii: siiState(movement),
      }),
    )
  const all = [...noted, ...made].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  return open ? all.filter(({ sii }) => sii !== null && sii.days_remaining !== null) : all
}

/** Counts overdue movements that the tax authority does not have, and rejected movements. */
export async function countOverdueMovements(
  db: Rows,
  today: string,
): Promise<{ readonly overdue: number; readonly rejected: number }> {
  const rows = await db
    .select('sii_movements')
    .select(['status', 'deadline'])
    .where('status', 'in', ['pending', 'rejected'])
    .execute()
  return {
    overdue: rows.filter(({ deadline }) => deadline < today).length,
    rejected: rows.filter(({ status }) => status === 'rejected').length,
  }
}
