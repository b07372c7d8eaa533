/** Reporting of the VAT books through the SII: configuration, pending invoices, submissions and their results. */
import { sql } from 'kysely'
import type { Locale, Text } from '#core/invoice/index.ts'
import { offsetHours } from '#records/fiscal/index.ts'
import { daysBetween } from '#records/sii/deadline/index.ts'
import { SII_ERROR_CODES } from '#records/sii/index.ts'
import { timestampOfMicroseconds } from '../../environment/clock.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { ADVICE as ADVICE_TEXTS } from '../../generated/texts/sii.ts'
import type { SiiQuery } from '../../shapes/parameter-shapes.ts'
import type {
  SiiConfig,
  SiiConfigRequest,
  SiiPending,
  SiiStatus,
  SiiSubmissionDetail,
  SiiSubmissionPage,
} from '../../shapes/schemas.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { listCertificates } from '../company/certificates.ts'
import { requireInvoice } from '../invoice/require-invoice.ts'
import { type Blocked, columnsOf as errorOf, storedMessage } from '../transmission/blocked.ts'
import { quoteOf } from '../transmission/transmission-response.ts'
import { AEAT, blockedReasonOfCompany, internalIdOf, periodOn } from './pending-records.ts'

/** `GET /sii/config`. */
export async function siiConfig(db: Rows, { app, company }: Call): Promise<SiiConfig> {
  const { enrollment_periods, tax_authority } = company.data.sii
  const today = app.clock.today()
  const environment = app.config.aeat === 'production' ? 'production' : 'test'
  const current = periodOn(company.data, today)
  // A company that was enrolled but is not enrolled now has the status `ceased`, even if no period states this.
  const wasEnrolled = enrollment_periods.some(({ start_date }) => start_date <= today)
  const row = await db
    .select('sii_config')
    .select(['auto_submit', 'certificate_id', 'updated_at'])
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

const columnsOf = ({ auto_submit, certificate_id }: SiiConfigRequest) => ({
  ...(auto_submit === undefined ? {} : { auto_submit: auto_submit === null ? null : auto_submit ? 1 : 0 }),
  ...(certificate_id === undefined ? {} : { certificate_id }),
})

/** `PUT /sii/config`: changes the fields in the request and returns the whole configuration. */
export async function changeSiiConfig(tx: Tx, call: Call, changes: SiiConfigRequest) {
  const { certificate_id: wanted } = changes
  if (wanted != null) {
    const known = (await listCertificates(tx)).map(({ id }) => id)
    if (!known.includes(wanted)) {
      const list = known.join(', ') || '-'
      throw invalidRequest(
        `there is no certificate ${wanted}; GET /certificates lists the certificates (available: ${list})`,
        `no existe el certificado ${wanted}; GET /certificates los lista (existen: ${list})`,
        { allowed: known },
      )
    }
  }
  const columns = columnsOf(changes)
  if (Object.keys(columns).length > 0) {
    const updated_at = call.app.clock.stamp()
    await tx.upsert('sii_config', { ...columns, updated_at }, (on) =>
      on.doUpdateSet({ ...columns, updated_at }),
    )
  }
  return siiConfig(tx, call)
}

/** Columns with an error that the authority or this server reported. */
interface ErrorColumns {
  readonly error_code: string | null
  readonly error_description: string | null
}

/** Returns this server's explanation of an error code of the authority. */
const meaningOf = (code: string | null, locale: Locale): string | null =>
  SII_ERROR_CODES.find((one) => String(one.code) === code)?.text[locale] ?? null

/** Instructions by status, for statuses that require action. */
const ADVICE: Readonly<Record<string, Text>> = ADVICE_TEXTS

/** Returns the error message, with the instruction for the status of the invoice. */
function errorMessageOf(
  { error_code, error_description }: ErrorColumns,
  status: string | null,
  locale: Locale,
): string | null {
  const messageText = storedMessage(error_description, locale) ?? meaningOf(error_code, locale)
  const advice = status === null ? undefined : ADVICE[status]?.[locale]
  if (messageText === null || !advice) return messageText
  // A text that is not one of this server's reasons comes from the authority, so it is quoted.
  const named = messageText === error_description ? quoteOf(messageText, locale) : messageText
  return `${named.replace(/(?<![.\s])[.\s]*$/, '.')} ${advice}`
}

const withMessage = <Row extends ErrorColumns>(row: Row, locale: Locale): Row => ({
  ...row,
  error_description: errorMessageOf(row, null, locale),
})

/** Returns the status. A pending change of a record that the authority has accepted has a status of its own. */
const statusOf = ({
  status,
  operation_type,
  accepted_at,
}: Pick<CompanyRow<'sii_records'>, 'status' | 'operation_type' | 'accepted_at'>): string =>
  status === 'pending' && operation_type !== 'A0' && accepted_at !== null ? 'pending_modification' : status

type Reported = Pick<CompanyRow<'sii_records'>, 'status' | 'tax_authority'> & ErrorColumns

/** Adds the reason why a pending record is not sent, if it has no error. */
function withBlock<Row extends Reported>(row: Row, blocked: Blocked | null): Row {
  if (row.status !== 'pending' || row.error_code !== null) return row
  const reason = row.tax_authority === AEAT ? blocked : ({ reason: 'other_authority' } as const)
  if (!reason) return row
  const { error_code, error_message: error_description } = errorOf(reason)
  return { ...row, error_code, error_description }
}

/** Returns the pending invoices, the nearest deadline first. */
export async function pendingOf({ app, store, company, locale }: Call, limit: number): Promise<SiiPending> {
  const today = app.clock.today()
  const blocked = blockedReasonOfCompany(company.data, today)
  const rows = await store
    .select('sii_records')
    .select(['invoice_id', 'internal_id', 'book_type', 'deadline', 'error_code', 'error_description'])
    .select(['status', 'tax_authority'])
    // A literal, so that the databases use the partial index.
    .where(sql<boolean>`status = 'pending'`)
    .orderBy('deadline')
    .orderBy('invoice_id')
    .orderBy('book_type')
    .limit(limit)
    .execute()
  const items = rows
    .map((row) => withBlock(row, blocked))
    .map(({ invoice_id, internal_id, book_type, deadline, error_code, error_description }) => ({
      invoice_public_id: invoice_id,
      invoice_id: internal_id,
      book_type,
      deadline,
      days_remaining: daysBetween(today, deadline),
      // The reason why the record is not sent. Most rows have none.
      ...(error_code === null
        ? {}
        : { error_code, error_description: errorMessageOf({ error_code, error_description }, null, locale) }),
    }))
  return { items, total: items.length }
}

const HOUR = 3_600_000
/** Returns the timestamp at which a day, or the day `days` days after it, begins in Madrid. */
function beginningOf(day: string, days = 0): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR
  return timestampOfMicroseconds((midnight - offsetHours(midnight - 2 * HOUR, 'Europe/Madrid') * HOUR) * 1000)
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

/** Returns submissions, newest first. Dates are days in Madrid. */
export async function siiSubmissionsOf(
  { store, locale }: Call,
  { limit, offset, global_status, book_type, date_from, date_to }: SiiQuery,
): Promise<SiiSubmissionPage> {
  let all = store.select('sii_submissions')
  if (global_status !== undefined) all = all.where('global_status', '=', global_status)
  if (book_type !== undefined) all = all.where('book_type', '=', book_type)
  if (date_from !== undefined) all = all.where('submitted_at', '>=', beginningOf(date_from))
  if (date_to !== undefined) all = all.where('submitted_at', '<', beginningOf(date_to, 1))
  const total = await store.countOf(all)
  const items = await all
    .select(SUBMISSION)
    .orderBy('created_at', 'desc')
    .orderBy('public_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { items: items.map((one) => withMessage(one, locale)), total, offset, limit }
}

/** Returns a submission with the result of each of its invoices. Throws `sii_submission_not_found`. */
export async function siiSubmission({ store, locale }: Call, publicId: string): Promise<SiiSubmissionDetail> {
  const submission = await store
    .find('sii_submissions', { public_id: publicId })
    .select(SUBMISSION)
    .executeTakeFirst()
  if (!submission) throw new ApiError('sii_submission_not_found')
  const items = await store
    .find('sii_submission_items', { public_id: publicId })
    .select([
      'invoice_id as invoice_public_id',
      'invoice_number',
      'item_status',
      'error_code',
      'error_description',
      'aeat_record_state',
    ])
    .orderBy('line')
    .execute()
  return { submission: withMessage(submission, locale), items: items.map((one) => withMessage(one, locale)) }
}

/** Returns the status of an invoice in each book. */
export async function siiStatusOf(
  { app, store, company, locale }: Call,
  invoiceId: string,
): Promise<readonly SiiStatus[]> {
  const blocked = blockedReasonOfCompany(company.data, app.clock.today())
  await requireInvoice(store, invoiceId, () => true)
  const rows = await store
    .find('sii_records', { invoice_id: invoiceId })
    .selectAll()
    .orderBy('book_type')
    .execute()
  return rows
    .map((one) => withBlock(one, blocked))
    .map((row) => ({
      invoice_id: internalIdOf(row.invoice_id),
      book_type: row.book_type,
      tax_authority: row.tax_authority,
      status: statusOf(row),
      deadline: row.deadline,
      submitted_at: row.submitted_at,
      accepted_at: row.accepted_at,
      error_code: row.error_code,
      error_description: errorMessageOf(
        row,
        row.status === 'rejected' && row.accepted_at !== null ? 'modification_rejected' : row.status,
        locale,
      ),
      last_submission_id: row.last_submission_id,
    }))
}
