/**
 * `node bench/lists.mjs`: measures the database cost of one page of each list, with a million invoices, on both stores.
 * The cost is the CPU time in the library of the embedded database, or of the PostgreSQL processes. The baseline is the
 * plain query, which counts all matches and skips the rows before the page. `--count=N` creates fewer invoices,
 * `--store=sqlite|postgres` uses one store.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import Database from 'libsql'
import { cpu, median } from './measure.mjs'
import { startPostgres } from './server/postgres.mjs'

const option = (name, otherwise) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise
const COUNT = Number(option('count', 1_000_000))
/** Number of drafts: a fifth of the number of invoices. */
const WAITING = Math.floor(COUNT / 5)
const ROUNDS = Number(option('rounds', 9))
const here = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(here, 'node_modules/.cuadra-bench-lists-'))

/** Bundles the store and the lists, and returns them as a module. */
async function bundledSources() {
  const outfile = join(folder, 'sources.mjs')
  const contents = ['store/store', 'store/invoices', 'store/counts', 'service/invoice/lists']
    .map((file) => `export * from ${JSON.stringify(join(here, `src/server/${file}.ts`))}`)
    .join('\n')
  await build({
    stdin: { contents, resolveDir: here, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

/** CPU time spent in the library of the embedded database, in microseconds. */
let inLibrary = 0
const prepare = Database.prototype.prepare
Database.prototype.prepare = function timed(sql) {
  const statement = prepare.call(this, sql)
  for (const method of ['all', 'run']) {
    const own = statement[method].bind(statement)
    statement[method] = (...values) => {
      const at = cpu()
      try {
        return own(...values)
      } finally {
        inLibrary += cpu() - at
      }
    }
  }
  return statement
}
const exec = Database.prototype.exec
Database.prototype.exec = function timed(sql) {
  const at = cpu()
  try {
    return exec.call(this, sql)
  } finally {
    inLibrary += cpu() - at
  }
}

const lastSeen = new Map()
/**
 * Returns the CPU time of PostgreSQL processes, in microseconds. For a process that has ended, uses its last known
 * value.
 */
const ofProcesses = (ids) =>
  ids.reduce((sum, id) => {
    try {
      lastSeen.set(id, Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1000)
    } catch {}
    return sum + (lastSeen.get(id) ?? 0)
  }, 0)

const ISSUED = 'company-issued'
const RECEIVED = 'company-received'
const DRAFTS = 'company-drafts'
const SERIES = 10
const DAYS = 1095

/** Returns the statements that create the rows of a company, in the SQL dialect of a store. */
function rowsOf(company, count, isPostgres) {
  const pad = (value, width) =>
    isPostgres ? `lpad((${value})::bigint::text, ${width}, '0')` : `printf('%0${width}d', ${value})`
  const dayOf = (back) =>
    isPostgres
      ? `to_char(date '2026-11-21' - (${back})::int, 'YYYY-MM-DD')`
      : `date('2026-11-21', '-' || (${back}) || ' days')`
  // Multiplying by an odd number scatters the keys, so that consecutive rows are not neighbours.
  const scattered = (by, below) => `((n * ${by}) % ${below})`
  const back = `((${count} - n) * ${DAYS} / ${count})`
  const id = isPostgres
    ? `substr(md5(n::text), 1, 8) || '-0000-4000-8000-' || ${pad('n', 12)}`
    : `printf('%08x', (n * 2654435761) & 4294967295) || '-0000-4000-8000-' || ${pad('n', 12)}`
  const from = isPostgres
    ? `generate_series(1::bigint, ${count}::bigint) as g(n)`
    : `(with recursive g(n) as (select 1 union all select n + 1 from g where n < ${count}) select n from g)`
  const columns = `company_id, invoice_id, direction, status, imported, document_series, series, number, issue_date, issue_year,
    fiscal_date, external_ref, supplier_tax_id, supplier_name, customer_tax_id, customer_name, currency, total_base, total_tax,
    total, has_errors, sort_series, sort_date, sort_number, created_at, updated_at`
  const timestamp = (day) =>
    `${day} || 'T' || ${pad('8 + n % 10', 2)} || ':' || ${pad(scattered(7919, 60), 2)} || ':00.000000'`
  const money = `'EUR', 100, 21, 121, 0`
  const said = {
    [ISSUED]: () => {
      const series = `'S' || ${scattered(7, SERIES)}`
      const day = dayOf(back)
      const number = `${series} || ${pad('n', 8)}`
      // One in twenty invoices is a draft.
      const placed = (value, draft = 'null') => `case when n % 20 = 0 then ${draft} else ${value} end`
      return `select '${company}', ${id}, 'issued',
        case when n % 20 = 0 then 'draft' when n % 33 = 0 then 'cancelled' when n % 7 = 0 then 'sent' else 'issued' end, 0,
        ${series}, ${placed(series)}, ${placed(number)}, ${placed(day)}, ${placed(`substr(${day}, 1, 4)`)}, ${placed(day)},
        'REF-' || n, 'B77777779', 'Comercial', 'B' || ${pad(scattered(31, 5000), 8)}, 'Cliente', ${money},
        ${placed(`'0' || ${series}`, `'1'`)}, ${placed(day, `''`)}, ${placed(number, `''`)}, ${timestamp(day)}, ${timestamp(day)}`
    },
    [RECEIVED]: () => {
      const entered = dayOf(back)
      // A received invoice is registered up to two months after its date; one in a thousand is registered a year late.
      const issued = dayOf(`${back} + ${scattered(13, 60)} + case when n % 1000 = 0 then 365 else 0 end`)
      const supplier = `'B' || ${pad(scattered(31, 5000), 8)}`
      const series = `case when n % 10 < 3 then null when n % 10 < 5 then 'A' else 'P' || ${scattered(31, 5000)} end`
      return `select '${company}', ${id}, 'received', case when n % 20 = 0 then 'draft' else 'received' end, 0,
        ${series}, ${series}, 'N' || (n / 5000), ${issued}, substr(${issued}, 1, 4), ${issued}, 'REF-' || n,
        ${supplier} || 'X' || (n / 5000000), 'Proveedor', 'B77777779', 'Comercial', ${money}, '1', '', 'N' || (n / 5000),
        ${timestamp(entered)}, ${timestamp(entered)}`
    },
    [DRAFTS]: () =>
      `select '${company}', ${id}, 'issued', 'draft', 0, 'S' || ${scattered(7, SERIES)}, null, null, null, null, null, 'REF-' || n,
        'B77777779', 'Comercial', 'B' || ${pad(scattered(31, 5000), 8)}, 'Cliente', ${money}, '1', '', '', ${timestamp(dayOf(back))}, ${timestamp(dayOf(back))}`,
  }
  return `insert into invoices (${columns}) ${said[company]()} from ${from}`
}

const issued = (name, query) => [`issued: ${name}`, ISSUED, { direction: 'issued' }, query]
const received = (name, query) => [
  `received: ${name}`,
  RECEIVED,
  { direction: 'received', newestFirst: true },
  query,
]
const drafts = (name, query) => [
  `drafts: ${name}`,
  DRAFTS,
  { direction: 'issued', newestFirst: true, status: 'draft' },
  query,
]
const far = Math.floor(COUNT / 2)
const LISTS = [
  issued('first page', {}),
  issued('limit 500', { limit: 500 }),
  issued('offset half', { offset: far }),
  issued('last page', { offset: Math.floor(COUNT * 0.95) - 50 }),
  issued('drafts, at the end', { offset: COUNT - 100 }),
  issued('status sent', { status: 'sent' }),
  issued('status sent, offset half of them', { status: 'sent', offset: Math.floor(far / 8) }),
  issued('status issued, offset deep', { status: 'issued', offset: Math.floor(far * 0.7) }),
  issued('status draft, offset deep', { status: 'draft', offset: Math.floor(COUNT / 25) }),
  issued('one series', { series: 'S1' }),
  issued('one series, offset deep', { series: 'S1', offset: Math.floor(COUNT / 12) }),
  issued('three weeks', { issue_date_from: '2026-11-01' }),
  issued('three weeks a year ago', { issue_date_from: '2025-11-01', issue_date_to: '2025-11-21' }),
  issued('most of a year', { issue_date_from: '2026-01-01' }),
  issued('most of a year, offset deep', { issue_date_from: '2026-01-01', offset: Math.floor(COUNT / 5) }),
  issued('to a day', { issue_date_to: '2026-05-05', offset: far }),
  issued('one day', {
    issue_date_from: '2026-05-05',
    issue_date_to: '2026-05-05',
    offset: Math.floor(COUNT / 2500),
  }),
  issued('a year, sent, one series, deep', {
    issue_date_from: '2025-11-22',
    status: 'sent',
    series: 'S2',
    offset: Math.floor(COUNT / 400),
  }),
  issued('one customer', { customer_tax_id: 'B00000042' }),
  issued('one customer, sent, a year', {
    customer_tax_id: 'B00000042',
    status: 'sent',
    issue_date_from: '2025-11-22',
  }),
  issued('one number', { number: 'S100000003' }),
  issued('one reference', { external_ref: 'REF-42' }),
  received('first page', {}),
  received('offset half', { offset: far }),
  received('last page', { offset: COUNT - 50 }),
  received('status draft, offset deep', { status: 'draft', offset: Math.floor(COUNT / 25) }),
  received('one series', { series: 'A' }),
  received('one series, offset deep', { series: 'A', offset: Math.floor(COUNT / 10) }),
  received('a small series', { series: 'P41' }),
  received('three weeks', { issue_date_from: '2026-11-01' }),
  received('three weeks a year ago', { issue_date_from: '2025-11-01', issue_date_to: '2025-11-21' }),
  received('most of a year, offset deep', { issue_date_from: '2026-01-01', offset: Math.floor(COUNT / 5) }),
  received('to a day, offset half', { issue_date_to: '2026-05-05', offset: far }),
  received('a year, draft, deep', {
    issue_date_from: '2025-11-22',
    status: 'draft',
    offset: Math.floor(COUNT / 100),
  }),
  received('a year, one series, deep', {
    issue_date_from: '2025-11-22',
    series: 'A',
    offset: Math.floor(COUNT / 40),
  }),
  received('one supplier', { supplier_tax_id: 'B00000042X0' }),
  received('one number', { number: 'N7' }),
  received('one reference', { external_ref: 'REF-42' }),
  drafts('first page', {}),
  drafts('offset half', { offset: WAITING / 2 }),
  drafts('one series, offset deep', { series: 'S1', offset: Math.floor(WAITING / 20) }),
  [`issued: only drafts, offset half`, DRAFTS, { direction: 'issued' }, { offset: WAITING / 2 }],
  [
    `issued: only drafts, one series, deep`,
    DRAFTS,
    { direction: 'issued' },
    { series: 'S1', offset: Math.floor(WAITING / 20) },
  ],
]

const EQUAL = {
  series: 'document_series',
  number: 'number',
  external_ref: 'external_ref',
  customer_tax_id: 'customer_tax_id',
  supplier_tax_id: 'supplier_tax_id',
}
/** Returns a page of the list with a plain query. */
async function plainly(store, company, { direction, status, newestFirst }, query) {
  let rows = store.of(company).select('invoices').where('direction', '=', direction)
  if (status) rows = rows.where('status', '=', status)
  for (const [name, column] of Object.entries(EQUAL))
    if (query[name]) rows = rows.where(column, '=', query[name])
  if (query.issue_date_from) rows = rows.where('issue_date', '>=', query.issue_date_from)
  if (query.issue_date_to) rows = rows.where('issue_date', '<=', query.issue_date_to)
  const { n } = await rows.select(({ fn }) => fn.countAll().as('n')).executeTakeFirstOrThrow()
  const order = newestFirst
    ? [['created_at', 'desc'], ['invoice_id']]
    : [['sort_series'], ['sort_date', 'desc'], ['sort_number'], ['invoice_id']]
  const page = await order
    .reduce((all, one) => all.orderBy(...one), rows)
    .selectAll()
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { total: Number(n), ids: page.map(({ invoice_id }) => invoice_id) }
}

/** Returns the milliseconds of database CPU for each list. */
async function measured(spent, run, rounds) {
  const answers = []
  const samples = LISTS.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [at, list] of LISTS.entries()) {
      const [, company, kind, filters] = list
      const { status = kind.status, ...rest } = filters
      const before = spent()
      const answer = await run(company, { ...kind, status }, { limit: 50, offset: 0, ...rest })
      // The first round compiles the statements and reads data that is not in memory yet.
      if (round > 0 || rounds === 0) samples[at].push((spent() - before) / 1000)
      answers[at] = answer
    }
  return { answers, times: samples.map(median) }
}

const listing = (sources, store) => async (company, kind, query) => {
  const { items, total } = await sources.listInvoices({ store: store.of(company) }, { ...kind, query })
  return { total, ids: items.map(({ id }) => id) }
}

const EMPTY = {
  imported: 0,
  series: null,
  number: null,
  issue_date: null,
  issue_year: null,
  fiscal_date: null,
  supplier_tax_id: null,
  supplier_name: null,
  customer_tax_id: 'B00000042',
  customer_name: 'Cliente',
  currency: 'EUR',
  total_base: 1,
  total_tax: 0,
  total: 1,
  has_errors: 0,
  corrected_number: null,
  sort_series: '1',
  sort_date: '',
  sort_number: '',
}
let made = 0

/**
 * Returns the milliseconds of database CPU per written invoice, with one transaction for each, and with eight parallel
 * writers.
 */
async function written(sources, store, spent) {
  const times = { insert: [], issue: [], remove: [] }
  const rowOf = () => {
    made++
    const stamp = `2026-11-22T09:${String(made % 60).padStart(2, '0')}:00.000000`
    return {
      ...EMPTY,
      invoice_id: `${((made * 2654435761) >>> 0).toString(16).padStart(8, '0')}-new-${made}`,
      direction: 'issued',
      status: 'draft',
      document_series: 'S1',
      external_ref: `NEW-${made}`,
      created_at: stamp,
      updated_at: stamp,
    }
  }
  const own = store.of(ISSUED)
  const insert = (row) =>
    own.transaction((tx) => sources.insertInvoice(tx, row, { sent: '{}', canonical: null, errors: '[]' }))
  const timed = async (name, rows, work) => {
    const before = spent()
    for (const row of rows) await own.transaction((tx) => work(tx, row))
    times[name].push((spent() - before) / 1000 / rows.length)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const rows = Array.from({ length: 256 }, rowOf)
    const before = spent()
    for (const row of rows) await insert(row)
    times.insert.push((spent() - before) / 1000 / rows.length)
    await timed('issue', rows.slice(0, 128), (tx, row) => {
      const placed = { series: 'S1', number: `NEW${row.invoice_id}`, issue_date: '2026-11-22' }
      return sources.updateInvoice(tx, row, { ...placed, ...sources.orderOf(placed), status: 'issued' })
    })
    await timed('remove', rows.slice(128), (tx, row) => sources.deleteInvoice(tx, row))
  }
  const waiting = Array.from({ length: 2000 }, rowOf)
  const [started, retries] = [performance.now(), store.retries()]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let row = waiting.pop(); row; row = waiting.pop()) await insert(row)
    }),
  )
  const rate = 2000 / ((performance.now() - started) / 1000)
  return {
    ...Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)])),
    rate,
    retries: store.retries() - retries,
  }
}

