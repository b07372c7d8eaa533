/**
 * The statements of issuing, which is what a server does most under load: what it has to know in one locking read, what
 * it changes in one go. Everything else in the store is built by Kysely.
 */
import { LARGE_DOCUMENT } from '../environment/limits.ts'
import { Fixed, FixedChanges, type Values } from './fixed.ts'
import type { InvoiceRow } from './invoices.ts'
import type { Own, Tx } from './rows.ts'
import { columnsOf } from './tables.ts'

export const INVOICE_COLUMNS = columnsOf('invoices')
  .map((column) => column.replace('?', ''))
  .filter((column) => column !== 'company_id') as (keyof InvoiceRow)[]

const columns = (table: string, names: readonly string[]): string =>
  names.map((name) => `${table}."${name}"`).join(', ')

/** Whether a bulk issue has the series of an invoice. `queued` is written out: the partial index is chosen by it. */
const bulk = (series: string): string =>
  `exists (select 1 from "invoices" where "company_id" = :company_id and "status" = 'queued'
    and "document_series" = ${series})`

const OTHERS = `d."sent", s."series_code", s."template", s."next_number", s."last_date", p."period_id", p."mode",
  p."sandbox", p."certificate_id", p."start_date", p."updated_at" as "period_updated_at", c."sequence" as "chain_sequence",
  c."last_record", (select count(*) from (select 1 from "taxpayers" limit 2) t) as "taxpayers",
  ${bulk('i."document_series"')} as "has_bulk"`

/** The chain of the environment of the open period. */
const ENVIRONMENT = `(case p."sandbox" when 1 then 'test' else 'production' end)`

/** A series whose counter was moved before series kept the date of their last number: that date is looked for. */
const IS_DATED = '("last_date" is not null or "next_number" = 1)'

/** What others hold is not waited for here: nothing is found then, and it is done step by step. */
const LOCK = 'for update skip locked'

const READ = new Fixed(
  `select ${columns('i', INVOICE_COLUMNS)}, ${OTHERS}
   from "invoices" i
   join "invoice_documents" d on d."company_id" = i."company_id" and d."invoice_id" = i."invoice_id"
   join "series" s on s."company_id" = i."company_id" and s."series_code" = i."document_series"
   left join "verifactu_periods" p on p."company_id" = i."company_id" and p."end_date" is null
   left join "verifactu_chains" c on c."company_id" = i."company_id" and c."environment" = ${ENVIRONMENT}
     and c."chain" = 'records'
   where i."company_id" = :company_id and i."invoice_id" = :invoice_id and i."status" = 'draft'
     and length(d."sent") <= ${LARGE_DOCUMENT} and ${IS_DATED}`,
  // Each lock finds its row as it is when it is taken, and each but the first is taken when there is one before it.
  `with i as (select * from "invoices" where "company_id" = :company_id and "invoice_id" = :invoice_id
       and "status" = 'draft' ${LOCK}),
     d as (select "sent" from "invoice_documents" where "company_id" = :company_id and "invoice_id" = :invoice_id
       and length("sent") <= ${LARGE_DOCUMENT} and exists (select 1 from i) for update),
     s as (select "series_code", "template", "next_number", "last_date" from "series" where "company_id" = :company_id
       and "series_code" = (select "document_series" from i) and exists (select 1 from d) and ${IS_DATED} ${LOCK}),
     p as (select * from "verifactu_periods" where "company_id" = :company_id and "end_date" is null),
     c as (select "sequence", "last_record" from "verifactu_chains" where "company_id" = :company_id
       and "environment" = (select ${ENVIRONMENT} from p) and "chain" = 'records' and exists (select 1 from s) ${LOCK})
   select ${columns('i', INVOICE_COLUMNS)}, ${OTHERS}
   from i join d on true join s on true left join p on true left join c on true`,
)

/** What issuing has to know, each of it locked that another issue changes. */
export interface IssueRow
  extends InvoiceRow,
    Pick<Own<'invoice_documents'>, 'sent'>,
    Pick<Own<'series'>, 'series_code' | 'template' | 'next_number' | 'last_date'> {
  readonly period_id: string | null
  readonly mode: Own<'verifactu_periods'>['mode']
  readonly sandbox: number
  readonly certificate_id: number | null
  readonly start_date: string
  readonly period_updated_at: string
  /** Null before the first record of a chain, or where somebody else has it. */
  readonly chain_sequence: number | null
  readonly last_record: string | null
  /** 1, or 2 for several. */
  readonly taxpayers: number
  /** Whether a bulk issue has the series: 0 or 1, or a boolean. */
  readonly has_bulk: number | boolean
}

/** A draft of ordinary size with all of it; undefined where something is missing, or held by somebody else. */
export async function readForIssue(tx: Tx, invoiceId: string): Promise<IssueRow | undefined> {
  const { rows } = await tx.run<IssueRow>(READ, { invoice_id: invoiceId })
  return rows[0]
}

