/**
 * The tables as version 10 had them, from which every database begins, and the versions after it, forward only: one that
 * was released is never edited, the next one is added below it. A database of an earlier version is given what it lacks.
 *
 * Every primary key, unique key and index begins with `company_id`; a test reads them back and says so. The tables
 * without that column (`taxpayers`, `exchange_rates`, `schema_migrations`) are the same for everyone.
 */

/** The version of the tables below. */
export const BASELINE = 10

/**
 * Key, `|`, other columns. A column without a type is a text ordered by code point; `:text` is one that is not ordered
 * by, `=` a default, `?` may be null.
 */
export const BASELINE_TABLES: Readonly<Record<string, string>> = {
  companies: 'company_id | tax_id data:text created_at updated_at',
  api_keys: `company_id key_id | name:text? secret_hash scopes:text allow_ips:text expires_at?
    rate_per_minute:integer? created_at revoked_at?`,
  rate_buckets: 'company_id key_id | tokens:double updated_ms:bigint',
  idempotency_keys: `company_id key_id idempotency_key | request_hash status:integer? headers:text?
    body:text? created_ms:bigint`,
  series: 'company_id series_code | template next_number:bigint pdf_template:text? created_at last_date?',
  numbers: 'company_id number | series_code invoice_id?',
  invoices: `company_id invoice_id | direction status imported:integer document_series? series? number?
    issue_date? issue_year? fiscal_date? external_ref? supplier_tax_id? supplier_name:text? customer_tax_id?
    customer_name:text? currency total_base:double total_tax:double total:double has_errors:integer
    corrected_number? sort_series sort_date sort_number created_at updated_at`,
  invoice_documents: 'company_id invoice_id | sent:text canonical:text? errors:text',
  events: `company_id invoice_id event_id | event_type event_code occurred_at user_id? api_key_id?
    from_status? to_status? details:text sequence:bigint?`,
  attachments: `company_id document_id | invoice_id doc_type file_name:text content_type:text metadata:text?
    size:bigint sha256 file_key created_at`,
  pending_files: 'company_id file_key | owner? created_ms:bigint',
  verifactu_periods: `company_id period_id | mode sandbox:integer certificate_id:integer? start_date
    end_date? created_at updated_at`,
  verifactu_chains: 'company_id environment chain | sequence:bigint last_record:text?',
  verifactu_records: `company_id environment sequence:bigint | record_id invoice_id num_serie
    fecha_expedicion tipo mode estado huella huella_anterior qr_url:text? record:text xml_sent:text?
    xml_response:text? aeat_csv:text? ts_gen submitted_at? created_at updated_at submission_id?`,
  verifactu_events: `company_id environment sequence:bigint | tipo_evento mode fecha_hora_huso_gen_evento
    huella_evento huella_evento_anterior record:text xml:text created_at`,
  verifactu_submissions: `company_id submission_id | environment submission_type ref_requerimiento:text?
    record_count:integer estado_envio aeat_csv:text? error_code:text? error_message:text? submitted_at?
    created_at first_sequence:bigint? last_sequence:bigint? attempts:integer? xml:text? xml_response:text?`,
  verifactu_submission_lines: `company_id submission_id line:integer | num_serie fecha_expedicion
    estado_registro codigo_error:text? descripcion_error:text? sequence:bigint? next_step?
    next_options:text?`,
  sii_config: 'company_id | auto_submit:integer? certificate_id:integer? updated_at',
  sii_records: `company_id invoice_id book_type | internal_id:bigint operation_type status deadline
    last_submission_id:bigint? submitted_at? accepted_at? error_code:text? error_description:text?
    created_at updated_at version:bigint=0 sending_id? registered:text? not_before_ms:bigint=0
    turns:integer=0`,
  sii_submissions: `company_id public_id | internal_id:bigint book_type operation_type global_status
    submitted_at? csv:text? record_count:integer error_code:text? error_description:text? created_at
    environment? kind? attempts:integer? xml:text? xml_response:text?`,
  sii_submission_items: `company_id public_id line:integer | invoice_id invoice_number item_status
    error_code:text? error_description:text? aeat_record_state:text? record_key? version:bigint?`,
  certificates: `company_id certificate_id:integer | name:text fingerprint purpose valid_from valid_to
    sealed:text created_at`,
  filed_returns: 'company_id period | first_day last_day filed_at',
  collections: `company_id collection_id | invoice_id date amount:double method cancelled_at? created_at
    account:text?`,
  exchange_rates: 'currency date | rate',
  taxpayers: 'taxpayer_id | tax_id created_at',
  company_logos: 'company_id | content_type content:text updated_at',
  mails: `company_id mail_id | invoice_id state message_id sender:text recipients:text subject:text
    files:text size:bigint sha256 attempts:integer handed_over:integer owner? due_ms:bigint key_id
    idempotency_key? request_hash? refused:text? failure:text? created_at updated_at sent_at?`,
  mail_contents: 'company_id mail_id | content:text',
  recognitions: 'company_id sha256 | job_id month lease_ms:bigint status? score:double? created_at',
  verifactu_queues: `company_id environment | owner? fence:bigint lease_ms:bigint flow_ms:bigint
    retry_ms:bigint wait_seconds:integer failures:integer submission_id? delayed_to:bigint isolation:text?
    skew_ms:bigint updated_at`,
  processes: 'owner | started_ms:bigint seen_ms:bigint leaving:integer',
  verifactu_operations: `company_id environment | owner? since_ms:bigint carried_ms:bigint
    summed_records:bigint summed_events:bigint unclaimed:bigint? checks:bigint checked_records:bigint
    checked_events:bigint updated_at`,
  verifactu_anomalies: `company_id environment chain sequence:bigint | anomaly_id tipo_anomalia name
    event_sequence:bigint? found_at mended_at?`,
  sii_queues: `company_id environment | owner? fence:bigint lease_ms:bigint retry_ms:bigint failures:integer
    submission_id? isolation:text? updated_at`,
  payments: `company_id payment_id | invoice_id date amount:double method cancelled_at? created_at
    account:text?`,
  sii_cash_basis: 'company_id invoice_id book_type | accrual_day accrued_at? created_at',
  sii_movements: `company_id movement_id | invoice_id book_type kind payment_id? date amount:double method?
    account:text? status deadline sending_id? not_before_ms:bigint last_submission_id:bigint? submitted_at?
    accepted_at? error_code:text? error_description:text? created_at updated_at`,
  invoice_counts: 'company_id span place part day status | n:bigint',
  invoice_changes: 'company_id change_id | list status series day created share n:integer',
  restores: 'restore_id | backup_id made_at restored_at accepted_at?',
}

