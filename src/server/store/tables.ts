/**
 * The tables. Every key begins with `company_id`: no statement can reach another company's rows by accident, and a
 * distributed PostgreSQL shards by it. Flags are 0 or 1, dates and moments are texts, JSON is text: the same on both
 * stores.
 */
import type { Generated } from 'kysely'

export type Direction = 'issued' | 'received'
export type Status = 'draft' | 'queued' | 'issued' | 'sent' | 'cancelled' | 'received'

/** Columns are as in `schema.sql.ts`, where each is explained. */
export interface CompaniesTable {
  company_id: string
  tax_id: string
  /** `company.json`, completed with its defaults. */
  data: string
  created_at: string
  updated_at: string
}

/**
 * Who is here: a row for each company, alike on every machine of a distributed database. What is asked of all
 * companies at once is asked here, and answered while one of the machines is away.
 */
export interface TaxpayersTable {
  taxpayer_id: string
  tax_id: string
  created_at: string
}
export interface ApiKeysTable {
  company_id: string
  key_id: string
  name: string | null
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string
  scopes: string
  allow_ips: string
  expires_at: string | null
  rate_per_minute: number | null
  created_at: string
  revoked_at: string | null
}

export interface RateBucketsTable {
  company_id: string
  key_id: string
  tokens: number
  updated_ms: number
}

export interface IdempotencyTable {
  company_id: string
  key_id: string
  idempotency_key: string
  request_hash: string
  status: number | null
  headers: string | null
  body: string | null
  created_ms: number
}

export interface SeriesTable {
  company_id: string
  series_code: string
  template: string
  next_number: number
  /** Date of the last number; null where none was given since there is this column. */
  last_date: string | null
  pdf_template: string | null
  created_at: string
}

export interface NumbersTable {
  company_id: string
  number: string
  series_code: string
  /** Null once the invoice that held it was deleted: the number stays taken. */
  invoice_id: string | null
}

export interface InvoicesTable {
  company_id: string
  invoice_id: string
  direction: Direction
  status: Status
  imported: number
  /** Series of the document, also on drafts: what the filter looks at. */
  document_series: string | null
  series: string | null
  number: string | null
  issue_date: string | null
  issue_year: string | null
  /** Date by which the invoice belongs to a tax period. */
  fiscal_date: string | null
  external_ref: string | null
  supplier_tax_id: string | null
  supplier_name: string | null
  customer_tax_id: string | null
  customer_name: string | null
  currency: string
  total_base: number
  total_tax: number
  total: number
  has_errors: number
  corrected_number: string | null
  /** Order of the issued list: no nulls, so that one index serves it on both stores. */
  sort_series: string
  sort_date: string
  sort_number: string
  created_at: string
  updated_at: string
}

export interface InvoiceDocumentsTable {
  company_id: string
  invoice_id: string
  /** What the client sent. */
  sent: string
  /** What the engine made of it; null when there are only schema errors. */
  canonical: string | null
  errors: string
}

export interface InvoiceCountsTable {
  company_id: string
  direction: Direction
  status: Status
  series: string
  /** Counts are spread over slots, so that writers do not queue for one row. */
  slot: number
  n: number
}

export interface EventsTable {
  company_id: string
  invoice_id: string
  event_id: string
  /** Place in the history of its invoice; null in rows of the first version, which come before. */
  sequence: number | null
  event_type: string
  event_code: string
  occurred_at: string
  user_id: string | null
  api_key_id: string | null
  from_status: string | null
  to_status: string | null
  details: string
}

export interface AttachmentsTable {
  company_id: string
  document_id: string
  invoice_id: string
  doc_type: string
  file_name: string
  content_type: string
  metadata: string | null
  size: number
  sha256: string
  file_key: string
  created_at: string
}

/** Files that are to go unless an attachment holds them: written before a file, removed with the row that keeps it. */
export interface PendingFilesTable {
  company_id: string
  file_key: string
  /** Process that writes it; null: nobody, to be removed. */
  owner: string | null
  created_ms: number
}

export interface VerifactuPeriodsTable {
  company_id: string
  period_id: string
  mode: string
  sandbox: number
  certificate_id: number | null
  start_date: string
  end_date: string | null
  created_at: string
  updated_at: string
}

export interface VerifactuChainsTable {
  company_id: string
  environment: string
  /** `records` or `events`. */
  chain: string
  sequence: number
  /** The last record as JSON; null before the first. */
  last_record: string | null
}

