/** Summaries of invoices, in the shape of the API specification. */
import { legendsOf } from '#records/verifactu/qr/index.ts'
import type { InvoiceSummary } from '../../shapes/schemas.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { missingCancellations } from '../../store/missing-records.ts'
import type { CompanyRow, Rows } from '../../store/store.ts'
import { correctionsOf } from './corrections.ts'

type Corrections = InvoiceSummary['corrections']

const summaryOf = (
  row: InvoiceRow,
  corrections: Corrections,
  fiscal: InvoiceSummary['fiscal'],
): InvoiceSummary => ({
  id: row.invoice_id,
  direction: row.direction,
  status: row.status,
  series: row.series,
  number: row.number,
  issue_date: row.issue_date,
  external_id: row.external_ref,
  supplier_tax_id: row.supplier_tax_id,
  supplier_name: row.supplier_name,
  customer_tax_id: row.customer_tax_id,
  customer_name: row.customer_name,
  currency: row.currency,
  total_base: row.total_base,
  total_tax: row.total_tax,
  total: row.total,
  created_at: row.created_at,
  updated_at: row.updated_at,
  corrections,
  fiscal,
})

/** Returns summaries for lists, in which `fiscal` is null. */
export async function summariesOf(db: Rows, rows: readonly InvoiceRow[]): Promise<InvoiceSummary[]> {
  const corrections = await correctionsOf(db, rows)
  return rows.map((row) => summaryOf(row, corrections.get(row.invoice_id) ?? null, null))
}

type FiscalColumns = Pick<CompanyRow<'verifactu_records'>, 'tipo' | 'mode' | 'estado' | 'qr_url'>

/** Returns the status of the latest record. The prefix distinguishes a cancellation from a registration. */
const statusOf = ({ tipo, estado }: FiscalColumns): string =>
  tipo === 'anulacion' ? `verifactu_cancellation_${estado}` : `verifactu_${estado}`

/**
 * Returns the member `fiscal` of an issued invoice. `records` are its fiscal records, latest first. `isMissing` states
 * whether its cancellation record is missing.
 */
function fiscalWith(records: readonly FiscalColumns[], isMissing = false): InvoiceSummary['fiscal'] {
  const [latest] = records
  if (!latest) return { qr_url: null, legend: null, status: 'not_registered' }
  const registration = records.find(({ tipo }) => tipo === 'alta')
  return {
    qr_url: registration?.qr_url ?? null,
    legend: legendsOf(latest.mode === 'verifactu').below?.long ?? null,
    status: isMissing ? 'cancellation_missing' : statusOf(latest),
  }
}

/** Returns `fiscal` of a single issued invoice; null for a draft. */
async function fiscalOf(db: Rows, row: InvoiceRow): Promise<InvoiceSummary['fiscal']> {
  if (row.status === 'draft' || row.status === 'queued') return null
  const records = await db
    .find('verifactu_records', { invoice_id: row.invoice_id })
    .select(['tipo', 'mode', 'estado', 'qr_url'])
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .execute()
  const missing = row.cancellation_gap === null ? [] : await missingCancellations(db, row.invoice_id)
  return fiscalWith(
    records,
    missing.some(({ reason }) => reason !== 'not_sent'),
  )
}

/** Returns the summary of one invoice, with `fiscal` if it is issued. */
export async function singleSummary(db: Rows, row: InvoiceRow): Promise<InvoiceSummary> {
  const corrections = await correctionsOf(db, [row])
  const fiscal = row.direction === 'issued' ? await fiscalOf(db, row) : null
  return summaryOf(row, corrections.get(row.invoice_id) ?? null, fiscal)
}

/** Returns the summary of an invoice that has just been issued with this record. */
export async function issuedSummary(
  db: Rows,
  row: InvoiceRow,
  record: FiscalColumns | null,
  isCorrected: boolean,
): Promise<InvoiceSummary> {
  const corrects = row.corrected_number !== null
  const corrections = corrects || isCorrected ? await correctionsOf(db, [row]) : undefined
  return summaryOf(row, corrections?.get(row.invoice_id) ?? null, fiscalWith(record ? [record] : []))
}
