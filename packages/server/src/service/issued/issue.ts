/**
 * Issues an invoice in one transaction: counter, number, date, fiscal record, event and SII (API specification, "Issue
 * sequence"). It first reads and locks all rows, then determines every change, then writes the changes.
 */
import { sql } from 'kysely'
import type { CanonicalInvoice, ValidationItem } from '#core/invoice/index.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import { ISSUED_COLUMNS, type ReadyToIssue, readForIssue, writeIssued } from '../../store/fast/fast-issue.ts'
import {
  differingColumns,
  documentToValidate,
  type InvoiceRow,
  invoiceWithChanges,
  isIssuedKind,
  updateInvoice,
} from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { invoiceAddress } from '../company/company-address.ts'
import { draftAsSaved } from '../invoice/as-stored.ts'
import { correctionWarnings } from '../invoice/correction-warnings.ts'
import { nextIssueDate } from '../invoice/dating.ts'
import { type Action, actionOf, addEvent, eventRow, type NewEvent, setEventTrace } from '../invoice/events.ts'
import { numberedColumns } from '../invoice/invoice-columns.ts'
import { issuedSummary } from '../invoice/invoice-summary.ts'
import {
  type AllocatedNumber,
  allocateForced,
  allocateNext,
  lengthProblem,
  lockSeries,
  type Series,
  seriesAfterNumber,
  storeCounter,
} from '../invoice/numbering.ts'
import { printWarnings } from '../invoice/print-warnings.ts'
import { concurrentChangeError } from '../invoice/refusals.ts'
import type { Replaced } from '../invoice/replacements.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { validateOnEventLoop } from '../invoice/validate-sent.ts'
import { isInSii, markForSii } from '../sii/pending-records.ts'
import { chainEnd } from '../verifactu/company-chains.ts'
import { periodForGenerating } from '../verifactu/mode-change.ts'
import { buildRegistration, type RecordRow, storeRecord } from '../verifactu/register.ts'
import { isChangeDue, periodOf } from '../verifactu/verifactu-period.ts'
import { decisionOf, lockRelatedSimplified, replacementAtDate } from './replacement.ts'

const validationFailed = (errors: readonly ValidationItem[]): ApiError =>
  new ApiError('validation_failed', { errors })

const bulkActive = (series: string | null): ApiError => new ApiError('bulk_issue_series_active', { series })

/** Throws if a bulk issue has reserved the series, whose numbers must be consecutive. */
async function requireNoBulk(tx: Tx, series: string | null): Promise<void> {
  const queued = await tx
    .select('invoices')
    .select('invoice_id')
    // A literal. With a parameter, SQLite would compile the statement at each execution to choose an index.
    .where('status', '=', sql.lit('queued'))
    .where('document_series', '=', series)
    .limit(1)
    .executeTakeFirst()
  if (queued) throw bulkActive(series)
}

/** Throws if the state of the invoice or of the company does not permit issuing it. */
function requireState(call: Call, row: InvoiceRow): void {
  if (row.status === 'queued') throw new ApiError('invoice_queued_for_bulk_issue')
  if (row.status !== 'draft') throw wrongStatus(row.status, 'issued')
  if (!call.company.data.verified) throw new ApiError('company_not_verified')
}

/** The invoice to issue, locked. */
interface LockedInvoice extends Pick<ReadyToIssue, 'row' | 'sent' | 'canonical'> {
  /** All other rows that issuing needs, if one statement could read and lock them. */
  readonly known: ReadyToIssue | undefined
}

/** Reads all rows with one statement. Returns undefined if the rows must be read one by one. */
export type ReadInOneStatement = (tx: Tx, invoiceId: string) => Promise<ReadyToIssue | undefined>

async function lockForIssue(
  tx: Tx,
  call: Call,
  invoiceId: string,
  readAtOnce: ReadInOneStatement | null,
): Promise<LockedInvoice> {
  const known = await readAtOnce?.(tx, invoiceId)
  // A planned change of the company's period that is due is applied first, which needs the row-by-row path.
  if (known && !isChangeDue(known.period, call.app.clock)) {
    requireState(call, known.row)
    if (known.hasBulk) throw bulkActive(known.row.document_series)
    return { ...known, known }
  }
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  requireState(call, row)
  await requireNoBulk(tx, row.document_series)
  return { row, ...(await documentToValidate(tx, invoiceId)), known: undefined }
}

