/**
 * What the simulator has: messages, records, and the state of each invoice, in a file of its own. A message is stored
 * whole before its answer goes out, so that a process that is killed has stored all of it or nothing.
 */
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type Database from 'libsql'
import { CuadraError } from '../errors/index.ts'
import { embeddedDatabase } from '../storage/embedded.ts'
import { isBusy } from '../storage/faults.ts'
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../storage/private-files.ts'
import { openSqlite } from '../storage/sqlite.ts'
import type { Book, Environment, LineState, MessageState, Service } from './types.ts'

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

/** A message as it is stored. */
export interface SubmissionRow {
  readonly id: number
  readonly environment: Environment
  readonly service: Service
  readonly root: string
  readonly taxpayer: string
  readonly taxpayer_name: string
  readonly representative: string | null
  /** NIF of the certificate. */
  readonly presenter: string
  /** Milliseconds since 1970. */
  readonly received_at: number
  readonly state: MessageState
  readonly csv: string | null
  /** Seconds that the answer told to wait. */
  readonly wait: number | null
  /** 1 where it came before the waiting time was over, and was not full. */
  readonly early: number
  readonly incident: number
  readonly records: number
  /** Of a fault. */
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
  /** `Alta`, `Anulacion`; of the SII `A0`, `A1`, `BAJA`, `COBROS`, `PAGOS`. */
  readonly operation: string
  readonly state: LineState
  readonly code: number | null
  readonly description: string | null
  readonly hash: string | null
  /** Taxpayer, producer, system and installation. */
  readonly chain: string | null
  /** JSON of the record. */
  readonly value: string
}

/** State of a stored invoice; of a deleted or cancelled one `Anulada`. */
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
  /** The record that made the state. */
  readonly record: number
  /** The last registration that was taken; null for a cancellation of what was never registered. */
  readonly registration: number | null
  readonly submission: number
  /** `yyyy-mm`; of the SII as it says, such as `2026-0A`. */
  readonly period: string
  /** How often it was changed. */
  readonly modified: number
}

export interface PaymentRow {
  readonly id: number
  readonly invoice: number
  readonly submission: number
  readonly value: string
}

/** The data folder is in use, or of a newer version. */
export class SimulatorError extends CuadraError {
  override readonly name = 'SimulatorError'
}

type Value = string | number | null | Uint8Array

/** Fits in what SQLite and the schema of the answers call a number of a request. */
const COMPRESSION = { level: 1 } as const

const WITHOUT_REQUEST =
  'id, environment, service, root, taxpayer, taxpayer_name, representative, presenter, received_at, state, csv, wait, early, incident, records, code, description'

export interface Page {
  /** Rows after this one. */
  readonly after?: number
  readonly limit?: number
}

