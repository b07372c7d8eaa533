/**
 * The tables, each declared once: its key, `|`, its other columns. A column is a text and has a value; `:number` is
 * another type, `:json.Name` JSON text of one, `?` may be null. What a row looks like follows from this for the compiler, and a test holds it
 * against the tables that the migrations make.
 *
 * Every key begins with `company_id`: no statement can reach another company's rows by accident, and a distributed
 * PostgreSQL shards by it. Flags are 0 or 1, dates and moments are texts, JSON is text: the same on both stores.
 */
import type { CanonicalInvoice, ValidationItem } from '../../invoice/index.ts'
import type { RegistroBajaExpedida, RegistroBajaRecibida } from '../../sii/index.ts'
import type { FiscalRecord, NextOptions, NextStep } from '../../verifactu/index.ts'
import type { Failure } from '../mail/failure.ts'
import type { Refused } from '../mail/outgoing.ts'
import type { Json } from './json.ts'

export type Direction = 'issued' | 'received'
export type Status = 'draft' | 'queued' | 'issued' | 'sent' | 'cancelled' | 'received'
export const ENVIRONMENTS = ['production', 'test'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
export type ChainName = 'records' | 'events'
export type Mode = 'verifactu' | 'no_verifactu'
export type Purpose = 'verifactu' | 'general'
export type Book = 'ISSUED' | 'RECEIVED'
/** A registration, a modification, a deletion; what was collected or paid. */
export type SiiOperation = 'A0' | 'A1' | 'BAJA' | 'COBROS' | 'PAGOS'
/** What was collected or paid, or what the law takes for it on 31 December of the year after the operation. */
export type MovementKind = 'paid' | 'accrual'
/** `pending`: to be tried again; `sending`: a process has it. */
export type MailState = 'pending' | 'sending' | 'sent' | 'failed'
/** Lists that are counted: with a number, by series and date; without one; received. */
export type CountedList = 'numbered' | 'draft' | 'received'
export type DocType = 'pdf_render' | 'xml_facturae' | 'attachment'

/** Types of anomalies of `EventosSIF.xsd`. */
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
  number: number
  Direction: Direction
  Status: Status
  Environment: Environment
  ChainName: ChainName
  Mode: Mode
  Purpose: Purpose
  Book: Book
  SiiOperation: SiiOperation
  DocType: DocType
  MailState: MailState
  MovementKind: MovementKind
  CountedList: CountedList
  Tipo: 'alta' | 'anulacion'
  NextStep: NextStep
  TipoAnomalia: TipoAnomalia
  TipoEvento: '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | '10' | '90'
}

/** A record that deletes another one from a book of the SII. */
export type Deletion = RegistroBajaExpedida | RegistroBajaRecibida

type Members = Readonly<Record<string, unknown>>

/** What columns keep as JSON. */
interface JsonTypes {
  any: unknown
  Members: Members
  Texts: readonly string[]
  Headers: Readonly<Record<string, string>>
  CanonicalInvoice: CanonicalInvoice
  Items: readonly ValidationItem[]
  FiscalRecord: FiscalRecord
  NextOptions: NextOptions
  Deletion: Deletion
  Files: readonly { readonly name: string; readonly size: number }[]
  Refused: readonly Refused[]
  Failure: Failure
}

