/** Measures issuing on both stores while records are sent, compared with a bare program that stores the same amount. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { cpu, median } from '../measure.mjs'
import { ask, issueAll, saveDrafts, startServer } from '../server/cuadra.mjs'
import { startPostgres } from '../server/postgres.mjs'
import { cpuOf, temporaryFolder } from '../server/process.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const COUNT = isQuick ? 100 : 400
/** Number of parallel clients. It equals the number of connections in the server's pool. */
const ISSUERS = 8

/** Texts with as many bytes as the server stores for an invoice of ten lines and for its record. */
const [DOCUMENT, RECORD, HASH] = ['x'.repeat(9000), 'x'.repeat(4000), 'x'.repeat(64)]
const TABLES = [
  'create table series (code text primary key, last integer not null)',
  'create table invoices (id text primary key, number text not null unique, document text not null)',
  'create table records (place integer primary key, id text not null, previous text not null, hash text not null, record text not null)',
  "insert into series values ('F', 0)",
]
const NUMBER = "update series set last = last + 1 where code = 'F' returning last"
const INVOICE = 'insert into invoices values ($1, $2, $3)'
const STORED = 'insert into records values ($1, $2, $3, $4, $5)'
const rowsOf = (last) => {
  const id = randomUUID()
  return [
    [id, `F${last}`, DOCUMENT],
    [last, id, HASH, HASH, RECORD],
  ]
}

/** Returns a bare program for SQLite: it stores `COUNT` invoices with one writer, because the file allows only one. */
function bareSqlite() {
  const database = new Database(join(temporaryFolder(), 'bare.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  for (const statement of TABLES) database.exec(statement)
  const [number, invoice, stored] = [NUMBER, INVOICE, STORED].map((statement) =>
    database.prepare(statement.replace(/\$\d/g, '?')),
  )
  const run = async () => {
    for (let at = 0; at < COUNT; at++) {
      database.exec('BEGIN IMMEDIATE')
      const [one, two] = rowsOf(number.get().last)
      invoice.run(one)
      stored.run(two)
      database.exec('COMMIT')
    }
  }
  return { run, end: async () => database.close() }
}

/** Returns a bare program for PostgreSQL, with as many connections as the server uses. */
async function barePostgres(connectionString) {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString, max: ISSUERS })
  for (const statement of TABLES) await pool.query(statement)
  const run = async () => {
    let waiting = COUNT
    await Promise.all(
      Array.from({ length: ISSUERS }, async () => {
        const client = await pool.connect()
        while (waiting-- > 0) {
          await client.query('begin')
          const { rows } = await client.query({ name: 'number', text: NUMBER })
          const [one, two] = rowsOf(rows[0].last)
          await client.query({ name: 'invoice', text: INVOICE, values: one })
          await client.query({ name: 'record', text: STORED, values: two })
          await client.query('commit')
        }
        client.release()
      }),
    )
  }
  return { run, end: () => pool.end() }
}

/** Returns the numbers of records of the server by state. */
async function statesOf(server, url) {
  const statement = 'select estado, count(*) as n from verifactu_records group by estado'
  if (url) {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(statement)
    await client.end()
    return Object.fromEntries(rows.map(({ estado, n }) => [estado, Number(n)]))
  }
  const database = new Database(join(server.dataDir, 'cuadra.db'), { readonly: true })
  const rows = database.prepare(statement).all()
  database.close()
  return Object.fromEntries(rows.map(({ estado, n }) => [estado, n]))
}

const seconds = (from) => (performance.now() - from) / 1000

async function measureStore(store, postgres) {
  const url = postgres && (await postgres.database())
  const bare = postgres ? await barePostgres(await postgres.database()) : bareSqlite()
  const server = await startServer(url ? { CUADRA_DATABASE_URL: url } : {})
  await ask(server, 'PUT', '/verifactu/config', { mode: 'verifactu' })
  const rounds = []
  // Discards the first round, which compiles the code.
  for (let round = 0; round <= ROUNDS; round++) {
    let at = performance.now()
    await bare.run()
    const other = COUNT / seconds(at)
    const ids = await saveDrafts(server, COUNT)
    const [used, own] = [cpuOf(server.pid), cpu()]
    at = performance.now()
    await issueAll(server, ids, ISSUERS)
    const wall = seconds(at)
    const each = (cpuOf(server.pid) - used) / COUNT
    if (round > 0) rounds.push({ other, ours: COUNT / wall, each, client: (cpu() - own) / 1000 / COUNT })
  }
  const issued = COUNT * (ROUNDS + 1)
  const ended = performance.now()
  const { accepted: first = 0 } = await statesOf(server, url)
  let accepted = first
  while (accepted < issued && seconds(ended) < 90) {
    await sleep(200)
    ;({ accepted = 0 } = await statesOf(server, url))
  }
  const took = seconds(ended)
  await server.stop()
  await bare.end()
  if (accepted < issued) throw new Error(`${store}: only ${accepted} of ${issued} records were accepted`)

  const middle = (value) => median(rounds.map(value))
  const rate = middle(({ ours }) => ours)
  return {
    figure: {
      row: 8,
      what: `${store} (${((rate * 86_400) / 1e6).toFixed(0)} million per day)`,
      value: rate,
      unit: 'invoices/s',
      instead: [{ name: 'a bare program', value: middle(({ other }) => other) }],
    },
    note: `${store}: the server took ${middle(({ each }) => each).toFixed(2)} ms of CPU per invoice, including sending and the simulator of the authority, and the client ${middle(({ client }) => client).toFixed(2)} ms; the authority had accepted ${first.toLocaleString('en')} of ${issued.toLocaleString('en')} records when the last invoice was issued, and all of them ${took.toFixed(0)} s later.`,
  }
}

const postgres = startPostgres()
try {
  const stores = [await measureStore('SQLite')]
  if (postgres) stores.push(await measureStore('PostgreSQL', postgres))
  hand({
    rounds: ROUNDS,
    figures: stores.map(({ figure }) => figure),
    skipped: postgres ? [] : [{ row: 8, name: 'PostgreSQL', why: 'its programs are not installed' }],
    notes: [
      `${COUNT} invoices in each round. Rates are by wall time, on cores that client, server and database share. The bare program neither validates nor calculates, and its record is text of the same size.`,
      ...stores.map(({ note }) => note),
    ],
  })
} finally {
  postgres?.stop()
}
