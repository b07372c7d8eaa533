/**
 * Declares each table once: the columns of its key, `|`, and its other columns. A column without a type is a non-null
 * text, ordered by code point. After the name, `:text` is a text without that order, `:json.Name` is JSON with the type
 * `Name`, and `:integer`, `:bigint` and `:double` are numbers. Any other type is a union of texts. `=` sets a default;
 * `?` allows null. `x_digest` is the SHA-256 of column `x`, and `digest` that of the columns before it (`digests.ts`).
 * The types of rows and the SQL of the tables are derived from these declarations.
 *
 * Every key begins with `company_id`. So no statement reaches rows of another company by mistake, and a distributed
 * PostgreSQL can shard by company. In both databases, flags are 0 or 1, dates and timestamps are texts, and JSON is
 * text.
 */
import type { CanonicalInvoice, ValidationItem } from '#core/invoice/index.ts'
import type { RegistroBajaExpedida, RegistroBajaRecibida } from '#records/sii/index.ts'
import type { FiscalRecord, NextOptions, NextStep, SistemaInformatico } from '#records/verifactu/index.ts'
import type { Failure } from '../mail/failure.ts'
import type { RefusedAddress } from '../mail/outgoing.ts'
import type { Json } from './stored-json.ts'

export type Direction = 'issued' | 'received'
export type Status = 'draft' | 'queued' | 'issued' | 'sent' | 'cancelled' | 'received'
export const ENVIRONMENTS = ['production', 'test'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export type ChainName = 'records' | 'events'
export type Mode = 'verifactu' | 'no_verifactu'
export type Purpose = 'verifactu' | 'general'
export type Book = 'ISSUED' | 'RECEIVED'
/** The tax authority that keeps the books: that of the State, or that of the Canary Islands. */
export type SiiAuthority = 'aeat' | 'atc'
/** Operations of the SII: registration, modification, deletion, collections and payments. */
export type SiiOperation = 'A0' | 'A1' | 'BAJA' | 'COBROS' | 'PAGOS'
/**
 * `paid` is a collection or payment. `accrual` is the accrual of the unpaid amount on 31 December of the year after the
 * operation.
 */
export type MovementKind = 'paid' | 'accrual'
/** `pending`: a process will send the mail, or try again. `sending`: a process is sending it. */
export type MailState = 'pending' | 'sending' | 'sent' | 'failed'
/** Lists with stored counts: invoices with a number, invoices without a number, received invoices. */
export type CountedList = 'numbered' | 'draft' | 'received'
export type DocType = 'pdf_render' | 'xml_facturae' | 'attachment'

/**
 * Reasons why a cancellation needs no record: the invoice was sent by mail before, another system issued it, or it has
 * no valid registration record. In the last case it has none, or all were rejected because another system used its
 * number.
 */
export const CLOSED_CANCELLATION_GAPS = ['sent', 'imported', 'never_registered'] as const

/**
 * Reasons why a cancellation record is still missing. `other_environment`: the invoice is registered in the environment
 * that was not in use. `not_sent`: the record was generated without VERI*FACTU, but the tax authority has the
 * registration.
 */
export const OPEN_CANCELLATION_GAPS = [
  'no_period',
  'no_certificate',
  'not_signed',
  'other_system',
  'not_generated',
  'other_environment',
  'not_sent',
] as const

export type ClosedGap = (typeof CLOSED_CANCELLATION_GAPS)[number]
export type OpenGap = (typeof OPEN_CANCELLATION_GAPS)[number]
export type CancellationGap = ClosedGap | OpenGap

/** Types of anomalies, from `EventosSIF.xsd`. */
export type TipoAnomalia =
  | '01'
  | '02'
  | '03'
  | '04'
  | '05'
  | '06'
  | '07'
  | '08'
  | '09'
  | '10'
  | '11'
  | '12'
  | '13'
  | '14'
  | '15'
  | '90'

interface Types {
  integer: number
  bigint: number
  double: number
  Direction: Direction
  Status: Status
  Environment: Environment
  ChainName: ChainName
  Mode: Mode
  Purpose: Purpose
  Book: Book
  SiiOperation: SiiOperation
  SiiAuthority: SiiAuthority
  DocType: DocType
  MailState: MailState
  MovementKind: MovementKind
  CountedList: CountedList
  CancellationGap: CancellationGap
  Tipo: 'alta' | 'anulacion'
  NextStep: NextStep
  TipoAnomalia: TipoAnomalia
  TipoEvento: '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | '10' | '90'
}

/** A record that deletes another record from a book of the SII. */
export type Deletion = RegistroBajaExpedida | RegistroBajaRecibida

/** A chain that began after another one in the same sequence. Its first record, at `first`, has no previous record. */
export interface ChainStart {
  readonly first: number
  readonly begun_at: string
  /** The system for which an administrator began the chain; null if it began automatically. */
  readonly system: SistemaInformatico | null
}

type Members = Readonly<Record<string, unknown>>

/** Types of the JSON columns. */
interface JsonTypes {
  any: unknown
  Members: Members
  Texts: readonly string[]
  Headers: Readonly<Record<string, string>>
  CanonicalInvoice: CanonicalInvoice
  Items: readonly ValidationItem[]
  FiscalRecord: FiscalRecord
  NextOptions: NextOptions
  ChainStarts: readonly ChainStart[]
  Deletion: Deletion
  Files: readonly { readonly name: string; readonly size: number }[]
  Refused: readonly RefusedAddress[]
  Failure: Failure
}

export const TABLES = {
  /** `data` is `company.json` with its defaults filled in. */
  companies: 'company_id | tax_id data:json.any digest created_at updated_at',
  /** `secret_hash` is the SHA-256 of the secret, hexadecimal. */
  api_keys: `company_id key_id | name:text? secret_hash scopes:json.Texts allow_ips:json.Texts expires_at?
    rate_per_minute:integer? created_at revoked_at?`,
  rate_buckets: 'company_id key_id | tokens:double updated_ms:bigint',
  /** `owner` is the request that does the work in several transactions. It last renewed its claim at `created_ms`. */
  idempotency_keys: `company_id idempotency_key | request_hash status:integer? headers:json.Headers? body:text?
    created_ms:bigint owner?`,
  /** `last_date` is the date of the last number. It is null before the first number. */
  series: 'company_id series_code | template next_number:bigint last_date? pdf_template:text? created_at',
  /** `invoice_id` is null if the invoice was deleted. Its number is not assigned again. */
  numbers: 'company_id number | series_code invoice_id?',
  /**
   * `document_series` is the series that the document states, also for drafts; filters use it. `fiscal_date` determines
   * the filing period of the invoice. The `sort_...` columns contain the sort order of the issued list, without nulls,
   * so that one index supports it in both databases. `cancellation_gap` is the reason why the cancellation has no
   * record in VeriFactu, or one that was not sent (`missing-records.ts`).
   */
  invoices: `company_id invoice_id | direction:Direction status:Status imported:integer document_series?
    series? number? issue_date? issue_year? fiscal_date? external_ref? supplier_tax_id? supplier_name:text?
    customer_tax_id? customer_name:text? currency total_base:double total_tax:double total:double
    has_errors:integer corrected_number? cancellation_gap:CancellationGap? sort_series sort_date sort_number
    created_at updated_at`,
  /**
   * `sent` is the document as the client sent it. `canonical` is the engine's document; it is null if there are only
   * schema errors.
   */
  invoice_documents: `company_id invoice_id | sent:json.any canonical:json.CanonicalInvoice? errors:json.Items
    sent_digest canonical_digest? errors_digest`,
  /**
   * Numbers of invoices per span of each list (`counts.ts`). `span` is the name of the span; `place` and `part` are the
   * position in it. `day` is the date of the invoice if the list is not sorted by date. A count of 0 has no row.
   */
  invoice_counts: 'company_id span place part day status:Status | n:bigint',
  /**
   * Invoices added (`n` is 1) and removed (`n` is -1) since the counts were last updated, with the columns that the
   * counts use.
   */
  invoice_changes: 'company_id change_id | list:CountedList status:Status series day created share n:integer',
  /** `sequence` is the position in the history of the invoice. */
  events: `company_id invoice_id event_id | event_type event_code occurred_at user_id? api_key_id? from_status?
    to_status? details:json.Members digest sequence:bigint`,
  attachments: `company_id document_id | invoice_id doc_type:DocType file_name:text content_type:text
    size:bigint sha256 file_key created_at digest metadata:json.Members? metadata_digest?`,
  /**
   * Files that are deleted unless an attachment refers to them. The row is written before the file. The transaction
   * that inserts the attachment removes the row. `owner` is the process that is writing the file; null if no process
   * is.
   */
  pending_files: 'company_id file_key | owner? created_ms:bigint',
  verifactu_periods: `company_id period_id | mode:Mode sandbox:integer certificate_id:integer? start_date
    end_date? created_at updated_at`,
  /** The period that replaces the open one on `start_date`, as it will be stored in `verifactu_periods`. */
  verifactu_planned_periods: `company_id | period_id mode:Mode sandbox:integer certificate_id:integer? start_date
    created_at updated_at`,
  /**
   * `last_record` is null before the first record. `starts` lists the chains that began later in the same sequence;
   * null if there is only one chain. `simulated` is 1 if all records of the current chain were generated for the
   * simulator.
   */
  verifactu_chains: `company_id environment:Environment chain:ChainName | sequence:bigint
    last_record:json.FiscalRecord? starts:json.ChainStarts? simulated:integer`,
  verifactu_records: `company_id environment:Environment sequence:bigint | record_id invoice_id num_serie
    fecha_expedicion tipo:Tipo mode:Mode estado huella huella_anterior qr_url:text? record:json.FiscalRecord
    xml_sent:text? xml_response:text? aeat_csv:text? ts_gen submitted_at? created_at updated_at
    submission_id?`,
  /** `xml` is the signed event record. */
  verifactu_events: `company_id environment:Environment sequence:bigint | tipo_evento:TipoEvento mode:Mode
    fecha_hora_huso_gen_evento huella_evento huella_evento_anterior record:json.FiscalRecord xml:text
    created_at`,
  /**
   * The operation of a company in the mode without VERI*FACTU. `owner` is the process that records its events; null
   * while the system is not operating. `since_ms` is the start of the operation. `carried_ms` is the operating time
   * between the last summary and that start. `summed_...` is the last position of both chains in that summary.
   * `unclaimed` is a start event that the system recorded automatically, before a client requested it. `checks` is the
   * number of checks. `checked_...` is the last position that they have checked.
   */
  verifactu_operations: `company_id environment:Environment | owner? since_ms:bigint carried_ms:bigint
    summed_records:bigint summed_events:bigint unclaimed:bigint? checks:bigint checked_records:bigint
    checked_events:bigint updated_at`,
  /**
   * An anomaly at a position of a chain. `event_sequence` is the event record that reports the anomaly. `name` is the
   * display name of the anomalous record.
   */
  verifactu_anomalies: `company_id environment:Environment chain:ChainName sequence:bigint | anomaly_id
    tipo_anomalia:TipoAnomalia name event_sequence:bigint? found_at resolved_at?`,
  /**
   * A message with the records from `first_sequence` to `last_sequence`. `xml` is the message as sent; it is null if no
   * message was sent.
   */
  verifactu_submissions: `company_id submission_id | environment:Environment submission_type
    ref_requerimiento:text? record_count:integer estado_envio aeat_csv:text? error_code:text?
    error_message:text? submitted_at? created_at first_sequence:bigint? last_sequence:bigint?
    attempts:integer? xml:text? xml_response:text? xml_digest? xml_response_digest?`,
  /** `sequence` is the position of the record. `next_step` and `next_options` state what the response requires next. */
  verifactu_submission_lines: `company_id submission_id line:integer | num_serie fecha_expedicion
    estado_registro codigo_error:text? descripcion_error:text? sequence:bigint? next_step:NextStep?
    next_options:json.NextOptions?`,
  /**
   * The queue to the tax authority of each chain. The process `owner` holds it until `lease_ms`; `fence` counts its
   * holders so far. The next message is not sent before `flow_ms` (the authority's wait time) and `retry_ms`
   * (`pause_ms` after a failure). `submission_id` is the submission whose outcome is unknown. `delayed_to` is the last
   * record that an incident delayed. `isolation` (JSON) states how to split a message that was rejected as a whole.
   */
  verifactu_queues: `company_id environment:Environment | owner? fence:bigint lease_ms:bigint flow_ms:bigint
    retry_ms:bigint pause_ms:bigint wait_seconds:integer failures:integer submission_id?
    delayed_to:bigint isolation:text? skew_ms:bigint updated_at`,
  sii_config: 'company_id | auto_submit:integer? certificate_id:integer? updated_at',
  /**
   * The record of an invoice in a book of the SII, with its status. `version` counts the changes to report.
   * `sending_id` is the submission that includes the record. `registered` (JSON) identifies the record that the tax
   * authority has, in the form of the record that deletes it. The record is deferred for `pause_ms`, until
   * `not_before_ms`. `turns` counts consecutive responses that changed the operation. `tax_authority` is the authority
   * that keeps the book: that of the company when the invoice was first marked.
   */
  sii_records: `company_id invoice_id book_type:Book | internal_id:bigint tax_authority:SiiAuthority
    operation_type:SiiOperation status deadline last_submission_id:bigint? submitted_at? accepted_at?
    error_code:text? error_description:text? created_at updated_at version:bigint=0 sending_id?
    registered:json.Deletion? not_before_ms:bigint=0 pause_ms:bigint=0 turns:integer=0`,
  /** `kind` is the name of the channel. `xml` is the message as sent; it is null if no message was sent. */
  sii_submissions: `company_id public_id | internal_id:bigint book_type:Book operation_type:SiiOperation
    global_status submitted_at? csv:text? record_count:integer error_code:text? error_description:text?
    created_at environment:Environment? kind? attempts:integer? xml:text? xml_response:text? xml_digest?
    xml_response_digest?`,
  /**
   * `line` is the index of the record in the message, from 0. `record_key` and `version` identify the reported record
   * and its version.
   */
  sii_submission_items: `company_id public_id line:integer | invoice_id invoice_number item_status
    error_code:text? error_description:text? aeat_record_state:text? record_key? version:bigint?`,
  /** The queue to the tax authority. It has the columns of `verifactu_queues`, but no wait time. */
  sii_queues: `company_id environment:Environment | owner? fence:bigint lease_ms:bigint retry_ms:bigint
    pause_ms:bigint failures:integer submission_id? isolation:text? updated_at`,
  /**
   * `fingerprint` is the SHA-256 of the DER encoding. `self_signed` is 1 for certificates that only the simulator
   * accepts. `sealed` is the encrypted text of the PKCS#12 file and its password.
   */
  certificates: `company_id certificate_id:integer | name:text fingerprint purpose:Purpose valid_from
    valid_to self_signed:integer sealed:text created_at`,
  /** The logo at the head of printed invoices: base64 of a PNG or JPEG. */
  company_logos: 'company_id | content_type content:text updated_at',
  filed_returns: 'company_id period | first_day last_day filed_at',
  collections: `company_id collection_id | invoice_id date amount:double method account:text? created_at digest
    cancelled_at? cancelled_at_digest?`,
  /** Like `collections`, for received invoices. */
  payments: `company_id payment_id | invoice_id date amount:double method account:text? created_at digest
    cancelled_at? cancelled_at_digest?`,
  /**
   * Invoices with regime key 07 whose collections or payments are reported to the SII. The unpaid part accrues on
   * `accrual_day`; `accrued_at` is when the accrual was recorded.
   */
  sii_cash_basis: 'company_id invoice_id book_type:Book | accrual_day accrued_at? created_at',
  /**
   * The report of a collection or payment to the SII, with its status. `payment_id` is the id of the collection or
   * payment; null for an `accrual`. `sending_id` is the submission that includes the report. A `withdrawn` movement
   * need not be reported, because it was never sent, or because the record of its invoice has been deleted since.
   */
  sii_movements: `company_id movement_id | invoice_id book_type:Book kind:MovementKind payment_id? date
    amount:double method? account:text? status deadline sending_id? not_before_ms:bigint
    pause_ms:bigint last_submission_id:bigint? submitted_at? accepted_at? error_code:text? error_description:text?
    created_at updated_at`,
  /**
   * Every mail with its outcome. While a mail is `sending`, the process `owner` holds it until `due_ms`. After that
   * time, or while the mail is `pending`, any process may take it. `handed_over` is 1 if the mail server may have
   * received the whole mail.
   */
  mails: `company_id mail_id | invoice_id state:MailState message_id sender:text recipients:json.Texts
    subject:text files:json.Files size:bigint sha256 attempts:integer handed_over:integer owner?
    due_ms:bigint key_id idempotency_key? request_hash? refused:json.Refused? failure:json.Failure?
    created_at updated_at sent_at?`,
  /** The bytes of a mail that has not been sent yet. */
  mail_contents: 'company_id mail_id | content:text',
  /**
   * Recognised files, by the SHA-256 of their bytes. While `status` is null, a process is reading the file. If
   * `lease_ms` has passed, that process has failed or could not read the file. `failures` counts the failed attempts.
   * `month` is the month in Madrid for the quota of the plan.
   */
  recognitions:
    'company_id sha256 | job_id month lease_ms:bigint failures:integer=0 status? score:double? created_at',
  /**
   * One row per company, replicated to every node of a distributed database. Queries over all companies use this table,
   * so they also work while a node is down.
   */
  taxpayers: 'taxpayer_id | tax_id created_at',
  /** Server processes, with the time of their last heartbeat. `leaving` is 1 for a process that is being stopped. */
  processes: 'owner | started_ms:bigint seen_ms:bigint leaving:integer',
  /**
   * Backups from which this database was restored. No server starts until an administrator has checked what was issued
   * after the backup, and has accepted the restore. `skipped_numbers` is the number of invoice numbers that every
   * series skips, including series that are created later.
   */
  restores: 'restore_id | backup_id made_at restored_at accepted_at? skipped_numbers:bigint',
  /**
   * Reference exchange rates of the European Central Bank, for all companies: units of the currency per euro, as
   * published.
   */
  exchange_rates: 'currency date | rate',
  /** `fingerprint` identifies the declarations in this file from which the tables were created (`migrate.ts`). */
  schema_migrations: 'version:integer | applied_at fingerprint',
} as const

type Declarations<Text extends string> = Text extends `${infer First}\n${infer Rest}`
  ? Declarations<First> | Declarations<Rest>
  : Text extends `${infer First} ${infer Rest}`
    ? Declarations<First> | Declarations<Rest>
    : Exclude<Text, '' | '|'>
type Named<Declaration> = Declaration extends `${infer Name}:${string}`
  ? Name
  : Declaration extends `${infer Name}?`
    ? Name
    : Declaration
type Typed<Declaration> = Declaration extends `${infer Known}?`
  ? Typed<Known> | null
  : Declaration extends `${infer Known}=0`
    ? Typed<Known>
    : Declaration extends `${string}:json.${infer Type extends keyof JsonTypes}`
      ? Json<JsonTypes[Type]>
      : Declaration extends `${string}:${infer Type extends keyof Types}`
        ? Types[Type]
        : string

export type TableName = keyof typeof TABLES
export type Row<Table extends TableName> = {
  -readonly [Declaration in Declarations<(typeof TABLES)[Table]> as Named<Declaration> &
    string]: Typed<Declaration>
}
export type Tables = { [Table in TableName]: Row<Table> }

/** Columns that only the store writes. */
export type Digest = 'digest' | `${string}_digest`

/** Tables whose rows belong to a company. */
export type CompanyTable = {
  [Table in TableName]: (typeof TABLES)[Table] extends `company_id ${string}` ? Table : never
}[TableName]
/** Tables that all companies share. */
export type ReferenceTable = Exclude<TableName, CompanyTable>

const isOfCompany = (table: TableName): table is CompanyTable => TABLES[table].startsWith('company_id ')
export const TABLE_NAMES = Object.keys(TABLES) as TableName[]
export const COMPANY_TABLES = TABLE_NAMES.filter(isOfCompany)
export const REFERENCE_TABLES = TABLE_NAMES.filter((table): table is ReferenceTable => !isOfCompany(table))

const declarationsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

interface Column {
  readonly name: string
  readonly type: string
  /** The default value in SQL; empty if there is none. */
  readonly initial: string
  readonly isNullable: boolean
}

function columnIn(declaration: string): Column {
  const [, name = '', type = '', initial = '', nullable] =
    /^(\w+)(?::([\w.]*))?(?:=(\d*))?(\?)?$/.exec(declaration) ?? []
  return { name, type, initial, isNullable: nullable !== undefined }
}

const COLUMNS = new Map(
  TABLE_NAMES.map((table) => {
    const [key = [], others = []] = TABLES[table].split('|').map((part) => declarationsOf(part).map(columnIn))
    return [table, { key: key.map(({ name }) => name), all: [...key, ...others] }]
  }),
)

/** Columns of a table, key columns first. */
export const columnsOf = (table: TableName): readonly Column[] => COLUMNS.get(table)?.all ?? []

/** Columns of a table by their names. */
export const columnNamesOf = (table: TableName): readonly string[] => columnsOf(table).map(({ name }) => name)

/** The primary key of a table. */
export const keyOf = (table: TableName): readonly string[] => COLUMNS.get(table)?.key ?? []

/** Tables with short rows. SQLite stores these rows in the tree of the key. */
export const TABLES_WITHOUT_ROWID: ReadonlySet<TableName> = new Set([
  'rate_buckets',
  'series',
  'numbers',
  'invoice_counts',
  'events',
  'pending_files',
  'recognitions',
  'invoice_changes',
])

export const INDEXES: readonly string[] = [
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
  `index invoices_cancellation_gap on invoices (company_id, cancellation_gap)
    where cancellation_gap is not null`,
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
  `index verifactu_anomalies_open on verifactu_anomalies (company_id, found_at) where resolved_at is null`,
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
