/** Reporting of the VAT books through the SII: enrolment, what is due, and what became of what was sent. */

import { type ExpressionBuilder, sql } from 'kysely'
import { offsetHours } from '../../fiscal/moment.ts'
import { daysBetween } from '../../sii/calendar.ts'
import { stampOf } from '../clock.ts'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import type { Call } from './call.ts'
import { listCertificates } from './certificates.ts'
import { requireInvoice } from './require-invoice.ts'
import { internalIdOf, periodOn } from './sii-pending.ts'

type Db = Reader | Tx['db']

/** `GET /sii/config`. */
export async function siiConfig(db: Db, { app, company }: Call) {
  const { enrollment_periods, tax_authority } = company.data.sii
  const today = app.clock.today()
  const environment = app.config.aeat === 'production' ? 'production' : 'test'
  const current = periodOn(company.data, today)
  // Whoever was enrolled and is not any more has ceased, whether or not a period says so.
  const wasEnrolled = enrollment_periods.some(({ start_date }) => start_date <= today)
  const row = await db
    .selectFrom('sii_config')
    .select(['auto_submit', 'certificate_id', 'updated_at'])
    .where('company_id', '=', company.id)
    .executeTakeFirst()
  return {
    enrollment_status: current?.enrollment_status ?? (wasEnrolled ? 'ceased' : 'not_applicable'),
    tax_authority,
    auto_submit: row?.auto_submit == null ? null : row.auto_submit === 1,
    certificate_id: row?.certificate_id ?? null,
    environment: current?.environment ?? environment,
    enrollment_periods: enrollment_periods.map((period, index) => ({
      id: period.id ?? index + 1,
      enrollment_status: period.enrollment_status,
      environment: period.environment ?? environment,
      start_date: period.start_date,
      end_date: period.end_date ?? null,
      notes: period.notes ?? null,
    })),
    updated_at: row?.updated_at ?? null,
  }
}

export interface SiiChanges {
  readonly auto_submit?: boolean | null
  readonly certificate_id?: number | null
}

const columnsOf = ({ auto_submit, certificate_id }: SiiChanges) => ({
  ...(auto_submit === undefined ? {} : { auto_submit: auto_submit === null ? null : auto_submit ? 1 : 0 }),
  ...(certificate_id === undefined ? {} : { certificate_id }),
})

/** `PUT /sii/config`: changes the fields that were sent, and answers the whole configuration. */
export async function changeSiiConfig(tx: Tx, call: Call, changes: SiiChanges) {
  const { certificate_id: wanted } = changes
  if (wanted != null) {
    const known = (await listCertificates(tx.db, call.company.id)).map(({ id }) => id)
    if (!known.includes(wanted)) {
      const list = known.join(', ') || '-'
      throw invalidRequest(
        `there is no certificate ${wanted}; GET /certificates lists them (there is: ${list})`,
        `no existe el certificado ${wanted}; GET /certificates los lista (existen: ${list})`,
        { allowed: known },
      )
    }
  }
  const columns = columnsOf(changes)
  if (Object.keys(columns).length > 0) {
    const updated_at = call.app.clock.stamp()
    await tx.db
      .insertInto('sii_config')
      .values({
        company_id: call.company.id,
        auto_submit: null,
        certificate_id: null,
        ...columns,
        updated_at,
      })
      .onConflict((on) => on.column('company_id').doUpdateSet({ ...columns, updated_at }))
      .execute()
  }
  return siiConfig(tx.db, call)
}

/** What is still to be sent, the nearest deadline first. */
export async function pendingOf({ app, company, query }: Call) {
  const today = app.clock.today()
  const rows = await app.store.read
    .selectFrom('sii_records')
    .select(['invoice_id', 'internal_id', 'book_type', 'deadline'])
    .where('company_id', '=', company.id)
    // As a literal: the partial index is chosen by it.
    .where(sql<boolean>`status = 'pending'`)
    .orderBy('deadline')
    .orderBy('invoice_id')
    .orderBy('book_type')
    .limit(Number(query.limit))
    .execute()
  const items = rows.map(({ invoice_id, internal_id, book_type, deadline }) => ({
    invoice_public_id: invoice_id,
    invoice_id: internal_id,
    book_type,
    deadline,
    days_remaining: daysBetween(today, deadline),
  }))
  return { items, total: items.length }
}

const HOUR = 3_600_000
/** The moment in which a day begins in Madrid, as moments are stored; `days` later. */
function beginningOf(day: string, days = 0): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR
  return stampOf((midnight - offsetHours(midnight - 2 * HOUR, 'Europe/Madrid') * HOUR) * 1000)
}

const SUBMISSION = [
  'public_id',
  'book_type',
  'operation_type',
  'global_status',
  'submitted_at',
  'csv',
  'record_count',
  'error_code',
  'error_description',
] as const

/** Submissions, newest first. Days are those of Madrid. */
export async function siiSubmissionsOf({ app, company, query }: Call) {
  const [limit, offset] = [Number(query.limit), Number(query.offset)]
  const matches = ({ eb, and }: ExpressionBuilder<Tables, 'sii_submissions'>) =>
    and([
      eb('company_id', '=', company.id),
      ...(query.global_status === undefined ? [] : [eb('global_status', '=', String(query.global_status))]),
      ...(query.book_type === undefined ? [] : [eb('book_type', '=', String(query.book_type))]),
      ...(query.date_from === undefined
        ? []
        : [eb('submitted_at', '>=', beginningOf(String(query.date_from)))]),
      ...(query.date_to === undefined
        ? []
        : [eb('submitted_at', '<', beginningOf(String(query.date_to), 1))]),
    ])
  const all = app.store.read.selectFrom('sii_submissions').where(matches)
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const items = await all
    .select(SUBMISSION)
    .orderBy('created_at', 'desc')
    .orderBy('public_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items, total: Number(total), offset, limit }
}

/** One submission with what became of each invoice in it. Throws `sii_submission_not_found`. */
export async function siiSubmission({ app, company }: Call, publicId: string) {
  const db = app.store.read
  const submission = await db
    .selectFrom('sii_submissions')
    .select(SUBMISSION)
    .where('company_id', '=', company.id)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (!submission) throw new ApiError('sii_submission_not_found')
  const items = await db
    .selectFrom('sii_submission_items')
    .select([
      'invoice_id as invoice_public_id',
      'invoice_number',
      'item_status',
      'error_code',
      'error_description',
      'aeat_record_state',
    ])
    .where('company_id', '=', company.id)
    .where('public_id', '=', publicId)
    .orderBy('line')
    .execute()
  return { submission, items }
}

/** How far an invoice is, per book. */
export async function siiStatusOf({ app, company }: Call, invoiceId: string) {
  const db = app.store.read
  await requireInvoice(db, company.id, invoiceId, () => true)
  const rows = await db
    .selectFrom('sii_records')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .orderBy('book_type')
    .execute()
  return rows.map((row) => ({
    invoice_id: internalIdOf(row.invoice_id),
    book_type: row.book_type,
    tax_authority: company.data.sii.tax_authority,
    status: row.status,
    deadline: row.deadline,
    submitted_at: row.submitted_at,
    accepted_at: row.accepted_at,
    error_code: row.error_code,
    error_description: row.error_description,
    last_submission_id: row.last_submission_id,
  }))
}
