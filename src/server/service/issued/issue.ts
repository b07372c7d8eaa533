/** Issue: counter, number, date, fiscal record, event and pending SII in one transaction (specification, "Issue sequence"). */
import { sql } from 'kysely'
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { documentOf, type InvoiceRow, isIssuedKind, updateInvoice } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { dateOfNext } from '../invoice/dating.ts'
import { acting, addEvent } from '../invoice/events.ts'
import { judgeAtOnce } from '../invoice/judge.ts'
import { assignForced, assignNext, lengthProblem, lockSeries } from '../invoice/numbering.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { singleSummary } from '../invoice/summary.ts'
import { markForSii } from '../sii/pending.ts'
import { openPeriodOf } from '../verifactu/period.ts'
import { register } from '../verifactu/register.ts'

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
async function requireIssuable(tx: Tx, call: Call, row: InvoiceRow): Promise<void> {
  if (row.status === 'queued') throw new ApiError('invoice_queued_for_bulk_issue')
  if (row.status !== 'draft')
    throw new ApiError('invalid_status_transition', { from: row.status, to: 'issued' })
  if (!call.company.data.verified) throw new ApiError('company_not_verified')
  await requireNoBulk(tx, row.document_series)
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

export async function issueInvoice(tx: Tx, call: Call, invoiceId: string, forced: string | undefined) {
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  await requireIssuable(tx, call, row)
  const { sent } = await documentOf(tx, invoiceId)
  const document: unknown = JSON.parse(sent)
  // Judged before anything that others may wait for is locked.
  let date = call.app.clock.today()
  let data = finished(call, document, date)
  const series = await lockSeries(tx, data.invoice.header.invoice_series_code ?? '', call.app.clock.stamp())
  // Whoever queues a draft locks its series too: while this waited, a bulk issue may have begun.
  if (tx.locks) await requireNoBulk(tx, row.document_series)
  // The day may have ended while waiting: numbers and dates rise together.
  const today = call.app.clock.today()
  const dated = dateOfNext(call, series)
  if (dated !== date) {
    date = dated
    data = finished(call, document, date)
  }
  const number =
    forced === undefined
      ? await assignNext(tx, series, invoiceId, date)
      : await assignForced(tx, series, forced, invoiceId, date)
  const tooLong = lengthProblem(number, 'error', call.locale)
  if (tooLong) throw failed([tooLong])
  const header = { ...data.invoice.header, invoice_number: number }
  data = { ...data, invoice: { ...data.invoice, header } }
  const period = await openPeriodOf(tx)
  if (period) {
    const items = await register(tx, call, period, invoiceId, data)
    if (items.length > 0) throw failed(items)
  }
  const who = acting(call)
  const issued = await updateInvoice(
    tx,
    row,
    { ...numberedColumns(data, 'issued'), status: 'issued', has_errors: 0, updated_at: who.stamp },
    { canonical: JSON.stringify(data), errors: '[]' },
  )
  await markForSii(tx, call, issued, data, 'A0', who.stamp)
  await addEvent(tx, who, invoiceId, {
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
  })
  tx.afterCommit(async () => call.app.metrics.issued())
  return singleSummary(tx, issued)
}
