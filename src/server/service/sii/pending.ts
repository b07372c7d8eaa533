/** What the SII has yet to be told: one row per invoice and book, marked in the transaction that makes it so. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { deadlineOf, deadlineOfInvoice } from '../../../sii/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Book } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import type { CompanyData, EnrollmentPeriod } from '../company/company-shape.ts'
import { noteCashBasis } from './cash-basis/duty.ts'

/** The period that a day lies in; they do not overlap. */
export const periodOn = ({ sii }: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined =>
  sii.enrollment_periods.find(({ start_date, end_date }) => start_date <= day && (end_date ?? '9999') >= day)

/** The enrolment in force on a day; the company is outside of the SII where there is none. */
export function enrollmentOn(company: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined {
  const current = periodOn(company, day)
  return current?.enrollment_status === 'ceased' ? undefined : current
}

/** A number for an invoice, as the specification shows one beside its UUID. The same invoice has the same. */
export const internalIdOf = (uuid: string): number =>
  Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

/** Until when it is to be told: a registration counts from the invoice, a modification from the day it is known. */
function deadlineFor(data: CanonicalInvoice, operation: 'A0' | 'A1', today: string): string {
  const book = data.meta.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  return operation === 'A1'
    ? deadlineOf({ book, known_date: today }).deadline
    : (deadlineOfInvoice(data)?.deadline ?? today)
}

/** Leaves an invoice pending, where the company reports through the SII. */
export async function markForSii(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  data: CanonicalInvoice,
  operation: 'A0' | 'A1',
  stamp: string,
): Promise<void> {
  const { company } = call
  if (!company.data.fiscal_systems.sii_in_plan) return
  if (!enrollmentOn(company.data, call.app.clock.today())) return
  const book_type = row.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  const deadline = deadlineFor(data, operation, call.app.clock.today())
  await tx.upsert(
    'sii_records',
    {
      invoice_id: row.invoice_id,
      book_type,
      internal_id: internalIdOf(row.invoice_id),
      operation_type: operation,
      status: 'pending',
      deadline,
      version: 1,
      not_before_ms: 0,
      turns: 0,
      created_at: stamp,
      updated_at: stamp,
    },
    (on) =>
      on.doUpdateSet(({ ref, eb }) => ({
        operation_type: operation,
        status: 'pending',
        // What is on its way, or was refused, is not this any more.
        version: eb('sii_records.version', '+', 1),
        not_before_ms: 0,
        turns: 0,
        error_code: null,
        error_description: null,
        // What the agency does not have yet keeps the deadline of its registration, where that comes first.
        deadline:
          operation === 'A0'
            ? ref('excluded.deadline')
            : eb
                .case()
                .when(
                  eb.and([
                    eb(ref('sii_records.accepted_at'), 'is', null),
                    eb(ref('sii_records.deadline'), '<', ref('excluded.deadline')),
                  ]),
                )
                .then(ref('sii_records.deadline'))
                .else(ref('excluded.deadline'))
                .end(),
        updated_at: stamp,
      })),
  )
  await noteCashBasis(tx, call.app.clock, { invoice_id: row.invoice_id, book_type, data })
}

/**
 * Takes what waits out of the list, for an invoice that is deleted. What is on its way may arrive: it stays until its
 * answer, and what the agency has by then is taken out of the book.
 */
export async function forget(
  tx: Tx,
  { invoice_id, book_type }: { readonly invoice_id: string; readonly book_type: Book },
  stamp: string,
): Promise<void> {
  const { numDeletedRows } = await tx
    .delete('sii_records', { invoice_id, book_type })
    .where('sending_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) return
  await tx.change('sii_records', { operation_type: 'BAJA', updated_at: stamp }, { invoice_id, book_type })
}
