/** Invoice summaries: rows as the specification shows them. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import type { InvoiceRow } from '../store/invoices.ts'
import type { Reader } from '../store/store.ts'

interface CorrectiveLink {
  readonly invoice_id: string
  readonly series: string | null
  readonly number: string | null
  readonly issue_date: string | null
  readonly correction_type: string | null
}

type Corrections = { readonly corrects?: unknown; readonly corrected_by?: readonly CorrectiveLink[] } | null

type Corrective = NonNullable<CanonicalInvoice['invoice']['header']['corrective']>
type Original = Pick<
  InvoiceRow,
  'invoice_id' | 'series' | 'number' | 'issue_date' | 'direction' | 'supplier_tax_id'
>

/** What one of them does not say is not held against the other. */
const agree = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a == null || b == null || a === b

/**
 * Whether an invoice is the one that a corrective means: by number, series and date. Numbers of received invoices are
 * the suppliers': the same number of another supplier is another invoice.
 */
const isCorrectedBy = (original: Original, corrective: InvoiceRow, block: Corrective | undefined): boolean =>
  original.number !== null &&
  original.number === corrective.corrected_number &&
  original.invoice_id !== corrective.invoice_id &&
  original.direction === corrective.direction &&
  (original.direction === 'issued' || original.supplier_tax_id === corrective.supplier_tax_id) &&
  agree(block?.invoice_series_code, original.series) &&
  agree(block?.invoice_issue_date, original.issue_date)

/** Corrections of each row, with three queries for any number of rows. */
async function correctionsOf(
  db: Reader,
  companyId: string,
  rows: readonly InvoiceRow[],
): Promise<Map<string, Corrections>> {
  const found = new Map<string, Corrections>()
  const numbers = [...new Set(rows.flatMap(({ number }) => number ?? []))]
  const corrected = [...new Set(rows.flatMap(({ corrected_number }) => corrected_number ?? []))]
  const inForce = ['issued', 'sent', 'received'] as const
  const correctives =
    numbers.length === 0
      ? []
      : await db
          .selectFrom('invoices')
          .selectAll()
          .where('company_id', '=', companyId)
          .where('corrected_number', 'in', numbers)
          .where('status', 'in', inForce)
          .execute()
  const originals =
    corrected.length === 0
      ? []
      : await db
          .selectFrom('invoices')
          .select(['invoice_id', 'series', 'number', 'issue_date', 'direction', 'supplier_tax_id'])
          .where('company_id', '=', companyId)
          .where('number', 'in', corrected)
          .execute()
  const wanted = [...correctives, ...rows.filter(({ corrected_number }) => corrected_number !== null)].map(
    ({ invoice_id }) => invoice_id,
  )
  const documents =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('invoice_documents')
          .select(['invoice_id', 'canonical'])
          .where('company_id', '=', companyId)
          .where('invoice_id', 'in', wanted)
          .execute()
  const blocks = new Map(
    documents.map(({ invoice_id, canonical }) => [
      invoice_id,
      canonical === null ? undefined : (JSON.parse(canonical) as CanonicalInvoice).invoice.header.corrective,
    ]),
  )
  for (const row of rows) {
    const block = row.corrected_number === null ? undefined : blocks.get(row.invoice_id)
    const original = originals.find((one) => isCorrectedBy(one, row, block))
    const corrects = block && {
      correction_type: block.correction_type ?? null,
      reason_code: block.reason_code ?? null,
      corrected_series: block.invoice_series_code ?? null,
      corrected_number: block.invoice_number ?? null,
      corrected_issue_date: block.invoice_issue_date ?? null,
      match_status: original ? 'matched' : 'not_found',
      corrected_invoice_id: original?.invoice_id ?? null,
    }
    const corrected_by = correctives
      .filter((one) => isCorrectedBy(row, one, blocks.get(one.invoice_id)))
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
      .map((one) => ({
        invoice_id: one.invoice_id,
        series: one.series,
        number: one.number,
        issue_date: one.issue_date,
        correction_type: blocks.get(one.invoice_id)?.correction_type ?? null,
      }))
    const corrections = {
      ...(corrects ? { corrects } : {}),
      ...(corrected_by.length > 0 ? { corrected_by } : {}),
    }
    found.set(row.invoice_id, corrects || corrected_by.length > 0 ? corrections : null)
  }
  return found
}

interface Fiscal {
  readonly qr_url: string | null
  readonly legend: string | null
  readonly status: string
}

/** As lists have it: `fiscal` is null there. */
const plainSummary = (row: InvoiceRow, corrections: Corrections) => ({
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
  fiscal: null as Fiscal | null,
})

export async function summariesOf(db: Reader, companyId: string, rows: readonly InvoiceRow[]) {
  const corrections = await correctionsOf(db, companyId, rows)
  return rows.map((row) => plainSummary(row, corrections.get(row.invoice_id) ?? null))
}

export async function summaryOf(db: Reader, companyId: string, row: InvoiceRow) {
  const [summary] = await summariesOf(db, companyId, [row])
  return summary as ReturnType<typeof plainSummary>
}

/** What the law prints beside the QR code of an invoice that is verified. */
const LEGENDS: Readonly<Record<string, string | null>> = {
  verifactu: 'Factura verificable en la sede electrónica de la AEAT',
  no_verifactu: null,
}

/** `fiscal` of a single issued invoice; null on a draft. */
async function fiscalOf(db: Reader, companyId: string, row: InvoiceRow): Promise<Fiscal | null> {
  if (row.status === 'draft' || row.status === 'queued') return null
  const records = await db
    .selectFrom('verifactu_records')
    .select(['tipo', 'mode', 'estado', 'qr_url'])
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', row.invoice_id)
    .orderBy('created_at', 'desc')
    .orderBy('sequence', 'desc')
    .execute()
  const [latest] = records
  if (!latest) return { qr_url: null, legend: null, status: 'not_registered' }
  const registration = records.find(({ tipo }) => tipo === 'alta')
  return {
    qr_url: registration?.qr_url ?? null,
    legend: LEGENDS[latest.mode] ?? null,
    // Of a cancellation: the registration stands as it was, and what is under way is that it stands no more.
    status:
      latest.tipo === 'anulacion' ? `verifactu_cancellation_${latest.estado}` : `verifactu_${latest.estado}`,
  }
}

/** The summary of one invoice; issued ones have `fiscal`. */
export async function singleSummary(db: Reader, companyId: string, row: InvoiceRow) {
  const summary = await summaryOf(db, companyId, row)
  return row.direction === 'issued' ? { ...summary, fiscal: await fiscalOf(db, companyId, row) } : summary
}