export const TABLES = {
  /** `data` is `company.json`, completed with its defaults. */
  companies: 'company_id | tax_id data:json.any created_at updated_at',
  /** `secret_hash` is the SHA-256 of the secret, hexadecimal. */
  api_keys: `company_id key_id | name? secret_hash scopes:json.Texts allow_ips:json.Texts expires_at? rate_per_minute:number?
    created_at revoked_at?`,
  rate_buckets: 'company_id key_id | tokens:number updated_ms:number',
  idempotency_keys: `company_id key_id idempotency_key | request_hash status:number? headers:json.Headers? body?
    created_ms:number`,
  /** `last_date` is the date of the last number; null where none was given since there is this column. */
  series: 'company_id series_code | template next_number:number last_date? pdf_template? created_at',
  /** `invoice_id` is null once the invoice that held it was deleted: the number stays taken. */
  numbers: 'company_id number | series_code invoice_id?',
  /**
   * `document_series` is the series of the document, also on drafts: what the filter looks at. By its `fiscal_date`
   * the invoice belongs to a tax period. `sort_...` is the order of the issued list: no nulls, so that one index
   * serves it on both stores.
   */
  invoices: `company_id invoice_id | direction:Direction status:Status imported:number document_series? series?
    number? issue_date? issue_year? fiscal_date? external_ref? supplier_tax_id? supplier_name? customer_tax_id?
    customer_name? currency total_base:number total_tax:number total:number has_errors:number corrected_number?
    sort_series sort_date sort_number created_at updated_at`,
  /** `sent` by the client; `canonical` is what the engine made of it, null when there are only schema errors. */
  invoice_documents:
    'company_id invoice_id | sent:json.any canonical:json.CanonicalInvoice? errors:json.Items',
  /**
   * How many invoices there are, by the steps of each list (`counts.ts`): `span` is the step, `place` and `part` where
   * in it, `day` that of the invoice where the list goes by another. What nothing is counted in has no row.
   */
  invoice_counts: 'company_id span place part day status:Status | n:number',
  /** Invoices that came (1) and went (-1) since the counts were last added up, with what the counts know of them. */
  invoice_changes: 'company_id change_id | list:CountedList status:Status series day created share n:number',
  /** `sequence` is the place in the history of the invoice; null in rows of the first version, which come before. */
  events: `company_id invoice_id event_id | sequence:number? event_type event_code occurred_at user_id?
    api_key_id? from_status? to_status? details:json.Members`,
  attachments: `company_id document_id | invoice_id doc_type:DocType file_name content_type metadata:json.Members? size:number sha256
    file_key created_at`,
  /**
   * Files that are to go unless an attachment holds them: written before a file, removed with the row that keeps it.
   * `owner` is the process that writes it; null: nobody, to be removed.
   */
  pending_files: 'company_id file_key | owner? created_ms:number',
  verifactu_periods: `company_id period_id | mode:Mode sandbox:number certificate_id:number? start_date end_date?
    created_at updated_at`,
  /** `last_record` is JSON; null before the first. */
  verifactu_chains:
    'company_id environment:Environment chain:ChainName | sequence:number last_record:json.FiscalRecord?',
  verifactu_records: `company_id environment:Environment sequence:number | record_id invoice_id num_serie
    fecha_expedicion tipo:Tipo mode:Mode estado huella huella_anterior qr_url? record:json.FiscalRecord xml_sent? xml_response? aeat_csv?
    ts_gen submitted_at? created_at updated_at submission_id?`,
  /** `xml` as it was signed. */
  verifactu_events: `company_id environment:Environment sequence:number | tipo_evento:TipoEvento mode:Mode
    fecha_hora_huso_gen_evento huella_evento huella_evento_anterior record:json.FiscalRecord xml created_at`,
  /**
   * How a company works without VERI*FACTU: the process that answers for its events (null: it does not work), since
   * when, and for how long before that since the last summary; how far that summary went in both chains; the start that
   * the system made itself and nobody has asked for yet; how many checks there were, and where the next one goes on.
   */
  verifactu_operations: `company_id environment:Environment | owner? since_ms:number carried_ms:number
    summed_records:number summed_events:number unclaimed:number? checks:number checked_records:number
    checked_events:number updated_at`,
  /** What a check has found in a place of a chain; `event_sequence` is the event that says so, `name` what people call it. */
  verifactu_anomalies: `company_id environment:Environment chain:ChainName sequence:number | anomaly_id
    tipo_anomalia:TipoAnomalia name event_sequence:number? found_at mended_at?`,
  /** Records from one place in the chain to another; `xml` is the message as it went out, null while none could. */
  verifactu_submissions: `company_id submission_id | environment:Environment submission_type ref_requerimiento?
    record_count:number estado_envio aeat_csv? error_code? error_message? submitted_at? created_at
    first_sequence:number? last_sequence:number? attempts:number? xml? xml_response?`,
  /** `sequence` is the record; `next_step` and `next_options` what the answer asks for. */
  verifactu_submission_lines: `company_id submission_id line:number | num_serie fecha_expedicion estado_registro
    codigo_error? descripcion_error? sequence:number? next_step:NextStep? next_options:json.NextOptions?`,
  /**
   * The line to the authority of each chain. Who holds it until when, `fence` counting the holders; the earliest next
   * message by the authority's own time and by ours after a failure; the submission whose outcome is open; the last
   * record that was delayed by an incident; how a message that is refused as a whole is taken apart (JSON).
   */
  verifactu_queues: `company_id environment:Environment | owner? fence:number lease_ms:number flow_ms:number
    retry_ms:number wait_seconds:number failures:number submission_id? delayed_to:number isolation? skew_ms:number
    updated_at`,
  sii_config: 'company_id | auto_submit:number? certificate_id:number? updated_at',
  /**
   * What the SII has to be told of an invoice in a book, and how far that is. `version` counts what it is to be told;
   * `sending_id` is the submission that it is on its way with; `registered` identifies what the agency has (JSON: the
   * record that would delete it); it is held back until `not_before_ms`; `turns` counts operations that were changed by
   * an answer, one after the other.
   */
  sii_records: `company_id invoice_id book_type:Book | internal_id:number operation_type:SiiOperation status deadline
    last_submission_id:number? submitted_at? accepted_at? error_code? error_description? created_at updated_at
    version:number sending_id? registered:json.Deletion? not_before_ms:number turns:number`,
  /** `kind` is what it carries; `xml` is the message as it went out, null while none could. */
  sii_submissions: `company_id public_id | internal_id:number book_type:Book operation_type:SiiOperation global_status submitted_at?
    csv? record_count:number error_code? error_description? created_at environment:Environment? kind? attempts:number?
    xml? xml_response?`,
  /** `line` from 0 is the place of its record in the message; `record_key` and `version` what the record is of. */
  sii_submission_items: `company_id public_id line:number | invoice_id invoice_number item_status error_code?
    error_description? aeat_record_state? record_key? version:number?`,
  /** The line to the agency: as `verifactu_queues`, without a waiting time of its own. */
  sii_queues: `company_id environment:Environment | owner? fence:number lease_ms:number retry_ms:number failures:number
    submission_id? isolation? updated_at`,
  /** `fingerprint` is the SHA-256 of the DER; `sealed` are the PKCS#12 file and its password, encrypted. */
  certificates: `company_id certificate_id:number | name fingerprint purpose:Purpose valid_from valid_to sealed
    created_at`,
  /** What stands at the head of printed invoices: base64 of a PNG or JPEG. */
  company_logos: 'company_id | content_type content updated_at',
  filed_returns: 'company_id period | first_day last_day filed_at',
  collections:
    'company_id collection_id | invoice_id date amount:number method cancelled_at? created_at account?',
  /** As collections, of received invoices. */
  payments: 'company_id payment_id | invoice_id date amount:number method cancelled_at? created_at account?',
  /**
   * Invoices with key 07 whose collections or payments the SII is told of. What is left on `accrual_day` accrues then;
   * `accrued_at` is when that was written down.
   */
  sii_cash_basis: 'company_id invoice_id book_type:Book | accrual_day accrued_at? created_at',
  /**
   * What the SII has to be told of a collection or payment, and how far that is: `payment_id` is that of either; null
   * where nothing was paid (`accrual`). `sending_id` is the submission that it is on its way with. One that is
   * `withdrawn` was never told.
   */
  sii_movements: `company_id movement_id | invoice_id book_type:Book kind:MovementKind payment_id? date amount:number
    method? account? status deadline sending_id? not_before_ms:number last_submission_id:number?
    submitted_at? accepted_at? error_code? error_description? created_at updated_at`,
  /**
   * Every mail that was to be sent, and what became of it. While it is `sending` it is `owner`'s until `due_ms`; from
   * then on, or while it is `pending`, whoever is first takes it. `handed_over`: the mail server may have all of it.
   */
  mails: `company_id mail_id | invoice_id state:MailState message_id sender recipients:json.Texts subject files:json.Files size:number sha256
    attempts:number handed_over:number owner? due_ms:number key_id idempotency_key? request_hash? refused:json.Refused? failure:json.Failure?
    created_at updated_at sent_at?`,
  /** The bytes of a mail that is not out yet. */
  mail_contents: 'company_id mail_id | content',
  /**
   * Files that were recognised, by the SHA-256 of their bytes. Until there is a `status` somebody works on it, or died
   * over it: then `lease_ms` is past. `month` is that of Madrid: so many of them are in the plan.
   */
  recognitions: 'company_id sha256 | job_id month lease_ms:number status? score:number? created_at',
  /**
   * Who is here: a row for each company, alike on every machine of a distributed database. What is asked of all
   * companies at once is asked here, and answered while one of the machines is away.
   */
  taxpayers: 'taxpayer_id | tax_id created_at',
  /** Processes that serve, by when they were last seen; `leaving` is one that is being stopped. */
  processes: 'owner | started_ms:number seen_ms:number leaving:number',
  /**
   * Backups that this database was put back from. Until somebody has looked at what was issued after the backup, and has
   * accepted it, no server serves.
   */
  restores: 'restore_id | backup_id made_at restored_at accepted_at?',
  /** Reference rates of the central bank, the same for everyone: units of the currency per euro, as published. */
  exchange_rates: 'currency date | rate',
  schema_migrations: 'version:number | applied_at',
} as const

