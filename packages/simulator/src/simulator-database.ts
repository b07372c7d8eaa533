/**
 * The database of the simulator: messages, records and the state of each invoice. A message is stored in one
 * transaction before its response is sent.
 */
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { embeddedDatabase } from 'cuadra-storage/embedded-database.ts'
import { closeToOthers, makePrivateFile, makePrivateFolder } from 'cuadra-storage/private-files.ts'
import { openSqlite } from 'cuadra-storage/sqlite.ts'
import { isWriteLocked } from 'cuadra-storage/storage-faults.ts'
import type Database from 'libsql'
import { ConditionError, required } from '#core/errors/index.ts'
import type { Book, Environment, LineState, MessageState, Service } from './simulator-types.ts'

const DATABASE_FILE = 'simulator.sqlite'
const LOCK_FILE = 'lock.sqlite'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS submissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment TEXT NOT NULL, service TEXT NOT NULL, root TEXT NOT NULL,
  taxpayer TEXT NOT NULL, taxpayer_name TEXT NOT NULL, representative TEXT, presenter TEXT NOT NULL,
  received_at INTEGER NOT NULL, state TEXT NOT NULL, csv TEXT, wait INTEGER, early INTEGER NOT NULL,
  incident INTEGER NOT NULL, records INTEGER NOT NULL, code INTEGER, description TEXT, request BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS submissions_by_taxpayer ON submissions (environment, taxpayer, id);
