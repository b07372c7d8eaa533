/** What the SII has yet to be told: one row per invoice and book, marked in the transaction that makes it so. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { deadlineOfInvoice } from '../../sii/index.ts'
import type { Call } from '../http/route.ts'
import type { InvoiceRow } from '../store/invoices.ts'
import type { Tx } from '../store/store.ts'
import type { CompanyData, EnrollmentPeriod } from './company.ts'

/** The enrolment in force on a day; the company is outside of the SII where there is none. */
export function enrollmentOn({ sii }: Pick<CompanyData, 'sii'>, day: string): EnrollmentPeriod | undefined {
  const current = sii.enrollment_periods.find(({ start_date, end_date }) => start_date <= day && (end_date ?? '9999') >= day)
  return current && current.enrollment_status !== 'ceased' ? current : undefined
}

/** A number for an invoice, as the specification shows one beside its UUID. The same invoice has the same. */
export const internalIdOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

/** Leaves an invoice pending, where the company reports through the SII. */
export async function markForSii(tx: Tx, call: Call, row: InvoiceRow, data: CanonicalInvoice, operation: 'A0' | 'A1', stamp: string): Promise<void> {
  const { company } = call
  if (!company.data.fiscal_systems.sii_in_plan) return
  if (!enrollmentOn(company.data, call.app.clock.today())) return
  const book_type = row.direction === 'issued' ? 'ISSUED' : 'RECEIVED'
  const { deadline } = deadlineOfInvoice(data) ?? { deadline: call.app.clock.today() }
  await tx.db
    .insertInto('sii_records')
    .values({
      company_id: company.id,
      invoice_id: row.invoice_id,
      book_type,
      internal_id: internalIdOf(row.invoice_id),
      operation_type: operation,
      status: 'pending',
      deadline,
      last_submission_id: null,
      submitted_at: null,
      accepted_at: null,
      error_code: null,
      error_description: null,
      created_at: stamp,
      updated_at: stamp,
    })
    .onConflict((on) =>
      on.columns(['company_id', 'invoice_id', 'book_type']).doUpdateSet({ operation_type: operation, status: 'pending', deadline, updated_at: stamp }),
    )
    .execute()
}
