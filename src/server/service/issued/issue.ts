/** Issue: counter, number, date, fiscal record, event and pending SII in one transaction (specification, "Issue sequence"). */
import { sql } from 'kysely'
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import {
  changedInvoice,
  columnsThatDiffer,
  documentToJudge,
  type InvoiceRow,
  isIssuedKind,
  updateInvoice,
} from '../../store/invoices.ts'
import { ISSUED_COLUMNS, type IssueRow, readForIssue, writeIssued } from '../../store/issue-statements.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { dateOfNext } from '../invoice/dating.ts'
import { type Acting, acting, addEvent, eventRow, leavesEvent, type NewEvent } from '../invoice/events.ts'
import { judgeAtOnce } from '../invoice/judge.ts'
import {
  advanced,
  lengthProblem,
  lockSeries,
  type Series,
  storeCounter,
  takeForced,
  takeNext,
} from '../invoice/numbering.ts'
import { raced } from '../invoice/refusals.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { issuedSummary } from '../invoice/summary.ts'
import { markForSii } from '../sii/pending.ts'
import { openPeriodOf } from '../verifactu/period.ts'
import { type RecordRow, registrationFor, storeRecord } from '../verifactu/register.ts'
import { endIn, invoiceIn, periodIn, seriesIn } from './issue-row.ts'

const failed = (errors: readonly ValidationItem[]): ApiError => new ApiError('validation_failed', { errors })

/** Throws where a bulk issue has the series: its numbers are to follow each other. */
async function requireNoBulk(tx: Tx, series: string | null): Promise<void> {
  const queued = await tx
    .select('invoices')
    .select('invoice_id')
    // Written out: a parameter makes SQLite compile the statement again each time, to see which index holds it.
    .where('status', '=', sql.lit('queued'))
    .where('document_series', '=', series)
    .limit(1)
    .executeTakeFirst()
  if (queued) throw new ApiError('bulk_issue_series_active', { series })
}

/** Why an invoice may not be issued by its state. */
function requireState(call: Call, row: InvoiceRow): void {
  if (row.status === 'queued') throw new ApiError('invoice_queued_for_bulk_issue')
  if (row.status !== 'draft') throw wrongStatus(row.status, 'issued')
  if (!call.company.data.verified) throw new ApiError('company_not_verified')
}

/** What there is to issue, locked, and what of the rest was locked with it. */
interface Ready {
  readonly row: InvoiceRow
  readonly sent: string
  /** The ordinary case: everything was free, and is locked by one statement. */
  readonly known: IssueRow | undefined
}

async function lockForIssue(tx: Tx, call: Call, invoiceId: string): Promise<Ready> {
  const known = await readForIssue(tx, invoiceId)
  const row = known ? invoiceIn(known) : await requireLocked(tx, invoiceId, isIssuedKind)
  requireState(call, row)
  if (known?.has_bulk) throw new ApiError('bulk_issue_series_active', { series: row.document_series })
  if (known) return { row, sent: known.sent, known }
  await requireNoBulk(tx, row.document_series)
  const { sent } = await documentToJudge(tx, invoiceId)
  return { row, sent, known }
}

/** The document with the date that it is issued on: rates and regimes are judged by it. */
function datedOn(sent: unknown, date: string): unknown {
  const { invoice, ...rest } = sent as CanonicalInvoice
  return { ...rest, invoice: { ...invoice, issue_data: { ...invoice.issue_data, issue_date: date } } }
}

/** The finished document on a day. Throws `validation_failed`. */
function finished(call: Call, sent: unknown, date: string): CanonicalInvoice {
  const { data, errors, is_valid } = judgeAtOnce(call, datedOn(sent, date), 'issue', {
    today: date,
    totals: 'check',
  })
  if (!is_valid || !data) throw failed(errors)
  return data
}

/** The series that a finished document is in, locked. */
async function seriesFor(tx: Tx, call: Call, { row, known }: Ready, code: string): Promise<Series> {
  if (known?.series_code === code) return seriesIn(known)
  const series = await lockSeries(tx, code, call.app.clock.stamp())
  // Whoever queues a draft locks its series too: while this waited, a bulk issue may have begun.
  if (tx.locks) await requireNoBulk(tx, row.document_series)
  return series
}