/** Returns the document with its date of issue. Tax rates and regimes depend on this date. */
function withIssueDate(sent: unknown, date: string): unknown {
  const { invoice, ...rest } = sent as CanonicalInvoice
  return { ...rest, invoice: { ...invoice, issue_data: { ...invoice.issue_data, issue_date: date } } }
}

/** Returns the document, validated with this date of issue. Throws `validation_failed`. */
function validatedDocument(call: Call, sent: unknown, date: string): CanonicalInvoice {
  const { data, errors, is_valid } = validateOnEventLoop(call, withIssueDate(sent, date), 'issue', {
    today: date,
    totals: 'check',
    issuerAddress: invoiceAddress(call.company.data),
  })
  if (!is_valid || !data) throw validationFailed(errors)
  return data
}

async function seriesFor(tx: Tx, call: Call, { row, known }: LockedInvoice, code: string): Promise<Series> {
  if (known?.series.series_code === code) return known.series
  const series = await lockSeries(tx, code, call.app.clock.stamp())
  // A bulk issue also locks the series. It may have reserved a draft while this request waited for the lock.
  if (tx.locks) await requireNoBulk(tx, row.document_series)
  return series
}

/** Builds the fiscal record of an invoice, unstored; null if VeriFactu is not active. Throws `validation_failed`. */
async function recordFor(
  tx: Tx,
  call: Call,
  { row, known }: LockedInvoice,
  data: CanonicalInvoice,
  replaced: Replaced | undefined,
): Promise<RecordRow | null> {
  const period = known ? known.period && periodOf(known.period) : await periodForGenerating(tx, call)
  if (!period) return null
  const made = await buildRegistration(tx, call, period, row.invoice_id, data, replaced, {
    end: (known?.end && chainEnd(call.app, tx.companyId, known.end)) ?? undefined,
    hasSeveralTaxpayers: known?.hasSeveralTaxpayers,
  })
  if (!('record' in made)) throw validationFailed(made)
  return made
}

/** All data that issuing an invoice changes. */
interface Changes {
  readonly before: InvoiceRow
  readonly after: InvoiceRow
  readonly data: CanonicalInvoice
  readonly series: Series
  readonly record: RecordRow | null
  readonly who: Action
  readonly event: NewEvent
  /** The simplified invoice that the invoice replaces (type F3). */
  readonly replaced: Replaced | undefined
}

/** A validated document with its date of issue and its locked series. */
interface DatedDocument {
  readonly data: CanonicalInvoice
  readonly date: string
  /** The current date of the clock. */
  readonly today: string
  readonly series: Series
}

async function dateDocument(tx: Tx, call: Call, ready: LockedInvoice): Promise<DatedDocument> {
  const document = draftAsSaved(ready)
  // Validates before locking the series, because other requests wait for that lock and a large document takes time.
  const before = call.app.clock.today()
  const data = validatedDocument(call, document, before)
  await lockRelatedSimplified(tx, data)
  const series = await seriesFor(tx, call, ready, data.invoice.header.invoice_series_code ?? '')
  // The day may have changed while the request waited for the lock. Numbers and dates must increase together.
  const today = call.app.clock.today()
  const date = nextIssueDate(call, series)
  return { data: date === before ? data : validatedDocument(call, document, date), date, today, series }
}