export interface VerifactuRecordsTable {
  company_id: string
  environment: string
  sequence: number
  record_id: string
  invoice_id: string
  num_serie: string
  fecha_expedicion: string
  tipo: string
  mode: string
  estado: string
  huella: string
  huella_anterior: string
  qr_url: string | null
  record: string
  xml_sent: string | null
  xml_response: string | null
  aeat_csv: string | null
  ts_gen: string
  submitted_at: string | null
  created_at: string
  updated_at: string
}

export interface VerifactuEventsTable {
  company_id: string
  environment: string
  sequence: number
  tipo_evento: string
  mode: string
  fecha_hora_huso_gen_evento: string
  huella_evento: string
  huella_evento_anterior: string
  record: string
  /** As it was signed. */
  xml: string
  created_at: string
}

export interface VerifactuSubmissionsTable {
  company_id: string
  submission_id: string
  environment: string
  submission_type: string
  ref_requerimiento: string | null
  record_count: number
  estado_envio: string
  aeat_csv: string | null
  error_code: string | null
  error_message: string | null
  submitted_at: string | null
  created_at: string
}

export interface VerifactuSubmissionLinesTable {
  company_id: string
  submission_id: string
  line: number
  num_serie: string
  fecha_expedicion: string
  estado_registro: string
  codigo_error: string | null
  descripcion_error: string | null
}

export interface SiiConfigTable {
  company_id: string
  auto_submit: number | null
  certificate_id: number | null
  updated_at: string
}

/** One row per invoice and book: what the SII has to be told, and how far that is. */
export interface SiiRecordsTable {
  company_id: string
  invoice_id: string
  book_type: string
  internal_id: number
  /** `A0` registration, `A1` modification. */
  operation_type: string
  status: string
  deadline: string
  last_submission_id: number | null
  submitted_at: string | null
  accepted_at: string | null
  error_code: string | null
  error_description: string | null
  created_at: string
  updated_at: string
}

export interface SiiSubmissionsTable {
  company_id: string
  public_id: string
  internal_id: number
  book_type: string
  operation_type: string
  global_status: string
  submitted_at: string | null
  csv: string | null
  record_count: number
  error_code: string | null
  error_description: string | null
  created_at: string
}

export interface SiiSubmissionItemsTable {
  company_id: string
  public_id: string
  line: number
  invoice_id: string
  invoice_number: string
  item_status: string
  error_code: string | null
  error_description: string | null
  aeat_record_state: string | null
}

export interface CertificatesTable {
  company_id: string
  certificate_id: number
  name: string
  fingerprint: string
  purpose: string
  valid_from: string
  valid_to: string
  /** The PKCS#12 file and its password, encrypted. */
  sealed: string
  created_at: string
}

export interface FiledReturnsTable {
  company_id: string
  period: string
  first_day: string
  last_day: string
  filed_at: string
}

export interface CollectionsTable {
  company_id: string
  collection_id: string
  invoice_id: string
  date: string
  amount: number
  method: string
  cancelled_at: string | null
  created_at: string
}

/** Reference rates of the central bank, the same for everyone. */
export interface ExchangeRatesTable {
  currency: string
  date: string
  /** Units of the currency per euro, as published. */
  rate: string
}

export interface MigrationsTable {
  version: number
  applied_at: Generated<string>
}

export interface Tables {
  companies: CompaniesTable
  api_keys: ApiKeysTable
  rate_buckets: RateBucketsTable
  idempotency_keys: IdempotencyTable
  series: SeriesTable
  numbers: NumbersTable
  invoices: InvoicesTable
  invoice_documents: InvoiceDocumentsTable
  invoice_counts: InvoiceCountsTable
  events: EventsTable
  attachments: AttachmentsTable
  pending_files: PendingFilesTable
  verifactu_periods: VerifactuPeriodsTable
  verifactu_chains: VerifactuChainsTable
  verifactu_records: VerifactuRecordsTable
  verifactu_events: VerifactuEventsTable
  verifactu_submissions: VerifactuSubmissionsTable
  verifactu_submission_lines: VerifactuSubmissionLinesTable
  sii_config: SiiConfigTable
  sii_records: SiiRecordsTable
  sii_submissions: SiiSubmissionsTable
  sii_submission_items: SiiSubmissionItemsTable
  certificates: CertificatesTable
  filed_returns: FiledReturnsTable
  collections: CollectionsTable
  taxpayers: TaxpayersTable
  exchange_rates: ExchangeRatesTable
  schema_migrations: MigrationsTable
}