type Words<Text extends string> = Text extends `${infer First}\n${infer Rest}`
  ? Words<First> | Words<Rest>
  : Text extends `${infer First} ${infer Rest}`
    ? Words<First> | Words<Rest>
    : Exclude<Text, '' | '|'>
type Named<Word> = Word extends `${infer Name}:${string}` ? Name : Word extends `${infer Name}?` ? Name : Word
type Typed<Word> = Word extends `${infer Known}?`
  ? Typed<Known> | null
  : Word extends `${string}:json.${infer Type extends keyof JsonTypes}`
    ? Json<JsonTypes[Type]>
    : Word extends `${string}:${infer Type extends keyof Types}`
      ? Types[Type]
      : string

export type TableName = keyof typeof TABLES
export type Row<Table extends TableName> = {
  -readonly [Word in Words<(typeof TABLES)[Table]> as Named<Word> & string]: Typed<Word>
}
export type Tables = { [Table in TableName]: Row<Table> }

/** Tables whose rows belong to a company. */
export type CompanyTable = {
  [Table in TableName]: (typeof TABLES)[Table] extends `company_id ${string}` ? Table : never
}[TableName]
/** Tables that every company sees alike. */
export type ReferenceTable = Exclude<TableName, CompanyTable>

const isOfCompany = (table: TableName): table is CompanyTable => TABLES[table].startsWith('company_id ')
const NAMES = Object.keys(TABLES) as TableName[]
export const COMPANY_TABLES = NAMES.filter(isOfCompany)
export const REFERENCE_TABLES = NAMES.filter((table): table is ReferenceTable => !isOfCompany(table))

const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Columns as they are declared, without their types: `name?` may be null. */
export const columnsOf = (table: TableName): readonly string[] =>
  wordsOf(TABLES[table].replace(' | ', ' ').replaceAll(/:[\w.]+/g, ''))

const KEYS = new Map(
  NAMES.map((table) => [table, wordsOf(TABLES[table].replace(/\|.*/s, '').replaceAll(/:[\w.]+/g, ''))]),
)
/** The primary key of a table. */
export const keyOf = (table: TableName): readonly string[] => KEYS.get(table) ?? []