/** Returns the changes for issuing the invoice with this number. Throws `validation_failed`. */
async function changesOf(
  tx: Tx,
  call: Call,
  ready: LockedInvoice,
  { data: numberless, date, today, series }: DatedDocument,
  { number, counter }: AllocatedNumber,
): Promise<Changes> {
  const tooLong = lengthProblem(number, 'error', call.locale)
  if (tooLong) throw validationFailed([tooLong])
  const header = { ...numberless.invoice.header, invoice_number: number }
  const data = { ...numberless, invoice: { ...numberless.invoice, header } }
  const replacement = await replacementAtDate(tx, call, data, date)
  const warnings = [
    ...printWarnings(call.locale, data).slice(0, 1),
    ...(await correctionWarnings(tx, call.locale, data, ready.row.invoice_id)),
  ]
  const replaced = replacement?.failed ? undefined : replacement?.replaced
  const record = await recordFor(tx, call, ready, data, replaced)
  const who = actionOf(call)
  return {
    before: ready.row,
    after: invoiceWithChanges(ready.row, {
      ...numberedColumns(data, 'issued'),
      status: 'issued',
      has_errors: 0,
      updated_at: who.stamp,
    }),
    data,
    series: seriesAfterNumber(series, counter, date),
    record,
    who,
    replaced,
    event: {
      code: 'issued',
      from: 'draft',
      to: 'issued',
      details: {
        issue_date: date,
        series: series.series_code,
        number,
        // The two dates differ if the clock is behind, so that the date of the previous number was used again.
        ...(date === today ? {} : { clock_date: today }),
        ...(replacement && decisionOf(replacement)),
        ...(warnings.length > 0 && { warnings: warnings.map(({ code }) => code) }),
      },
    },
  }
}

const isOrdinary = (column: string): boolean => (ISSUED_COLUMNS as readonly string[]).includes(column)

/** Writes all changes with one statement. Returns whether another invoice states that it corrects this one. */
async function writeAtOnce(tx: Tx, changes: Changes, period: ReadyToIssue['period']): Promise<boolean> {
  const { before, after, data, series, record, who } = changes
  const event = eventRow(who, changes.event)
  const since = await writeIssued(tx, { invoice: after, series, document: documentOf(data), event, record })
  // Another transaction may have committed after the rows were read and before they were locked.
  if (since.has_bulk) throw bulkActive(before.document_series)
  if (since.open_period !== (period?.period_id ?? null)) throw concurrentChangeError()
  tx.count({ before, after })
  setEventTrace(tx, after.invoice_id, event)
  return since.is_corrected
}

/** Writes the changes row by row. Returns whether another invoice states that it corrects this one. */
async function writeByRow(tx: Tx, changes: Changes): Promise<boolean> {
  const { before, after, data, series, record, who, event, replaced } = changes
  const { invoice_id, number } = after
  await storeCounter(tx, series)
  if (record) await storeRecord(tx, record)
  await updateInvoice(tx, before, after, documentOf(data))
  if (replaced)
    await addEvent(tx, who, replaced.invoice_id, { code: 'replaced', details: { invoice_id, number } })
  await addEvent(tx, who, invoice_id, event)
  const corrective = await tx
    .find('invoices', { corrected_number: number })
    .select('invoice_id')
    .limit(1)
    .executeTakeFirst()
  return corrective !== undefined
}

const documentOf = (data: CanonicalInvoice) => ({ canonical: JSON.stringify(data), errors: '[]' })

/**
 * Issues an invoice. `forced` is a number chosen by the client. PostgreSQL reads and writes the rows with two
 * statements.
 */
export async function issueInvoice(
  tx: Tx,
  call: Call,
  invoiceId: string,
  forced: string | undefined,
  readAtOnce: ReadInOneStatement | null = tx.locks ? readForIssue : null,
) {
  const ready = await lockForIssue(tx, call, invoiceId, readAtOnce)
  const draft = await dateDocument(tx, call, ready)
  const number = await (forced === undefined
    ? allocateNext(tx, draft.series, invoiceId)
    : allocateForced(tx, draft.series, forced, invoiceId))
  const changes = await changesOf(tx, call, ready, draft, number)
  const { before, after, data, record, who } = changes
  const isCorrected =
    ready.known && !changes.replaced && differingColumns(before, after).every(isOrdinary)
      ? await writeAtOnce(tx, changes, ready.known.period)
      : await writeByRow(tx, changes)
  if (isInSii(call.company.data, data)) await markForSii(tx, call, after, data, 'A0', who.stamp)
  tx.afterCommit(async () => call.app.metrics.countIssued())
  return issuedSummary(tx, after, record, isCorrected)
}