const HOLD = new Fixed(
  `insert into "numbers" ("company_id", "number", "series_code", "invoice_id")
   values (:company_id, :number, :series_code, :invoice_id) on conflict do nothing`,
)

/** Takes a number; false where somebody holds it already. */
export async function holdNumber(
  tx: Tx,
  { number, series_code, invoice_id }: Own<'numbers'>,
): Promise<boolean> {
  return (await tx.run(HOLD, { number, series_code, invoice_id })).changed > 0
}

const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
const places = (names: readonly string[]): string => names.map((name) => `:${name}`).join(', ')

const RECORD = columnsOf('verifactu_records')
  .filter(
    (column) => !/^(xml_response|aeat_csv|submitted_at|submission_id|company_id|invoice_id)\??$/.test(column),
  )
  .map((column) => column.replace('?', ''))

const EVENT = columnsOf('events')
  .map((column) => column.replace('?', ''))
  .filter((column) => !['company_id', 'invoice_id', 'sequence'].includes(column))

/** Columns of an invoice that issuing always changes. The others are indexed as they are, and left alone. */
export const ISSUED_COLUMNS = [
  'status',
  'series',
  'number',
  'issue_date',
  'issue_year',
  'fiscal_date',
  'sort_series',
  'sort_date',
  'sort_number',
  'updated_at',
] as const

const CHANGES = {
  series: `update "series" set "next_number" = :next_number, "last_date" = :last_date
    where "company_id" = :company_id and "series_code" = :series_code`,
  invoice: `update "invoices" set ${ISSUED_COLUMNS.map((name) => `"${name}" = :issued_${name}`).join(', ')}
    where "company_id" = :company_id and "invoice_id" = :invoice_id`,
  document: `update "invoice_documents" set "canonical" = :canonical, "errors" = :errors
    where "company_id" = :company_id and "invoice_id" = :invoice_id`,
  // From the row of the company: Citus hands only that form on to the machine of the company as it is.
  event: `insert into "events" ("company_id", "invoice_id", ${named(EVENT)}, "sequence")
    select n."company_id", :invoice_id, ${places(EVENT)}, coalesce(max(e."sequence"), 0) + 1 from "companies" n
    left join "events" e on e."company_id" = n."company_id" and e."invoice_id" = :invoice_id
    where n."company_id" = :company_id group by n."company_id"`,
  record: `insert into "verifactu_records" ("company_id", "invoice_id", ${named(RECORD)})
    values (:company_id, :invoice_id, ${RECORD.map((name) => `:record_${name}`).join(', ')})`,
  chain: `update "verifactu_chains" set "sequence" = :record_sequence, "last_record" = :record_record
    where "company_id" = :company_id and "environment" = :record_environment and "chain" = 'records'`,
}

/** What may have become otherwise between the read and its locks; and who has said that he corrects this number. */
export interface Since {
  readonly has_bulk: number | boolean
  readonly open_period: string | null
  readonly is_corrected: number | boolean
}

const SINCE = `${bulk(':document_series')} as "has_bulk",
  (select "period_id" from "verifactu_periods" where "company_id" = :company_id and "end_date" is null) as "open_period",
  exists (select 1 from "invoices" where "company_id" = :company_id and "corrected_number" = :issued_number) as "is_corrected"`

const EVERY = [CHANGES.series, CHANGES.invoice, CHANGES.document, CHANGES.event]
const WITHOUT_RECORD = new FixedChanges<Since>(EVERY, SINCE)
const WITH_RECORD = new FixedChanges<Since>([...EVERY, CHANGES.record, CHANGES.chain], SINCE)

export interface Issued {
  readonly invoice: InvoiceRow
  readonly series: Pick<Own<'series'>, 'series_code' | 'next_number' | 'last_date'>
  readonly document: Pick<Own<'invoice_documents'>, 'canonical' | 'errors'>
  readonly event: Omit<Own<'events'>, 'sequence' | 'invoice_id'>
  /** The end of the chain from now on; null where VeriFactu is not active. */
  readonly record: Omit<
    Own<'verifactu_records'>,
    'invoice_id' | 'xml_response' | 'aeat_csv' | 'submitted_at' | 'submission_id'
  > | null
}

const prefixed = (prefix: string, row: object): [string, string | number | null][] =>
  Object.entries(row).map(([name, value]) => [`${prefix}_${name}`, value])

/** Writes an issue whose number is taken. */
export function writeIssued(tx: Tx, { invoice, series, document, event, record }: Issued): Promise<Since> {
  const { invoice_id, document_series } = invoice
  const issued = ISSUED_COLUMNS.map((name) => [`issued_${name}`, invoice[name]] as const)
  const values: Values = {
    invoice_id,
    document_series,
    ...Object.fromEntries([...issued, ...prefixed('record', record ?? {})]),
    ...series,
    ...document,
    ...event,
  }
  return tx.change(record ? WITH_RECORD : WITHOUT_RECORD, values)
}