CREATE TABLE IF NOT EXISTS records (
  id INTEGER PRIMARY KEY AUTOINCREMENT, submission INTEGER NOT NULL, position INTEGER NOT NULL,
  environment TEXT NOT NULL, service TEXT NOT NULL, book TEXT NOT NULL, taxpayer TEXT NOT NULL,
  issuer TEXT NOT NULL, number TEXT NOT NULL, issue_date TEXT NOT NULL, operation TEXT NOT NULL,
  state TEXT NOT NULL, code INTEGER, description TEXT, hash TEXT, chain TEXT, value TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS records_by_submission ON records (submission, position);
CREATE INDEX IF NOT EXISTS records_by_taxpayer ON records (environment, taxpayer, id);
CREATE INDEX IF NOT EXISTS records_by_chain ON records (environment, service, chain, id);
CREATE INDEX IF NOT EXISTS records_by_number ON records (environment, taxpayer, number, id);
CREATE TABLE IF NOT EXISTS invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment TEXT NOT NULL, service TEXT NOT NULL, book TEXT NOT NULL, taxpayer TEXT NOT NULL,
  issuer TEXT NOT NULL, number TEXT NOT NULL, issue_date TEXT NOT NULL,
  state TEXT NOT NULL, code INTEGER, description TEXT, record INTEGER NOT NULL, registration INTEGER,
  submission INTEGER NOT NULL, period TEXT NOT NULL, modified INTEGER NOT NULL,
  UNIQUE (environment, service, book, taxpayer, issuer, number, issue_date)
);
CREATE INDEX IF NOT EXISTS invoices_by_period ON invoices (environment, service, book, taxpayer, period, id);
CREATE INDEX IF NOT EXISTS invoices_of_all ON invoices (environment, service, period, id);
CREATE TABLE IF NOT EXISTS payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, invoice INTEGER NOT NULL, submission INTEGER NOT NULL, value TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS payments_by_invoice ON payments (invoice, id);
`

/** A stored message. */
export interface SubmissionRow {
  readonly id: number
  readonly environment: Environment
  readonly service: Service
  readonly root: string
  readonly taxpayer: string
  readonly taxpayer_name: string
  readonly representative: string | null
  /** NIF in the certificate of the sender. */
  readonly presenter: string
  /** Milliseconds since 1970. */
  readonly received_at: number
  readonly state: MessageState
  readonly csv: string | null
  /** Wait time that the response states, in seconds. */
  readonly wait: number | null
  /** 1 if the message was not full and arrived before the wait time had passed. */
  readonly early: number
  readonly incident: number
  readonly records: number
  /** Code of the SOAP fault. */
  readonly code: number | null
  readonly description: string | null
}

export interface RecordRow {
  readonly id: number
  readonly submission: number
  readonly position: number
  readonly environment: Environment
  readonly service: Service
  readonly book: Book
  readonly taxpayer: string
  readonly issuer: string
  readonly number: string
  readonly issue_date: string
  /** `Alta` or `Anulacion`; for the SII `A0`, `A1`, `BAJA`, `COBROS` or `PAGOS`. */
  readonly operation: string
  readonly state: LineState
  readonly code: number | null
  readonly description: string | null
  readonly hash: string | null
  /** Identity of the chain: taxpayer, producer, system and installation. */
  readonly chain: string | null
  /** The record as JSON. */
  readonly value: string
}

/** State of a stored invoice. `Anulada` means deleted or cancelled. */
export type StoredState = 'Correcta' | 'AceptadaConErrores' | 'Anulada'

export interface InvoiceKey {
  readonly environment: Environment
  readonly service: Service
  readonly book: Book
  readonly taxpayer: string
  readonly issuer: string
  readonly number: string
  readonly issue_date: string
}

export interface InvoiceRow extends InvoiceKey {
  readonly id: number
  readonly state: StoredState
  readonly code: number | null
  readonly description: string | null
  /** Id of the record that set the state. */
  readonly record: number
  /** Id of the last accepted registration; null if the invoice was cancelled without a registration. */
  readonly registration: number | null
  readonly submission: number
  /** Month of the invoice, `yyyy-mm`. For the SII, the filing period, such as `2026-0A`. */
  readonly period: string
  /** How many times the invoice was changed. */
  readonly modified: number
}

export interface PaymentRow {
  readonly id: number
  readonly invoice: number
  readonly submission: number
  readonly value: string
}

type Value = string | number | null | Uint8Array

interface Rows {
  readonly submissions: SubmissionRow
  readonly records: RecordRow
  readonly invoices: InvoiceRow
  readonly payments: PaymentRow
}
type Table = keyof Rows
type New<Name extends Table> = Omit<Rows[Name], 'id'>

const COMPRESSION = { level: 1 } as const

/** Columns to read. The text of a message is read only by {@link SimulatorDatabase.request}. */
const COLUMNS: Readonly<Record<Table, string>> = {
  submissions:
    'id, environment, service, root, taxpayer, taxpayer_name, representative, presenter, received_at, state, csv, wait, early, incident, records, code, description',
  records: '*',
  invoices: '*',
  payments: '*',
}

export interface Page {
  /** Only rows with a higher id are selected. */
  readonly after?: number
  readonly limit?: number
}

const MAX_ROWS = 1_000_000
const BATCH = 500

export class SimulatorDatabase {
  readonly #database: Database.Database
  readonly #lock: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(database: Database.Database, lock: Database.Database) {
    this.#database = database
    this.#lock = lock
  }

  #statement(sql: string): Database.Statement {
    const known = this.#prepared.get(sql) ?? this.#database.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }

  #rows<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.#statement(sql).all(values) as Row[]
  }

  #insert(table: Table, row: Readonly<Record<string, Value>>): number {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    return Number(this.#statement(sql).run(Object.values(row)).lastInsertRowid)
  }

  #update(table: Table, id: number, values: Readonly<Record<string, Value>>): void {
    const columns = Object.keys(values).map((name) => `${name} = ?`)
    const sql = `UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`
    this.#statement(sql).run([...Object.values(values), id])
  }

  /** Returns the rows with these values, in the order of their ids. */
  #select<Name extends Table>(
    table: Name,
    where: Partial<Rows[Name]>,
    { after = 0, limit = MAX_ROWS }: Page = {},
  ): Rows[Name][] {
    const conditions = [...Object.keys(where).map((name) => `${name} = ?`), 'id > ?']
    const sql = `SELECT ${COLUMNS[table]} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ?`
    return this.#rows<Rows[Name]>(sql, [...Object.values(where), after, limit])
  }

  /** Yields all rows with these values after an id. Reads them in batches. */
  *each<Name extends Table>(table: Name, where: Partial<Rows[Name]>, after = 0): Generator<Rows[Name]> {
    for (let last: number | undefined = after; last !== undefined; ) {
      const rows: Rows[Name][] = this.#select(table, where, { after: last, limit: BATCH })
      yield* rows
      last = rows.length < BATCH ? undefined : rows.at(-1)?.id
    }
  }

  /** Runs a function in a transaction. */
  transaction<T>(run: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const value = run()
      this.#database.exec('COMMIT')
      return value
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  insertSubmission(row: New<'submissions'>, request: string): number {
    return this.#insert('submissions', { ...row, request: deflateRawSync(request, COMPRESSION) })
  }

  updateSubmission(id: number, { state, csv, wait }: Pick<SubmissionRow, 'state' | 'csv' | 'wait'>): void {
    this.#update('submissions', id, { state, csv, wait })
  }

  insertRecord(row: New<'records'>): number {
    return this.#insert('records', { ...row })
  }

  insertPayment(row: New<'payments'>): number {
    return this.#insert('payments', { ...row })
  }

  /** Inserts or updates the state of an invoice. */
  saveInvoice(stored: InvoiceRow | undefined, row: New<'invoices'>): void {
    if (stored) this.#update('invoices', stored.id, row)
    else this.#insert('invoices', { ...row })
  }

  updateInvoice({ id, ...row }: InvoiceRow): void {
    this.#update('invoices', id, row)
  }

  invoice({ environment, service, book, taxpayer, issuer, number, issue_date }: InvoiceKey) {
    const key = { environment, service, book, taxpayer, issuer, number, issue_date }
    return this.#select('invoices', key).at(0)
  }

  /** Whether a chain has accepted records. */
  hasChain(environment: Environment, service: Service, chain: string): boolean {
    const sql =
      "SELECT 1 FROM records WHERE environment = ? AND service = ? AND chain = ? AND state <> 'Incorrecto' LIMIT 1"
    return this.#rows(sql, [environment, service, chain]).length > 0
  }

  lastSubmission(environment: Environment, service: Service, taxpayer: string): SubmissionRow | undefined {
    const sql = `SELECT ${COLUMNS.submissions} FROM submissions WHERE environment = ? AND taxpayer = ? AND service = ? AND state <> 'Fault' ORDER BY id DESC LIMIT 1`
    return this.#rows<SubmissionRow>(sql, [environment, taxpayer, service]).at(0)
  }

  /** Returns the invoices with these values, of any taxpayer. */
  invoicesOf(where: Partial<InvoiceRow>, page?: Page): InvoiceRow[] {
    return this.#select('invoices', where, page)
  }

  invoices(environment: Environment, taxpayer: string): InvoiceRow[] {
    return this.#select('invoices', { environment, taxpayer })
  }

  records(environment: Environment, taxpayer: string): RecordRow[] {
    return this.#select('records', { environment, taxpayer })
  }

  recordsOfSubmission(submission: number): RecordRow[] {
    return this.#select('records', { submission })
  }

  submissions(environment: Environment, taxpayer: string): SubmissionRow[] {
    return this.#select('submissions', { environment, taxpayer })
  }

  payments(invoice: number, page?: Page): PaymentRow[] {
    return this.#select('payments', { invoice }, page)
  }

  record(id: number): RecordRow | undefined {
    return this.#select('records', { id }).at(0)
  }

  /** Returns the content of a record. */
  value<T>(id: number): T {
    return JSON.parse(required(this.record(id)).value)
  }

  submission(id: number): SubmissionRow | undefined {
    return this.#select('submissions', { id }).at(0)
  }

  /** Returns the text of a message as received. */
  request(id: number): string | undefined {
    const sql = 'SELECT request FROM submissions WHERE id = ?'
    const row = this.#rows<{ readonly request: Uint8Array }>(sql, [id]).at(0)
    return row && inflateRawSync(row.request).toString('utf8')
  }

  taxpayers(): {
    environment: Environment
    taxpayer: string
    name: string
    messages: number
    records: number
    last: number
  }[] {
    // In SQLite, columns next to `max` come from the row with the maximum, so the name is that of the last message.
    const sql =
      'SELECT environment, taxpayer, taxpayer_name AS name, count(*) AS messages, sum(records) AS records, received_at AS last, max(id) AS latest FROM submissions GROUP BY environment, taxpayer ORDER BY environment DESC, taxpayer'
    return this.#rows(sql, [])
  }

  close(): void {
    this.#database.close()
    this.#lock.close()
  }
}

/**
 * Locks a data folder until the process ends, so that two simulators cannot use it. The lock is a separate file, so
 * that other programs can read the database.
 */
async function lockFolder(folder: string): Promise<Database.Database> {
  const Embedded = await embeddedDatabase()
  const file = join(folder, LOCK_FILE)
  makePrivateFile(file)
  const lock = new Embedded(file)
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isWriteLocked(error)) throw error
    throw new ConditionError(
      'simulator_folder',
      `Another simulator uses ${folder}. Stop it, or choose another data folder.`,
    )
  }
}

/** Opens the database of a data folder, and locks the folder. */
export async function openDatabase(folder: string): Promise<SimulatorDatabase> {
  makePrivateFolder(folder)
  const lock = await lockFolder(folder)
  try {
    const file = join(folder, DATABASE_FILE)
    makePrivateFile(file)
    closeToOthers(file)
    const database = await openSqlite(file)
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    return new SimulatorDatabase(database, lock)
  } catch (error) {
    lock.close()
    throw error
  }
}