const MOST_ROWS = 1_000_000

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

  #all<Row>(sql: string, values: readonly Value[]): Row[] {
    return this.#statement(sql).all([...values]) as Row[]
  }

  #insert(table: string, row: Readonly<Record<string, Value>>): number {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    return Number(this.#statement(sql).run(Object.values(row)).lastInsertRowid)
  }

  /** All of it or nothing. */
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

  insertSubmission(row: Omit<SubmissionRow, 'id'>, request: string): number {
    return this.#insert('submissions', { ...row, request: deflateRawSync(request, COMPRESSION) })
  }

  updateSubmission(id: number, { state, csv, wait }: Pick<SubmissionRow, 'state' | 'csv' | 'wait'>): void {
    this.#statement('UPDATE submissions SET state = ?, csv = ?, wait = ? WHERE id = ?').run([
      state,
      csv,
      wait,
      id,
    ])
  }

  insertRecord(row: Omit<RecordRow, 'id'>): number {
    return this.#insert('records', { ...row })
  }

  insertPayment(row: Omit<PaymentRow, 'id'>): number {
    return this.#insert('payments', { ...row })
  }

  insertInvoice(row: Omit<InvoiceRow, 'id'>): number {
    return this.#insert('invoices', { ...row })
  }

  updateInvoice(row: InvoiceRow): void {
    this.#statement(
      'UPDATE invoices SET state = ?, code = ?, description = ?, record = ?, registration = ?, submission = ?, period = ?, modified = ? WHERE id = ?',
    ).run([
      row.state,
      row.code,
      row.description,
      row.record,
      row.registration,
      row.submission,
      row.period,
      row.modified,
      row.id,
    ])
  }

  invoice(key: InvoiceKey): InvoiceRow | undefined {
    const { environment, service, book, taxpayer, issuer, number, issue_date } = key
    return this.#all<InvoiceRow>(
      'SELECT * FROM invoices WHERE environment = ? AND service = ? AND book = ? AND taxpayer = ? AND issuer = ? AND number = ? AND issue_date = ?',
      [environment, service, book, taxpayer, issuer, number, issue_date],
    )[0]
  }

  /** Whether a chain has records that were taken. */
  hasChain(environment: Environment, service: Service, chain: string): boolean {
    const rows = this.#all(
      "SELECT 1 FROM records WHERE environment = ? AND service = ? AND chain = ? AND state <> 'Incorrecto' LIMIT 1",
      [environment, service, chain],
    )
    return rows.length > 0
  }

  lastAnswered(environment: Environment, service: Service, taxpayer: string): SubmissionRow | undefined {
    return this.#all<SubmissionRow>(
      `SELECT ${WITHOUT_REQUEST} FROM submissions WHERE environment = ? AND taxpayer = ? AND service = ? AND state <> 'Fault' ORDER BY id DESC LIMIT 1`,
      [environment, taxpayer, service],
    )[0]
  }

  invoicesOf(
    where: Pick<InvoiceRow, 'environment' | 'service' | 'book' | 'taxpayer' | 'period'>,
    { after = 0, limit = MOST_ROWS }: Page,
  ): InvoiceRow[] {
    return this.#all(
      'SELECT * FROM invoices WHERE environment = ? AND service = ? AND book = ? AND taxpayer = ? AND period = ? AND id > ? ORDER BY id LIMIT ?',
      [where.environment, where.service, where.book, where.taxpayer, where.period, after, limit],
    )
  }

  /** Of every issuer: what a recipient may be among. */
  invoicesOfAll(
    { environment, service, period }: Pick<InvoiceRow, 'environment' | 'service' | 'period'>,
    { after = 0, limit = MOST_ROWS }: Page,
  ): InvoiceRow[] {
    return this.#all(
      'SELECT * FROM invoices WHERE environment = ? AND service = ? AND period = ? AND id > ? ORDER BY id LIMIT ?',
      [environment, service, period, after, limit],
    )
  }

  invoicesNumbered(environment: Environment, service: Service, issuer: string, number: string): InvoiceRow[] {
    return this.#all(
      'SELECT * FROM invoices WHERE environment = ? AND service = ? AND issuer = ? AND number = ? ORDER BY id',
      [environment, service, issuer, number],
    )
  }

  record(id: number): RecordRow | undefined {
    return this.#all<RecordRow>('SELECT * FROM records WHERE id = ?', [id])[0]
  }

  submission(id: number): SubmissionRow | undefined {
    return this.#all<SubmissionRow>(`SELECT ${WITHOUT_REQUEST} FROM submissions WHERE id = ?`, [id])[0]
  }

  /** The message as it was received. */
  request(id: number): string | undefined {
    const [row] = this.#all<{ request: Uint8Array }>('SELECT request FROM submissions WHERE id = ?', [id])
    return row && inflateRawSync(row.request).toString('utf8')
  }

  payments(invoice: number, { after = 0, limit = MOST_ROWS }: Page = {}): PaymentRow[] {
    return this.#all('SELECT * FROM payments WHERE invoice = ? AND id > ? ORDER BY id LIMIT ?', [
      invoice,
      after,
      limit,
    ])
  }

  recordsOfSubmission(submission: number): RecordRow[] {
    return this.#all('SELECT * FROM records WHERE submission = ? ORDER BY position', [submission])
  }

  #page<Row>(
    columns: string,
    table: 'records' | 'invoices' | 'submissions',
    environment: Environment,
    taxpayer: string,
    { after = 0, limit = MOST_ROWS }: Page = {},
  ): Row[] {
    return this.#all(
      `SELECT ${columns} FROM ${table} WHERE environment = ? AND taxpayer = ? AND id > ? ORDER BY id LIMIT ?`,
      [environment, taxpayer, after, limit],
    )
  }

  /** Newest last. */
  records(environment: Environment, taxpayer: string, page?: Page): RecordRow[] {
    return this.#page('*', 'records', environment, taxpayer, page)
  }

  invoices(environment: Environment, taxpayer: string, page?: Page): InvoiceRow[] {
    return this.#page('*', 'invoices', environment, taxpayer, page)
  }

  submissions(environment: Environment, taxpayer: string, page?: Page): SubmissionRow[] {
    return this.#page(WITHOUT_REQUEST, 'submissions', environment, taxpayer, page)
  }

  /** Newest first: what a page begins with. */
  latestSubmissions(
    environment: Environment,
    taxpayer: string,
    before: number,
    limit: number,
  ): SubmissionRow[] {
    return this.#all(
      `SELECT ${WITHOUT_REQUEST} FROM submissions WHERE environment = ? AND taxpayer = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      [environment, taxpayer, before, limit],
    )
  }

  latestInvoices(environment: Environment, taxpayer: string, limit: number): InvoiceRow[] {
    return this.#all(
      'SELECT * FROM invoices WHERE environment = ? AND taxpayer = ? ORDER BY id DESC LIMIT ?',
      [environment, taxpayer, limit],
    )
  }

  taxpayers(): {
    environment: Environment
    taxpayer: string
    name: string
    messages: number
    records: number
    last: number
  }[] {
    return this.#all(
      // Columns beside the one aggregate are those of its row: the last message says the name.
      'SELECT environment, taxpayer, taxpayer_name AS name, count(*) AS messages, sum(records) AS records, received_at AS last, max(id) AS latest FROM submissions GROUP BY environment, taxpayer ORDER BY environment DESC, taxpayer',
      [],
    )
  }

  close(): void {
    this.#database.close()
    this.#lock.close()
  }
}

/**
 * A file that is held until its process ends, whichever way: two simulators would answer for each other's taxpayers.
 * The database itself is open to whoever looks at it meanwhile.
 */
async function holdFolder(folder: string): Promise<Database.Database> {
  const Embedded = await embeddedDatabase()
  const file = join(folder, LOCK_FILE)
  makePrivateFile(file)
  const lock = new Embedded(file)
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new SimulatorError(
      `Another simulator works on ${folder}. Stop it, or give this one a data folder of its own.`,
    )
  }
}

/** Opens the file of a data folder, for one simulator alone. */
export async function openDatabase(folder: string): Promise<SimulatorDatabase> {
  makePrivateFolder(folder)
  const lock = await holdFolder(folder)
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
