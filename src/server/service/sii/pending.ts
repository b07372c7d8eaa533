/**
 * Invoices still to be reported to the SII: one row per invoice and book, written in the transaction that changes it.
 */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { deadlineOf, deadlineOfInvoice } from '../../../sii/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Book } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import type { CompanyData, EnrollmentPeriod } from '../company/company-shape.ts'
import { updateCashBasis } from './cash-basis/duty.ts'

/** Returns the enrolment period that a day lies in; periods do not overlap. */
export const periodOn = ({ sii }: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined =>
  sii.enrollment_periods.find(({ start_date, end_date }) => start_date <= day && (end_date ?? '9999') >= day)

/** Returns the enrolment in force on a day; undefined if the company is outside the SII. */
export function enrollmentOn(company: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined {
  const current = periodOn(company, day)
  return current?.enrollment_status === 'ceased' ? undefined : current
}

/** Returns the numeric id that the specification shows beside a UUID; it depends on the UUID alone. */
export const internalIdOf = (uuid: string): number =>
  Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

/** Returns the deadline: that of a registration counts from the invoice, that of a modification from today. */
function deadlineFor(data: CanonicalInvoice, operation: 'A0' | 'A1', today: string): string {
  const book = data.meta.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  return operation === 'A1'
    ? deadlineOf({ book, known_date: today }).deadline
    : (deadlineOfInvoice(data)?.deadline ?? today)
}

/** Marks an invoice as pending if the company reports through the SII. */
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
        // A record in flight, or rejected, has older content.
        version: eb('sii_records.version', '+', 1),
        not_before_ms: 0,
        turns: 0,
        error_code: null,
        error_description: null,
        // Until the tax authority has the record, the deadline of its registration stays if it is earlier.
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
  await updateCashBasis(tx, call.app.clock, { invoice_id: row.invoice_id, book_type, data })
}

/**
 * Removes the pending row of a deleted invoice. A record in flight may arrive: its row stays until the response, and
 * what the tax authority has by then is deleted from the book.
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
