/**
 * Invoices to be reported to the SII. Each has one row per book, written in the transaction that changes the invoice.
 */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { deadlineOf, deadlineOfInvoice } from '#records/sii/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Book } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import type { CompanyData, EnrollmentPeriod } from '../company/company-shape.ts'
import type { Blocked } from '../transmission/blocked.ts'
import { updatePaymentReporting } from './cash-basis/duty.ts'

/** The tax authority to which this server sends. */
export const AEAT = 'aeat'

/** Returns the enrolment period that contains a day. Periods do not overlap. */
export const periodOn = ({ sii }: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined =>
  sii.enrollment_periods.find(({ start_date, end_date }) => start_date <= day && (end_date ?? '9999') >= day)

/** Returns the enrolment in force on a day; undefined if the company is outside the SII. */
export function enrollmentOn(company: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined {
  const current = periodOn(company, day)
  return current?.enrollment_status === 'ceased' ? undefined : current
}

/** Whether a company keeps its books in the SII on a day. */
export const usesSii = (company: Pick<CompanyData, 'sii' | 'fiscal_systems'>, day: string): boolean =>
  company.fiscal_systems.sii_in_plan && enrollmentOn(company, day) !== undefined

/**
 * Whether an invoice belongs to a book that is kept in the SII. This depends on the enrolment on the day when the entry
 * was due: the date of issue, or of receipt. A later end of the enrolment does not change it (arts. 62.6 and 69 bis RD
 * 1624/1992).
 */
export function isInSii(
  company: Pick<CompanyData, 'sii' | 'fiscal_systems'>,
  data: CanonicalInvoice,
): boolean {
  const { receipt_date, issue_date = '' } = data.invoice.issue_data
  const day = data.meta.direction === 'received' ? (receipt_date ?? issue_date) : issue_date
  return usesSii(company, day)
}

/** Returns the enrolment in force, otherwise the last one, because records may still be pending when it ends. */
export const lastEnrollment = ({ sii }: Pick<CompanyData, 'sii'>, today: string) =>
  sii.enrollment_periods
    .filter(({ enrollment_status, start_date }) => enrollment_status !== 'ceased' && start_date <= today)
    .sort((a, b) => (a.start_date < b.start_date ? 1 : -1))
    .at(0)

/** Returns why no records of a company are sent; null if they are. */
export function blockedReasonOfCompany(
  company: Pick<CompanyData, 'sii' | 'fiscal_systems'>,
  today: string,
): Blocked | null {
  if (!company.fiscal_systems.sii_in_plan) return { reason: 'not_in_plan' }
  return lastEnrollment(company, today) ? null : { reason: 'not_enrolled' }
}

/** Returns the row of an invoice in a book of the SII; undefined if it has none. */
export const siiRecordRow = (db: Rows, invoiceId: string, book: Book) =>
  db
    .find('sii_records', { invoice_id: invoiceId, book_type: book })
    .select(['status', 'operation_type', 'accepted_at', 'sending_id'])
    .executeTakeFirst()

/** Whether the tax authority has accepted a record of the invoice, now or earlier. */
export const isAccepted = ({ status, accepted_at }: NonNullable<Awaited<ReturnType<typeof siiRecordRow>>>) =>
  accepted_at !== null || status === 'accepted' || status === 'accepted_with_errors'

export async function isAcceptedBySii(db: Rows, invoiceId: string, book: Book): Promise<boolean> {
  const record = await siiRecordRow(db, invoiceId, book)
  return record !== undefined && isAccepted(record)
}

/** Returns the numeric id that the API specification requires in addition to a UUID. It is derived from the UUID. */
export const internalIdOf = (uuid: string): number =>
  Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

/** Returns the deadline, which depends on the invoice's dates for a registration, and on today for a modification. */
function deadlineFor(data: CanonicalInvoice, operation: 'A0' | 'A1', today: string): string {
  const book = data.meta.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  return operation === 'A1'
    ? deadlineOf({ book, known_date: today }).deadline
    : (deadlineOfInvoice(data)?.deadline ?? today)
}

/**
 * Marks an invoice as pending. Call it if the book of the invoice is kept in the SII (`isInSii`), or if the invoice
 * already has a row. In the second case, the company's current plan and enrolment do not matter, because the record at
 * the tax authority must follow changes of the invoice.
 */
export async function markForSii(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  data: CanonicalInvoice,
  operation: 'A0' | 'A1',
  stamp: string,
): Promise<void> {
  const book_type = row.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  const deadline = deadlineFor(data, operation, call.app.clock.today())
  await tx.upsert(
    'sii_records',
    {
      invoice_id: row.invoice_id,
      book_type,
      internal_id: internalIdOf(row.invoice_id),
      tax_authority: call.company.data.sii.tax_authority,
      operation_type: operation,
      status: 'pending',
      deadline,
      version: 1,
      not_before_ms: 0,
      pause_ms: 0,
      turns: 0,
      created_at: stamp,
      updated_at: stamp,
    },
    (on) =>
      on.doUpdateSet(({ ref, eb }) => ({
        operation_type: operation,
        status: 'pending',
        // A record that is in flight, or was rejected, has older content than this version.
        version: eb('sii_records.version', '+', 1),
        not_before_ms: 0,
        turns: 0,
        error_code: null,
        error_description: null,
        // While the tax authority does not have the record, the earlier deadline of its registration still applies.
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
  await updatePaymentReporting(tx, call.app.clock, { invoice_id: row.invoice_id, book_type, data })
}

/**
 * Removes the pending row of a deleted invoice. If a record is in flight, its row stays until the response. If the tax
 * authority then has the record, it is deleted from the book.
 */
export async function removePendingRow(
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
