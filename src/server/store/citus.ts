/**
 * Sharding by company over a PostgreSQL with Citus (docs/scaling.md): run once, after the migrations, on an empty
 * database. Every key begins with `company_id`, so every statement of the application goes to one shard as it is.
 */
import type { Tables } from './tables.ts'

/** Tables that every company sees alike: copied to every machine. */
export const REFERENCE_TABLES = [
  'taxpayers',
  'exchange_rates',
  'schema_migrations',
] as const satisfies readonly (keyof Tables)[]

export type ReferenceTable = (typeof REFERENCE_TABLES)[number]
export type CompanyTable = Exclude<keyof Tables, ReferenceTable>

/** One entry for each table; the compiler names the one that is forgotten. */
const BY_COMPANY: Readonly<Record<CompanyTable, true>> = {
  companies: true,
  api_keys: true,
  rate_buckets: true,
  idempotency_keys: true,
  series: true,
  numbers: true,
  invoices: true,
  invoice_documents: true,
  invoice_counts: true,
  events: true,
  attachments: true,
  pending_files: true,
  verifactu_periods: true,
  verifactu_chains: true,
  verifactu_records: true,
  verifactu_events: true,
  verifactu_submissions: true,
  verifactu_submission_lines: true,
  sii_config: true,
  sii_records: true,
  sii_submissions: true,
  sii_submission_items: true,
  certificates: true,
  filed_returns: true,
  collections: true,
}

/** Tables whose rows belong to a company: all rows of one company are on one machine. */
export const COMPANY_TABLES = Object.keys(BY_COMPANY) as readonly CompanyTable[]

const [FIRST = 'companies', ...OTHERS] = COMPANY_TABLES

/** The statements, in the order in which they are run. */
export const CITUS: readonly string[] = [
  'create extension if not exists citus',
  ...REFERENCE_TABLES.map((table) => `select create_reference_table('${table}')`),
  `select create_distributed_table('${FIRST}', 'company_id')`,
  ...OTHERS.map(
    (table) => `select create_distributed_table('${table}', 'company_id', colocate_with => '${FIRST}')`,
  ),
]
