/**
 * The statements of versions 1 to 10 of the tables, as servers ran them before the baseline. They create a database of
 * each of these versions. Never edit them.
 */
export const LANDED: readonly (readonly string[])[] = [
  [
    `create table companies (
      company_id {text} not null primary key, tax_id {text} not null, data text not null,
      created_at {text} not null, updated_at {text} not null)`,
    `create table api_keys (
      company_id {text} not null, key_id {text} not null, name text, secret_hash {text} not null,
      scopes text not null, allow_ips text not null, expires_at {text}, rate_per_minute integer,
      created_at {text} not null, revoked_at {text},
      primary key (company_id, key_id))`,
    `create table rate_buckets (
      company_id {text} not null, key_id {text} not null, tokens double precision not null,
      updated_ms bigint not null, primary key (company_id, key_id)) {keyed}`,
    `create table idempotency_keys (
      company_id {text} not null, key_id {text} not null, idempotency_key {text} not null,
      request_hash {text} not null, status integer, headers text, body text, created_ms bigint not null,
      primary key (company_id, key_id, idempotency_key))`,
    `create index idempotency_age on idempotency_keys (company_id, created_ms)`,
    `create table series (
      company_id {text} not null, series_code {text} not null, template {text} not null,
      next_number bigint not null, pdf_template text, created_at {text} not null,
      primary key (company_id, series_code)) {keyed}`,
    `create table numbers (
      company_id {text} not null, number {text} not null, series_code {text} not null, invoice_id {text},
      primary key (company_id, number)) {keyed}`,
    `create table invoices (
      company_id {text} not null, invoice_id {text} not null, direction {text} not null, status {text} not null,
      imported integer not null, document_series {text}, series {text}, number {text}, issue_date {text},
      issue_year {text}, fiscal_date {text}, external_ref {text}, supplier_tax_id {text}, supplier_name text,
      customer_tax_id {text}, customer_name text, currency {text} not null, total_base double precision not null,
      total_tax double precision not null, total double precision not null, has_errors integer not null,
      corrected_number {text}, sort_series {text} not null, sort_date {text} not null, sort_number {text} not null,
      created_at {text} not null, updated_at {text} not null,
      primary key (company_id, invoice_id))`,
    `create unique index invoices_ref on invoices (company_id, external_ref)
      where direction = 'issued' and external_ref is not null`,
    `create unique index invoices_received on invoices (company_id, supplier_tax_id, number, issue_year)
      where direction = 'received'`,
    `create index invoices_issued_order on invoices
      (company_id, sort_series, sort_date desc, sort_number, invoice_id) where direction = 'issued'`,
    `create index invoices_status_order on invoices
      (company_id, status, sort_series, sort_date desc, sort_number, invoice_id) where direction = 'issued'`,
    `create index invoices_drafts_order on invoices (company_id, created_at desc, invoice_id)
      where direction = 'issued' and status = 'draft'`,
    `create index invoices_received_order on invoices (company_id, created_at desc, invoice_id)
      where direction = 'received'`,
    `create index invoices_number on invoices (company_id, number)`,
    `create index invoices_customer on invoices (company_id, customer_tax_id) where direction = 'issued'`,
    `create index invoices_date on invoices (company_id, issue_date, direction, status, document_series)`,
    `create index invoices_corrected on invoices (company_id, corrected_number) where corrected_number is not null`,
    `create index invoices_queued on invoices (company_id, document_series) where status = 'queued'`,
    `create table invoice_documents (
      company_id {text} not null, invoice_id {text} not null, sent text not null, canonical text,
      errors text not null, primary key (company_id, invoice_id))`,
    `create table invoice_counts (
      company_id {text} not null, direction {text} not null, status {text} not null, series {text} not null,
      slot integer not null, n bigint not null,
      primary key (company_id, direction, status, series, slot)) {keyed}`,
    `create table events (
      company_id {text} not null, invoice_id {text} not null, event_id {text} not null, event_type {text} not null,
      event_code {text} not null, occurred_at {text} not null, user_id {text}, api_key_id {text},
      from_status {text}, to_status {text}, details text not null,
      primary key (company_id, invoice_id, event_id)) {keyed}`,
    `create table attachments (
      company_id {text} not null, document_id {text} not null, invoice_id {text} not null, doc_type {text} not null,
      file_name text not null, content_type text not null, metadata text, size bigint not null,
      sha256 {text} not null, file_key {text} not null, created_at {text} not null,
      primary key (company_id, document_id))`,
    `create index attachments_invoice on attachments (company_id, invoice_id, created_at)`,
    `create unique index attachments_file on attachments (company_id, file_key)`,
    `create table pending_files (
      company_id {text} not null, file_key {text} not null, owner {text}, created_ms bigint not null,
      primary key (company_id, file_key)) {keyed}`,
    `create table verifactu_periods (
      company_id {text} not null, period_id {text} not null, mode {text} not null, sandbox integer not null,
      certificate_id integer, start_date {text} not null, end_date {text}, created_at {text} not null,
      updated_at {text} not null, primary key (company_id, period_id))`,
    `create unique index verifactu_periods_open on verifactu_periods (company_id) where end_date is null`,
    `create table verifactu_chains (
      company_id {text} not null, environment {text} not null, chain {text} not null, sequence bigint not null,
      last_record text, primary key (company_id, environment, chain))`,
    `create table verifactu_records (
      company_id {text} not null, environment {text} not null, sequence bigint not null, record_id {text} not null,
      invoice_id {text} not null, num_serie {text} not null, fecha_expedicion {text} not null, tipo {text} not null,
      mode {text} not null, estado {text} not null, huella {text} not null, huella_anterior {text} not null,
      qr_url text, record text not null, xml_sent text, xml_response text, aeat_csv text, ts_gen {text} not null,
      submitted_at {text}, created_at {text} not null, updated_at {text} not null,
      primary key (company_id, environment, sequence))`,
    `create index verifactu_records_invoice on verifactu_records (company_id, invoice_id, created_at)`,
    `create index verifactu_records_pending on verifactu_records (company_id, environment, sequence)
      where estado = 'pending'`,
    `create table verifactu_events (
      company_id {text} not null, environment {text} not null, sequence bigint not null, tipo_evento {text} not null,
      mode {text} not null, fecha_hora_huso_gen_evento {text} not null, huella_evento {text} not null,
      huella_evento_anterior {text} not null, record text not null, xml text not null, created_at {text} not null,
      primary key (company_id, environment, sequence))`,
    `create table verifactu_submissions (
      company_id {text} not null, submission_id {text} not null, environment {text} not null,
      submission_type {text} not null, ref_requerimiento text, record_count integer not null,
      estado_envio {text} not null, aeat_csv text, error_code text, error_message text, submitted_at {text},
      created_at {text} not null, primary key (company_id, submission_id))`,
    `create index verifactu_submissions_order on verifactu_submissions (company_id, created_at desc, submission_id)`,
    `create table verifactu_submission_lines (
      company_id {text} not null, submission_id {text} not null, line integer not null, num_serie {text} not null,
      fecha_expedicion {text} not null, estado_registro {text} not null, codigo_error text, descripcion_error text,
      primary key (company_id, submission_id, line))`,
    `create table sii_config (
      company_id {text} not null primary key, auto_submit integer, certificate_id integer, updated_at {text} not null)`,
    `create table sii_records (
      company_id {text} not null, invoice_id {text} not null, book_type {text} not null, internal_id bigint not null,
      operation_type {text} not null, status {text} not null, deadline {text} not null, last_submission_id bigint,
      submitted_at {text}, accepted_at {text}, error_code text, error_description text, created_at {text} not null,
      updated_at {text} not null, primary key (company_id, invoice_id, book_type))`,
    `create index sii_records_pending on sii_records (company_id, deadline, invoice_id) where status = 'pending'`,
    `create table sii_submissions (
      company_id {text} not null, public_id {text} not null, internal_id bigint not null, book_type {text} not null,
      operation_type {text} not null, global_status {text} not null, submitted_at {text}, csv text,
      record_count integer not null, error_code text, error_description text, created_at {text} not null,
      primary key (company_id, public_id))`,
    `create index sii_submissions_order on sii_submissions (company_id, created_at desc, public_id)`,
    `create table sii_submission_items (
      company_id {text} not null, public_id {text} not null, line integer not null, invoice_id {text} not null,
      invoice_number {text} not null, item_status {text} not null, error_code text, error_description text,
      aeat_record_state text, primary key (company_id, public_id, line))`,
    `create table certificates (
      company_id {text} not null, certificate_id integer not null, name text not null, fingerprint {text} not null,
      purpose {text} not null, valid_from {text} not null, valid_to {text} not null, sealed text not null,
      created_at {text} not null, primary key (company_id, certificate_id))`,
    `create table filed_returns (
      company_id {text} not null, period {text} not null, first_day {text} not null, last_day {text} not null,
      filed_at {text} not null, primary key (company_id, period))`,
    `create table collections (
      company_id {text} not null, collection_id {text} not null, invoice_id {text} not null, date {text} not null,
      amount double precision not null, method {text} not null, cancelled_at {text}, created_at {text} not null,
      primary key (company_id, collection_id))`,
    `create index collections_invoice on collections (company_id, invoice_id)`,
    `create table exchange_rates (
      currency {text} not null, date {text} not null, rate {text} not null, primary key (currency, date))`,
  ],
  [
    `alter table events add column sequence bigint`,
    `alter table series add column last_date {text}`,
    `create table taxpayers (
      taxpayer_id {text} not null primary key, tax_id {text} not null, created_at {text} not null)`,
    `insert into taxpayers (taxpayer_id, tax_id, created_at) select company_id, tax_id, created_at from companies`,
  ],
  [
    `create table company_logos (
      company_id {text} not null primary key, content_type {text} not null, content text not null,
      updated_at {text} not null)`,
    `create table mails (
      company_id {text} not null, mail_id {text} not null, invoice_id {text} not null, state {text} not null,
      message_id {text} not null, sender text not null, recipients text not null, subject text not null,
      files text not null, size bigint not null, sha256 {text} not null, attempts integer not null,
      handed_over integer not null, owner {text}, due_ms bigint not null, key_id {text} not null,
      idempotency_key {text}, request_hash {text}, refused text, failure text, created_at {text} not null,
      updated_at {text} not null, sent_at {text},
      primary key (company_id, mail_id))`,
    `create index mails_open on mails (company_id, due_ms) where state in ('pending', 'sending')`,
    `create table mail_contents (
      company_id {text} not null, mail_id {text} not null, content text not null,
      primary key (company_id, mail_id))`,
    `create table recognitions (
      company_id {text} not null, sha256 {text} not null, job_id {text} not null, month {text} not null,
      lease_ms bigint not null, status {text}, score double precision, created_at {text} not null,
      primary key (company_id, sha256)) {keyed}`,
    `create index recognitions_month on recognitions (company_id, month)`,
  ],
  [
    `alter table verifactu_records add column submission_id {text}`,
    `alter table verifactu_submissions add column first_sequence bigint`,
    `alter table verifactu_submissions add column last_sequence bigint`,
    `alter table verifactu_submissions add column attempts integer`,
    `alter table verifactu_submissions add column xml text`,
    `alter table verifactu_submissions add column xml_response text`,
    `alter table verifactu_submission_lines add column sequence bigint`,
    `alter table verifactu_submission_lines add column next_step {text}`,
    `alter table verifactu_submission_lines add column next_options text`,
    `create index verifactu_submission_lines_record on verifactu_submission_lines (company_id, sequence, submission_id)`,
    `create table verifactu_queues (
      company_id {text} not null, environment {text} not null, owner {text}, fence bigint not null,
      lease_ms bigint not null, flow_ms bigint not null, retry_ms bigint not null, wait_seconds integer not null,
      failures integer not null, submission_id {text}, delayed_to bigint not null, isolation text,
      skew_ms bigint not null, updated_at {text} not null, primary key (company_id, environment))`,
  ],
  [
    `create table processes (
      owner {text} not null primary key, started_ms bigint not null, seen_ms bigint not null,
      leaving integer not null)`,
    `create table verifactu_operations (
      company_id {text} not null, environment {text} not null, owner {text}, since_ms bigint not null,
      carried_ms bigint not null, summed_records bigint not null, summed_events bigint not null,
      unclaimed bigint, checks bigint not null, checked_records bigint not null, checked_events bigint not null,
      updated_at {text} not null, primary key (company_id, environment))`,
    `create table verifactu_anomalies (
      company_id {text} not null, environment {text} not null, chain {text} not null, sequence bigint not null,
      anomaly_id {text} not null, tipo_anomalia {text} not null, name {text} not null, event_sequence bigint,
      found_at {text} not null, mended_at {text},
      primary key (company_id, environment, chain, sequence))`,
    `create index verifactu_anomalies_open on verifactu_anomalies (company_id, found_at) where mended_at is null`,
    `create index verifactu_periods_signing on verifactu_periods (company_id)
      where mode = 'no_verifactu' and end_date is null`,
  ],
  [
    `alter table sii_records add column version bigint not null default 0`,
    `alter table sii_records add column sending_id {text}`,
    `alter table sii_records add column registered text`,
    `alter table sii_records add column not_before_ms bigint not null default 0`,
    `alter table sii_records add column turns integer not null default 0`,
    `alter table sii_submissions add column environment {text}`,
    `alter table sii_submissions add column kind {text}`,
    `alter table sii_submissions add column attempts integer`,
    `alter table sii_submissions add column xml text`,
    `alter table sii_submissions add column xml_response text`,
    `alter table sii_submission_items add column record_key {text}`,
    `alter table sii_submission_items add column version bigint`,
    `create table sii_queues (
      company_id {text} not null, environment {text} not null, owner {text}, fence bigint not null,
      lease_ms bigint not null, retry_ms bigint not null, failures integer not null, submission_id {text},
      isolation text, updated_at {text} not null, primary key (company_id, environment))`,
  ],
  [
    `alter table collections add column account text`,
    `create table payments (
      company_id {text} not null, payment_id {text} not null, invoice_id {text} not null, date {text} not null,
      amount double precision not null, method {text} not null, cancelled_at {text}, created_at {text} not null,
      account text, primary key (company_id, payment_id))`,
    `create index payments_invoice on payments (company_id, invoice_id)`,
    `create table sii_cash_basis (
      company_id {text} not null, invoice_id {text} not null, book_type {text} not null, accrual_day {text} not null,
      accrued_at {text}, created_at {text} not null, primary key (company_id, invoice_id, book_type))`,
    `create index sii_cash_basis_open on sii_cash_basis (company_id, accrual_day) where accrued_at is null`,
    `create table sii_movements (
      company_id {text} not null, movement_id {text} not null, invoice_id {text} not null, book_type {text} not null,
      kind {text} not null, payment_id {text}, date {text} not null, amount double precision not null, method {text},
      account text, status {text} not null, deadline {text} not null, sending_id {text},
      not_before_ms bigint not null, last_submission_id bigint, submitted_at {text}, accepted_at {text},
      error_code text, error_description text, created_at {text} not null, updated_at {text} not null,
      primary key (company_id, movement_id))`,
    `create index sii_movements_invoice on sii_movements (company_id, invoice_id, created_at)`,
    `create index sii_movements_open on sii_movements (company_id, deadline, movement_id)
      where status in ('pending', 'rejected')`,
  ],
  [
    `drop table invoice_counts`,
    `create table invoice_counts (
      company_id {text} not null, span {text} not null, place {text} not null, part {text} not null,
      day {text} not null, status {text} not null, n bigint not null,
      primary key (company_id, span, place, part, day, status)) {keyed}`,
    `create index invoice_counts_none on invoice_counts (company_id) where n = 0`,
    `create table invoice_changes (
      company_id {text} not null, change_id {text} not null, list {text} not null, status {text} not null,
      series {text} not null, day {text} not null, created {text} not null, share {text} not null, n integer not null,
      primary key (company_id, change_id)) {keyed}`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'numbered', '', coalesce(document_series, ''),
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series <> '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'numbered_month', substr(coalesce(issue_date, ''), 1, 7), coalesce(document_series, ''),
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series <> '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'numbered_day', coalesce(issue_date, ''), coalesce(document_series, ''),
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series <> '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft', '', coalesce(document_series, ''),
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_share', case when sort_number = '' then substr(invoice_id, 1, 2) else '~' end, coalesce(document_series, ''),
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_month', substr(created_at, 1, 7), '',
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_month_dated', substr(created_at, 1, 7), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_day', substr(created_at, 1, 10), '',
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_day_dated', substr(created_at, 1, 10), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_minute_dated', substr(created_at, 1, 16), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_series', coalesce(document_series, ''), substr(created_at, 1, 10),
        '', status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'draft_series_dated', coalesce(document_series, ''), substr(created_at, 1, 10),
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'issued' and sort_series = '1' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_month', substr(created_at, 1, 7), '',
        '', status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_month_dated', substr(created_at, 1, 7), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_day', substr(created_at, 1, 10), '',
        '', status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_day_dated', substr(created_at, 1, 10), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_minute_dated', substr(created_at, 1, 16), '',
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_series', coalesce(document_series, ''), substr(created_at, 1, 10),
        '', status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `insert into invoice_counts (company_id, span, place, part, day, status, n)
      select company_id, 'received_series_dated', coalesce(document_series, ''), substr(created_at, 1, 10),
        coalesce(issue_date, ''), status, count(*)
      from invoices where direction = 'received' group by 1, 3, 4, 5, 6`,
    `drop index invoices_customer`,
    `create index invoices_customer_order on invoices (company_id, customer_tax_id, sort_series, sort_date desc,
      sort_number, invoice_id, status, document_series, issue_date) where direction = 'issued'`,
    `create index invoices_drafts_series on invoices (company_id, document_series, created_at desc, invoice_id)
      where direction = 'issued' and status = 'draft'`,
    `create index invoices_received_status on invoices (company_id, status, created_at desc, invoice_id)
      where direction = 'received'`,
    `create index invoices_received_series on invoices
      (company_id, document_series, created_at desc, invoice_id, status, issue_date) where direction = 'received'`,
    `create index invoices_received_supplier on invoices
      (company_id, supplier_tax_id, created_at desc, invoice_id, status, document_series, issue_date)
      where direction = 'received'`,
    `create index invoices_received_number on invoices (company_id, number, created_at desc, invoice_id)
      where direction = 'received'`,
    `create index invoices_received_ref on invoices (company_id, external_ref, created_at desc, invoice_id)
      where direction = 'received' and external_ref is not null`,
  ],
  [
    `create table restores (
      restore_id {text} not null primary key, backup_id {text} not null, made_at {text} not null,
      restored_at {text} not null, accepted_at {text})`,
  ],
  [
    `create index verifactu_records_remarked on verifactu_records (company_id, environment, sequence)
      where estado in ('accepted_with_errors', 'rejected')`,
  ],
]