/** The record of an invoice, made and not stored; null where the company has none. Throws `validation_failed`. */
async function recordFor(
  tx: Tx,
  call: Call,
  { row, known }: Ready,
  data: CanonicalInvoice,
): Promise<RecordRow | null> {
  const period = known ? periodIn(known) : await openPeriodOf(tx)
  if (!period) return null
  const isOfSeveral = known && known.taxpayers > 1
  const made = await registrationFor(tx, call, period, row.invoice_id, data, {
    end: known && endIn(known),
    isOfSeveral,
  })
  if (!('record' in made)) throw failed(made)
  return made
}

/** Everything that issuing changes, but the number, which is taken. */
interface Changes {
  readonly before: InvoiceRow
  readonly after: InvoiceRow
  readonly data: CanonicalInvoice
  readonly series: Series
  readonly record: RecordRow | null
  readonly who: Acting
  readonly event: NewEvent
}

/** Writes it in one go. Answers whether an invoice says that it corrects this one. */
async function writeAtOnce(tx: Tx, known: IssueRow, changes: Changes): Promise<boolean> {
  const { before, after, data, series, record, who, event } = changes
  const row = eventRow(who, event)
  const since = await writeIssued(tx, {
    invoice: after,
    series,
    document: { canonical: JSON.stringify(data), errors: '[]' },
    event: row,
    record,
  })
  // Between the read and its locks somebody else may have been here.
  if (since.has_bulk) throw new ApiError('bulk_issue_series_active', { series: before.document_series })
  if (since.open_period !== known.period_id) throw raced()
  tx.count({ before, after })
  leavesEvent(tx, after.invoice_id, row)
  return Boolean(since.is_corrected)
}

/** The same where columns change that mostly do not, or where the rows were locked one by one. */
async function writeByStep(tx: Tx, lockedSeries: Series, changes: Changes): Promise<void> {
  const { before, after, data, series, record, who, event } = changes
  if (series !== lockedSeries) await storeCounter(tx, series)
  if (record) await storeRecord(tx, record)
  await updateInvoice(tx, before, after, { canonical: JSON.stringify(data), errors: '[]' })
  await addEvent(tx, who, after.invoice_id, event)
}

const isOrdinary = (column: string): boolean => (ISSUED_COLUMNS as readonly string[]).includes(column)

export async function issueInvoice(tx: Tx, call: Call, invoiceId: string, forced: string | undefined) {
  const ready = await lockForIssue(tx, call, invoiceId)
  const { row: before, sent, known } = ready
  const document: unknown = JSON.parse(sent)
  // What is large is judged before anything that others may wait for is locked.
  let date = call.app.clock.today()
  let data = finished(call, document, date)
  const series = await seriesFor(tx, call, ready, data.invoice.header.invoice_series_code ?? '')
  // The day may have ended while waiting: numbers and dates rise together.
  const today = call.app.clock.today()
  const dated = dateOfNext(call, series)
  if (dated !== date) {
    date = dated
    data = finished(call, document, date)
  }
  const { number, counter } =
    forced === undefined
      ? await takeNext(tx, series, invoiceId)
      : await takeForced(tx, series, forced, invoiceId)
  const tooLong = lengthProblem(number, 'error', call.locale)
  if (tooLong) throw failed([tooLong])
  const header = { ...data.invoice.header, invoice_number: number }
  data = { ...data, invoice: { ...data.invoice, header } }
  const record = await recordFor(tx, call, ready, data)
  const who = acting(call)
  const changes: Changes = {
    before,
    after: changedInvoice(before, {
      ...numberedColumns(data, 'issued'),
      status: 'issued',
      has_errors: 0,
      updated_at: who.stamp,
    }),
    data,
    series: advanced(series, counter, date),
    record,
    who,
    event: {
      code: 'issued',
      from: 'draft',
      to: 'issued',
      details: {
        issue_date: date,
        series: series.series_code,
        number,
        // Where they differ, the date of the number before this one was kept.
        ...(date === today ? {} : { clock_date: today }),
      },
    },
  }
  const { after } = changes
  let isCorrected = true
  const atOnce =
    known?.series_code === series.series_code && columnsThatDiffer(before, after).every(isOrdinary)
  if (known && atOnce) isCorrected = await writeAtOnce(tx, known, changes)
  else await writeByStep(tx, series, changes)
  await markForSii(tx, call, after, data, 'A0', who.stamp)
  tx.afterCommit(async () => call.app.metrics.issued())
  return issuedSummary(tx, after, record, isCorrected)
}