/** Tables with short rows, which SQLite keeps in the tree of their key. */
export const KEYED: ReadonlySet<string> = new Set([
  'rate_buckets',
  'series',
  'numbers',
  'invoice_counts',
  'events',
  'pending_files',
  'recognitions',
  'invoice_changes',
])

export const BASELINE_INDEXES: readonly string[] = [
  `index idempotency_age on idempotency_keys (company_id, created_ms)`,
  `unique index invoices_ref on invoices (company_id, external_ref)
    where direction = 'issued' and external_ref is not null`,
  `unique index invoices_received on invoices (company_id, supplier_tax_id, number, issue_year)
    where direction = 'received'`,
  `index invoices_issued_order on invoices
    (company_id, sort_series, sort_date desc, sort_number, invoice_id) where direction = 'issued'`,
  `index invoices_status_order on invoices
    (company_id, status, sort_series, sort_date desc, sort_number, invoice_id) where direction = 'issued'`,
  `index invoices_drafts_order on invoices (company_id, created_at desc, invoice_id)
    where direction = 'issued' and status = 'draft'`,
  `index invoices_received_order on invoices (company_id, created_at desc, invoice_id)
    where direction = 'received'`,
  `index invoices_number on invoices (company_id, number)`,
  `index invoices_date on invoices (company_id, issue_date, direction, status, document_series)`,
  `index invoices_corrected on invoices (company_id, corrected_number) where corrected_number is not null`,
  `index invoices_queued on invoices (company_id, document_series) where status = 'queued'`,
  `index attachments_invoice on attachments (company_id, invoice_id, created_at)`,
  `unique index attachments_file on attachments (company_id, file_key)`,
  `unique index verifactu_periods_open on verifactu_periods (company_id) where end_date is null`,
  `index verifactu_records_invoice on verifactu_records (company_id, invoice_id, created_at)`,
  `index verifactu_records_pending on verifactu_records (company_id, environment, sequence)
    where estado = 'pending'`,
  `index verifactu_submissions_order on verifactu_submissions (company_id, created_at desc, submission_id)`,
  `index sii_records_pending on sii_records (company_id, deadline, invoice_id) where status = 'pending'`,
  `index sii_submissions_order on sii_submissions (company_id, created_at desc, public_id)`,
  `index collections_invoice on collections (company_id, invoice_id)`,
  `index mails_open on mails (company_id, due_ms) where state in ('pending', 'sending')`,
  `index recognitions_month on recognitions (company_id, month)`,
  `index verifactu_submission_lines_record on verifactu_submission_lines (company_id, sequence, submission_id)`,
  `index verifactu_anomalies_open on verifactu_anomalies (company_id, found_at) where mended_at is null`,
  `index verifactu_periods_signing on verifactu_periods (company_id)
    where mode = 'no_verifactu' and end_date is null`,
  `index payments_invoice on payments (company_id, invoice_id)`,
  `index sii_cash_basis_open on sii_cash_basis (company_id, accrual_day) where accrued_at is null`,
  `index sii_movements_invoice on sii_movements (company_id, invoice_id, created_at)`,
  `index sii_movements_open on sii_movements (company_id, deadline, movement_id)
    where status in ('pending', 'rejected')`,
  `index invoice_counts_none on invoice_counts (company_id) where n = 0`,
  `index invoices_customer_order on invoices (company_id, customer_tax_id, sort_series, sort_date desc,
    sort_number, invoice_id, status, document_series, issue_date) where direction = 'issued'`,
  `index invoices_drafts_series on invoices (company_id, document_series, created_at desc, invoice_id)
    where direction = 'issued' and status = 'draft'`,
  `index invoices_received_status on invoices (company_id, status, created_at desc, invoice_id)
    where direction = 'received'`,
  `index invoices_received_series on invoices
    (company_id, document_series, created_at desc, invoice_id, status, issue_date) where direction = 'received'`,
  `index invoices_received_supplier on invoices
    (company_id, supplier_tax_id, created_at desc, invoice_id, status, document_series, issue_date)
    where direction = 'received'`,
  `index invoices_received_number on invoices (company_id, number, created_at desc, invoice_id)
    where direction = 'received'`,
  `index invoices_received_ref on invoices (company_id, external_ref, created_at desc, invoice_id)
    where direction = 'received' and external_ref is not null`,
  `index verifactu_records_remarked on verifactu_records (company_id, environment, sequence)
    where estado in ('accepted_with_errors', 'rejected')`,
]

/** The statements of each version after the baseline; `{text}` is text ordered by code point. */
export const MIGRATIONS: readonly (readonly string[])[] = []
