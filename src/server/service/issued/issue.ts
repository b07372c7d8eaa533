/**
 * Issues an invoice: counter, number, date, fiscal record, event and SII in one transaction (API specification, "Issue
 * sequence").
 */
import { sql } from 'kysely'
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import {
  ISSUED_COLUMNS,
  isCorrected,
  isWrittenAtOnce,
  type ReadyToIssue,
  readForIssue,
  writeIssued,
} from '../../store/fast/issue.ts'
import {
  changedInvoice,
  columnsThatDiffer,
  documentToValidate,
  type InvoiceRow,
  isIssuedKind,
  updateInvoice,
} from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { invoiceAddress } from '../company/address.ts'
import { draftAsSaved } from '../invoice/as-stored.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { correctionWarnings } from '../invoice/correction-warnings.ts'
import { dateOfNext } from '../invoice/dating.ts'
import { type Action, actionOf, addEvent, eventRow, type NewEvent, setEventTrace } from '../invoice/events.ts'
import {
  type AllocatedNumber,
  advanced,
  allocateForced,
  allocateNext,
  lengthProblem,
  lockSeries,
  numberOf,
  type Series,
  storeCounter,
} from '../invoice/numbering.ts'
import { printWarnings } from '../invoice/print-warnings.ts'
import { conflict } from '../invoice/refusals.ts'
import type { Replaced } from '../invoice/replacements.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { issuedSummary } from '../invoice/summary.ts'
import { validateNow } from '../invoice/validate.ts'
import { isInSii, markForSii } from '../sii/pending.ts'
import { chainEnd } from '../verifactu/chain.ts'
import { periodForAct } from '../verifactu/mode-change.ts'
import { isChangeDue, periodOf } from '../verifactu/period.ts'
import { type RecordRow, registrationFor, storeRecord } from '../verifactu/register.ts'
import { decisionOf, lockTicket, replacementOn } from './replacement.ts'

const validationFailed = (errors: readonly ValidationItem[]): ApiError =>
  new ApiError('validation_failed', { errors })

/** Throws if a bulk issue has reserved the series, whose numbers must be consecutive. */
async function requireNoBulk(tx: Tx, series: string | null): Promise<void> {
  const queued = await tx
    .select('invoices')
    .select('invoice_id')
    // A literal: with a parameter SQLite would compile the statement again each time to choose an index.
    .where('status', '=', sql.lit('queued'))
    .where('document_series', '=', series)
    .limit(1)
    .executeTakeFirst()
  if (queued) throw new ApiError('bulk_issue_series_active', { series })
}

/** Throws if the state of the invoice or of the company does not permit issuing it. */
function requireState(call: Call, row: InvoiceRow): void {
  if (row.status === 'queued') throw new ApiError('invoice_queued_for_bulk_issue')
  if (row.status !== 'draft') throw wrongStatus(row.status, 'issued')
  if (!call.company.data.verified) throw new ApiError('company_not_verified')
}

/** The invoice to issue, locked. */
interface LockedInvoice extends Pick<ReadyToIssue, 'row' | 'sent' | 'canonical'> {
  /** All other rows that issuing needs, if one statement could lock them. */
  readonly known: ReadyToIssue | undefined
}

async function lockForIssue(
  tx: Tx,
  call: Call,
  invoiceId: string,
  read: typeof readForIssue,
): Promise<LockedInvoice> {
  const found = await read(tx, invoiceId)
  // A planned change that is due is made step by step.
  const known = found && isChangeDue(found.period, call.app.clock) ? undefined : found
  const row = known?.row ?? (await requireLocked(tx, invoiceId, isIssuedKind))
  requireState(call, row)
  if (known?.hasBulk) throw new ApiError('bulk_issue_series_active', { series: row.document_series })
  if (known) return { ...known, known }
  await requireNoBulk(tx, row.document_series)
  return { row, ...(await documentToValidate(tx, invoiceId)), known }
}

/** Returns the document with its date of issue. Tax rates and regimes depend on this date. */
function withIssueDate(sent: unknown, date: string): unknown {
  const { invoice, ...rest } = sent as CanonicalInvoice
  return { ...rest, invoice: { ...invoice, issue_data: { ...invoice.issue_data, issue_date: date } } }
}

