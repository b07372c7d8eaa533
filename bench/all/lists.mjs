/**
 * Measures the database cost of one page of each list, with a million invoices, on both stores. The cost is the CPU
 * time in the library of the embedded database, or of the PostgreSQL processes. All lists are printed on standard
 * error.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import Database from 'libsql'
import { Client } from 'pg'
import { cpu, median } from '../measure.mjs'
import { startPostgres } from '../server/postgres.mjs'
import { root, temporaryFolder } from '../server/process.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const COUNT = isQuick ? 20_000 : 1_000_000
/** Number of drafts: a fifth of the number of invoices. */
const WAITING = Math.floor(COUNT / 5)

/** Bundles the store and the lists into the project folder, where Node finds their imports. Returns the module. */
async function sources() {
  const outfile = join(temporaryFolder(`${root}node_modules`), 'lists.mjs')
  const contents = ['store/store', 'store/counts', 'service/invoice/lists']
    .map((file) => `export * from './packages/server/src/${file}.ts'`)
    .join('\n')
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
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

/** Returns the milliseconds of database CPU of each list, in each round after the first one. */
async function measured(spent, run, rounds) {
  const answers = []
  const samples = LISTS.map(() => [])
  for (let round = 0; round <= rounds; round++)
    for (const [at, [, company, kind, filters]] of LISTS.entries()) {
      const { status = kind.status, ...rest } = filters
      const before = spent()
      answers[at] = await run(company, { ...kind, status }, { limit: 50, offset: 0, ...rest })
      // The first of several rounds compiles the statements and reads data that is not in memory yet.
      if (round > 0 || rounds === 0) samples[at].push((spent() - before) / 1000)
    }
  return { answers, times: samples.map(median) }
}

/** Adds all counts of a company, which has none yet. */
async function addCounts(store, company_id, { countedSteps, wrongCounts }) {
  const rows = store.of(company_id)
  for (const span of (await countedSteps(rows)).keys()) {
    const missing = (await wrongCounts(rows, span)).map(({ place, part, day, status, present: n }) => ({
      company_id,
      span,
      place,
      part,
      day,
      status,
      n,
    }))
    await store.transaction(async (tx) => {
      const db = tx.acrossCompanies('a measurement')
      while (missing.length > 0) await db.insertInto('invoice_counts').values(missing.splice(-1000)).execute()
    })
  }
}

async function measureStore(kind, sources, postgres) {
  const { openStore, listInvoices } = sources
  const isPostgres = kind === 'PostgreSQL'
  const where = isPostgres
    ? { dataDir: '', databaseUrl: await postgres.database(), pool: 8 }
    : { dataDir: temporaryFolder() }
  const store = await openStore(where)
  const { sql } = await import('kysely')
  const began = performance.now()
  const after = (what) =>
    console.error(`${kind}: ${what} after ${Math.round((performance.now() - began) / 1000)} s`)
  await store.transaction(async (tx) => {
    const db = tx.acrossCompanies('a measurement')
    if (isPostgres) await sql`set local statement_timeout = 0`.execute(db)
    for (const company of [ISSUED, RECEIVED, DRAFTS])
      await sql.raw(rowsOf(company, company === DRAFTS ? WAITING : COUNT, isPostgres)).execute(db)
  })
  for (const company of [ISSUED, RECEIVED, DRAFTS]) await addCounts(store, company, sources)
  const admin = isPostgres ? new Client({ connectionString: where.databaseUrl }) : undefined
  await admin?.connect()
  await admin?.query('vacuum analyze')
  after('filled')
  let spent = () => inLibrary
  if (admin) {
    // Each connection is a PostgreSQL process. Open all of them first, so that all their CPU time is measured.
    const sleep = (tx) => sql`select pg_sleep(0.1)`.execute(tx.acrossCompanies('a measurement'))
    await Promise.all(Array.from({ length: 8 }, () => store.transaction(sleep)))
    const { rows } = await admin.query(
      "select pid from pg_stat_activity where datname = current_database() and application_name = 'cuadra'",
    )
    spent = () => ofProcesses(rows.map(({ pid }) => pid))
  }
  const plain = await measured(spent, (...list) => plainly(store, ...list), 0)
  after('plain queries')
  const listed = async (company, list, query) => {
    const { items, total } = await listInvoices({ store: store.of(company) }, { ...list, query })
    return { total, ids: items.map(({ id }) => id) }
  }
  const ours = await measured(spent, listed, ROUNDS)
  after('lists')
  await admin?.end()
  await store.close()
  const lists = LISTS.map(([name], at) => {
    if (JSON.stringify(ours.answers[at]) !== JSON.stringify(plain.answers[at]))
      throw new Error(`${kind}, ${name}: the list is not what the plain query finds`)
    return { name, total: ours.answers[at].total, ours: ours.times[at], plain: plain.times[at] }
  })
  for (const { name, total, ours, plain } of lists)
    console.error(
      `${kind}: ${name}, ${total} found: ${ours.toFixed(2)} ms, plain query ${plain.toFixed(2)} ms`,
    )
  const worst = lists.reduce((most, list) => (list.ours > most.ours ? list : most))
  const deepest = lists.reduce((most, list) => (list.plain > most.plain ? list : most))
  const figure = (what, { name, ours, plain }) => ({
    row: 9,
    what: `${kind}, ${what} (${name})`,
    value: ours,
    unit: 'ms',
    instead: [{ name: 'the plain query', value: plain }],
  })
  return {
    figures: [
      figure(`the slowest of ${lists.length} lists`, worst),
      figure('where the plain query is slowest', deepest),
    ],
    goal: {
      what: `${kind}, the slowest of ${lists.length} lists`,
      value: worst.ours,
      unit: 'ms',
      goal: { most: 5 },
      detail: worst.name,
    },
  }
}

const postgres = startPostgres()
try {
  const module = await sources()
  const stores = [await measureStore('SQLite', module)]
  if (postgres) stores.push(await measureStore('PostgreSQL', module, postgres))
  hand({
    rounds: ROUNDS,
    figures: stores.flatMap(({ figures }) => figures),
    goals: stores.map(({ goal }) => goal),
    skipped: postgres ? [] : [{ row: 9, name: 'PostgreSQL', why: 'its programs are not installed' }],
    notes: [`${COUNT.toLocaleString('en')} invoices of one company, on each store.`],
  })
} finally {
  postgres?.stop()
}