async function measureStore(kind, postgres) {
  const isPostgres = kind === 'PostgreSQL'
  const where = isPostgres
    ? { dataDir: '', databaseUrl: await postgres.database(), pool: 8 }
    : { dataDir: mkdtempSync(join(tmpdir(), 'cuadra-bench-')) }
  const sources = await bundledSources()
  const { sql } = await import('kysely')
  const opened = async () => {
    const store = await sources.openStore(where)
    if (!isPostgres) return { store, spent: () => inLibrary }
    // Each connection is a PostgreSQL process. Open all of them first, so that all their CPU time is measured.
    const ids = async () =>
      (
        await sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'cuadra'`.execute(
          store.shared,
        )
      ).rows.map(({ pid }) => pid)
    await Promise.all(Array.from({ length: 8 }, () => sql`select pg_sleep(0.1)`.execute(store.shared)))
    const all = await ids()
    return { store, spent: () => ofProcesses(all) }
  }
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const { store, spent } = await opened()
  const inOne = async (work) =>
    store.transaction(async (tx) => {
      const db = tx.acrossCompanies('a measurement')
      if (isPostgres) await sql`set local statement_timeout = 0`.execute(db)
      await work(db)
    })
  const fill = (statements) =>
    inOne(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    })
  for (const company of [ISSUED, RECEIVED, DRAFTS]) {
    await fill([rowsOf(company, company === DRAFTS ? WAITING : COUNT, isPostgres)])
    console.error(`${kind}: ${company} filled after ${seconds()} s`)
  }
  // Every count is missing so far.
  for (const company_id of [ISSUED, RECEIVED, DRAFTS]) {
    const rows = store.of(company_id)
    for (const span of (await sources.countedSteps(rows)).keys()) {
      const missing = (await sources.wrongCounts(rows, span)).map(
        ({ place, part, day, status, present: n }) => ({ company_id, span, place, part, day, status, n }),
      )
      await inOne(async (db) => {
        while (missing.length > 0)
          await db.insertInto('invoice_counts').values(missing.splice(-1000)).execute()
      })
    }
  }
  const settle = async () => {
    if (isPostgres) await sql`vacuum analyze`.execute(store.shared)
  }
  await settle()
  console.error(`${kind}: settled after ${seconds()} s`)
  const result = {}
  result.plain = await measured(spent, (company, listed, query) => plainly(store, company, listed, query), 0)
  console.error(`${kind}: plain queries after ${seconds()} s`)
  result.now = await measured(spent, listing(sources, store), ROUNDS)
  LISTS.forEach(([name], at) => {
    if (JSON.stringify(result.now.answers[at]) !== JSON.stringify(result.plain.answers[at]))
      throw new Error(`${kind}, ${name}: the list is not what the plain query finds`)
  })
  result.written = await written(sources, store, spent)
  await store.close()
  console.error(`${kind}: done after ${seconds()} s`)
  if (!isPostgres) rmSync(where.dataDir, { recursive: true, force: true })
  return result
}

const ms = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0))

const wanted = option('store')
const postgres = wanted === 'sqlite' ? undefined : startPostgres()
const kinds = [...(wanted === 'postgres' ? [] : ['SQLite']), ...(postgres ? ['PostgreSQL'] : [])]
try {
  for (const kind of kinds) {
    const { plain, now, written: writing } = await measureStore(kind, postgres)
    console.log(`\n## ${kind}\n`)
    console.log(
      `50 of ${COUNT.toLocaleString('en')} invoices of one company, milliseconds of the database's CPU.\n`,
    )
    console.log('| list | matches | plain query | now |\n|---|--:|--:|--:|')
    for (const [at, [name]] of LISTS.entries())
      console.log(
        `| ${name} | ${now.answers[at].total.toLocaleString('en')} | ${ms(plain.times[at])} | ${ms(now.times[at])} |`,
      )
    console.log(`\nWorst: ${ms(Math.max(...now.times))} ms.\n`)
    console.log('| a transaction that | now |\n|---|--:|')
    for (const [name, label] of [
      ['insert', 'saves a draft'],
      ['issue', 'issues it'],
      ['remove', 'deletes it'],
    ])
      console.log(`| ${label} | ${ms(writing[name])} ms |`)
    console.log(`| drafts of one series a second, 8 at a time | ${Math.round(writing.rate)} |`)
    console.log(`| transactions that were run again | ${writing.retries} |`)
  }
} finally {
  postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