/** Returns the validated document with this date of issue. Throws `validation_failed`. */
function validatedDocument(call: Call, sent: unknown, date: string): CanonicalInvoice {
  const { data, errors, is_valid } = validateNow(call, withIssueDate(sent, date), 'issue', {
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
  // Reserving a draft locks its series too, so a bulk issue may have begun while this waited for the lock.
  if (tx.locks) await requireNoBulk(tx, row.document_series)
  return series
}

/** Builds the record of an invoice without storing it; null if VeriFactu is not active. Throws `validation_failed`. */
async function recordFor(
  tx: Tx,
  call: Call,
  { row, known }: LockedInvoice,
  data: CanonicalInvoice,
  replaced: Replaced | undefined,
): Promise<RecordRow | null> {
  const period = known ? known.period && periodOf(known.period) : await periodForAct(tx, call)
  if (!period) return null
  const made = await registrationFor(tx, call, period, row.invoice_id, data, replaced, {
    end: (known?.end && chainEnd(call.app, tx.companyId, known.end)) ?? undefined,
    hasSeveralTaxpayers: known?.hasSeveralTaxpayers,
  })
  if (!('record' in made)) throw validationFailed(made)
  return made
}

/** Everything that issuing changes. */
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
  await lockTicket(tx, data)
  const series = await seriesFor(tx, call, ready, data.invoice.header.invoice_series_code ?? '')
  // The day may have ended while this waited for the lock. Numbers and dates must rise together.
  const today = call.app.clock.today()
  const date = dateOfNext(call, series)
  return { data: date === before ? data : validatedDocument(call, document, date), date, today, series }
}

/** Returns the changes that issuing with this number makes. Throws `validation_failed`. */
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
  const replacement = await replacementOn(tx, call, data, date)
  const warnings = [
    ...printWarnings(call.locale, data).slice(0, 1),
    ...(await correctionWarnings(tx, call.locale, data, ready.row.invoice_id)),
  ]
  const replaced = replacement?.failed ? undefined : replacement?.replaced
  const record = await recordFor(tx, call, ready, data, replaced)
  const who = actionOf(call)
  return {
    before: ready.row,
    after: changedInvoice(ready.row, {
      ...numberedColumns(data, 'issued'),
      status: 'issued',
      has_errors: 0,
      updated_at: who.stamp,
    }),
    data,
    series: advanced(series, counter, date),
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
        // The two dates differ if the clock is behind and the date of the previous number was used again.
        ...(date === today ? {} : { clock_date: today }),
        ...(replacement && decisionOf(replacement)),
        ...(warnings.length > 0 && { warnings: warnings.map(({ code }) => code) }),
      },
    },
  }
}

/** The stored changes, and whether another invoice may correct this one. */
interface Stored {
  readonly changes: Changes
  readonly isCorrected: boolean
}

const documentOf = ({ data }: Changes) => ({ canonical: JSON.stringify(data), errors: '[]' })

const isOrdinary = (column: string): boolean => (ISSUED_COLUMNS as readonly string[]).includes(column)

/**
 * Issues an invoice with the next number of the series, in one statement of PostgreSQL that also takes the number.
 * Returns undefined without writing anything if the invoice must be issued step by step.
 */
async function storeAtOnce(
  tx: Tx,
  call: Call,
  ready: LockedInvoice,
  draft: DatedDocument,
): Promise<Stored | undefined> {
  const { row: before, known } = ready
  const { series } = draft
  if (known?.series !== series || !isWrittenAtOnce(tx, before)) return undefined
  const next = { number: numberOf(series, series.next_number), counter: series.next_number }
  const changes = await changesOf(tx, call, ready, draft, next).catch((error: unknown) => {
    // The error may be caused by the number, which another invoice may already have.
    if (error instanceof ApiError) return undefined
    throw error
  })
  if (!changes || !columnsThatDiffer(before, changes.after).every(isOrdinary)) return undefined
  const { after, who, event, record } = changes
  const row = eventRow(who, event)
  const since = await writeIssued(tx, {
    invoice: after,
    series: changes.series,
    document: documentOf(changes),
    event: row,
    record,
  })
  // Another transaction may have committed between the read and its locks.
  if (since.has_bulk) throw new ApiError('bulk_issue_series_active', { series: before.document_series })
  if (since.open_period !== (known.period?.period_id ?? null)) throw conflict()
  tx.count({ before, after })
  setEventTrace(tx, after.invoice_id, row)
  return { changes, isCorrected: since.is_corrected }
}

async function storeByStep(
  tx: Tx,
  call: Call,
  ready: LockedInvoice,
  draft: DatedDocument,
  forced: string | undefined,
): Promise<Stored> {
  const { invoice_id } = ready.row
  const taken =
    forced === undefined
      ? await allocateNext(tx, draft.series, invoice_id)
      : await allocateForced(tx, draft.series, forced, invoice_id)
  const changes = await changesOf(tx, call, ready, draft, taken)
  const { before, after, series, record, who, event, replaced } = changes
  if (series !== draft.series) await storeCounter(tx, series)
  if (record) await storeRecord(tx, record)
  await updateInvoice(tx, before, after, documentOf(changes))
  if (replaced) {
    const details = { invoice_id, number: after.number }
    await addEvent(tx, who, replaced.invoice_id, { code: 'replaced', details })
  }
  await addEvent(tx, who, invoice_id, event)
  return { changes, isCorrected: await isCorrected(tx, taken.number) }
}

/** Issues an invoice. `read` reads all needed rows with one statement; if it cannot, they are read step by step. */
export async function issueInvoice(
  tx: Tx,
  call: Call,
  invoiceId: string,
  forced: string | undefined,
  read = readForIssue,
) {
  const ready = await lockForIssue(tx, call, invoiceId, read)
  const draft = await dateDocument(tx, call, ready)
  const { changes, isCorrected } =
    (forced === undefined && (await storeAtOnce(tx, call, ready, draft))) ||
    (await storeByStep(tx, call, ready, draft, forced))
  const { after, data, record, who } = changes
  if (isInSii(call.company.data, data)) await markForSii(tx, call, after, data, 'A0', who.stamp)
  tx.afterCommit(async () => call.app.metrics.countIssued())
  return issuedSummary(tx, after, record, isCorrected)
}
