/**
 * The baseline of issuing: writes the same rows with the database's own library and prepared statements, with one
 * transaction per invoice, without HTTP, validation or generating a record. The difference is the cost of the server.
 */
import { randomUUID } from 'node:crypto'

const DOCUMENT = JSON.stringify({ text: 'x'.repeat(3000) })

/** The statements that issue one invoice, with the placeholders of a store. */
const STATEMENTS = [
  [
    'select * from invoices where company_id = ? and invoice_id = ? {lock}',
    ({ company, invoice }) => [company, invoice],
  ],
  [
    "select invoice_id from invoices where company_id = ? and status = 'queued' and document_series = ? limit 1",
    ({ company }) => [company, 'F'],
  ],
  [
    'select sent from invoice_documents where company_id = ? and invoice_id = ?',
    ({ company, invoice }) => [company, invoice],
  ],
  [
    'select template, next_number from series where company_id = ? and series_code = ? {lock}',
    ({ company }) => [company, 'F'],
  ],
  [
    'select invoice_id from numbers where company_id = ? and number = ?',
    ({ company, number }) => [company, number],
  ],
  [
    'insert into numbers (company_id, number, series_code, invoice_id) values (?, ?, ?, ?)',
    ({ company, invoice, number }) => [company, number, 'F', invoice],
  ],
  [
    'update series set next_number = next_number + 1 where company_id = ? and series_code = ?',
    ({ company }) => [company, 'F'],
  ],
  [
    'select period_id, mode, sandbox from verifactu_periods where company_id = ? and end_date is null',
    ({ company }) => [company],
  ],
  [
    'select sequence, last_record from verifactu_chains where company_id = ? and environment = ? and chain = ? {lock}',
    ({ company }) => [company, 'test', 'records'],
  ],
  [
    `insert into verifactu_records (company_id, environment, sequence, record_id, invoice_id, num_serie, fecha_expedicion, tipo, mode, estado,
      huella, huella_anterior, qr_url, record, xml_sent, ts_gen, created_at, updated_at) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    ({ company, invoice, number, at }) => [
      company,
      'test',
      at,
      invoice,
      invoice,
      number,
      '21-11-2026',
      'alta',
      'verifactu',
      'pending',
      number.padEnd(64, '0'),
      number.padEnd(64, '1'),
      'https://example.invalid/',
      DOCUMENT,
      DOCUMENT,
      '2026-11-21T10:00:00+01:00',
      '2026-11-21T09:00:00.000000',
      '2026-11-21T09:00:00.000000',
    ],
  ],
  [
    'update verifactu_chains set sequence = ?, last_record = ? where company_id = ? and environment = ? and chain = ?',
    ({ company, at }) => [at, DOCUMENT, company, 'test', 'records'],
  ],
  [
    `update invoices set status = 'issued', series = ?, number = ?, issue_date = ?, sort_series = ?, sort_date = ?, sort_number = ?, updated_at = ?
      where company_id = ? and invoice_id = ?`,
    ({ company, invoice, number }) => [
      'F',
      number,
      '2026-11-21',
      '0F',
      '2026-11-21',
      number,
      '2026-11-21T09:00:00.000000',
      company,
      invoice,
    ],
  ],
  [
    'update invoice_documents set canonical = ?, errors = ? where company_id = ? and invoice_id = ?',
    ({ company, invoice }) => [DOCUMENT, '[]', company, invoice],
  ],
  [
    `insert into invoice_changes (company_id, change_id, list, status, series, day, created, share, n)
      values (?, ?, 'draft', 'draft', 'F', '', '2026-11-21T09:00', ?, -1), (?, ?, 'numbered', 'issued', 'F', '2026-11-21', '2026-11-21T09:00', '', 1)`,
    ({ company, invoice }) => [company, `${invoice}-`, invoice.slice(0, 2), company, `${invoice}+`],
  ],
  [
    'insert into events (company_id, invoice_id, event_id, event_type, event_code, occurred_at, details) values (?,?,?,?,?,?,?)',
    ({ company, invoice, at }) => [
      company,
      invoice,
      String(at),
      'state_transition',
      'issued',
      '2026-11-21T09:00:00.000000',
      '{}',
    ],
  ],
]

const DRAFT = `insert into invoices (company_id, invoice_id, direction, status, imported, document_series, external_ref, currency, total_base, total_tax,
  total, has_errors, sort_series, sort_date, sort_number, created_at, updated_at)
  values (?, ?, 'issued', 'draft', 0, 'F', ?, 'EUR', 100, 21, 121, 0, '1', '', '', '2026-11-21T09:00:00.000000', '2026-11-21T09:00:00.000000')`

const rowsOf = (company, count) =>
  Array.from({ length: count }, (_, at) => ({
    company,
    invoice: randomUUID(),
    number: `F${String(at + 1).padStart(6, '0')}`,
    at: at + 1,
  }))

const SETUP = [
  [
    `insert into series (company_id, series_code, template, next_number, created_at) values (?, 'F', '{series}{number:6}', 1, '')`,
  ],
  [
    `insert into verifactu_chains (company_id, environment, chain, sequence, last_record) values (?, 'test', 'records', 0, null)`,
  ],
  [
    `insert into verifactu_periods (company_id, period_id, mode, sandbox, start_date, created_at, updated_at) values (?, 'p', 'verifactu', 1, '2026-01-01', '', '')`,
  ],
]

/**
 * Returns the transactions per second on the embedded database, with one writer, because the file allows only one.
 * `watch` is called before and after.
 */
export async function sqliteBaseline(file, count, watch = () => {}) {
  const { default: Database } = await import('libsql')
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000')
  const company = randomUUID()
  for (const [sql] of SETUP) db.prepare(sql).run([company])
  const rows = rowsOf(company, count)
  const draft = db.prepare(DRAFT)
  const document = db.prepare(
    'insert into invoice_documents (company_id, invoice_id, sent, canonical, errors) values (?, ?, ?, ?, ?)',
  )
  db.exec('BEGIN IMMEDIATE')
  for (const row of rows) {
    draft.run([company, row.invoice, row.invoice])
    document.run([company, row.invoice, DOCUMENT, DOCUMENT, '[]'])
  }
  db.exec('COMMIT')
  const statements = STATEMENTS.map(([sql, values]) => {
    const statement = db.prepare(sql.replace('{lock}', ''))
    return [statement, statement.reader, values]
  })
  await watch()
  const started = performance.now()
  for (const row of rows) {
    db.exec('BEGIN IMMEDIATE')
    for (const [statement, reads, values] of statements)
      reads ? statement.get(values(row)) : statement.run(values(row))
    db.exec('COMMIT')
  }
  const seconds = (performance.now() - started) / 1000
  await watch()
  db.close()
  return count / seconds
}

const numbered = (sql) => {
  let at = 0
  return sql.replaceAll('?', () => `$${++at}`)
}

/**
 * Returns the transactions per second on PostgreSQL, with as many connections as the server uses, all in one series.
 */
export async function postgresBaseline(connectionString, count, connections, watch = () => {}) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString, max: connections })
  const company = randomUUID()
  for (const [sql] of SETUP) await pool.query(numbered(sql), [company])
  const rows = rowsOf(company, count)
  for (const row of rows) {
    await pool.query(numbered(DRAFT), [company, row.invoice, row.invoice])
    await pool.query(
      'insert into invoice_documents (company_id, invoice_id, sent, canonical, errors) values ($1, $2, $3, $4, $5)',
      [company, row.invoice, DOCUMENT, DOCUMENT, '[]'],
    )
  }
  const statements = STATEMENTS.map(([sql, values], at) => [
    `s${at}`,
    numbered(sql.replace('{lock}', 'for update')),
    values,
  ])
  const waiting = [...rows]
  await watch()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect()
      for (let row = waiting.pop(); row; row = waiting.pop()) {
        await client.query('begin')
        for (const [name, text, values] of statements) await client.query({ name, text, values: values(row) })
        await client.query('commit')
      }
      client.release()
    }),
  )
  const seconds = (performance.now() - started) / 1000
  await watch()
  await pool.end()
  return count / seconds
}
