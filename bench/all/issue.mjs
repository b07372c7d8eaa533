/** Measures issuing on both stores, compared with writing the same rows with the database library alone. */
import { join } from 'node:path'
import { cpu, median } from '../measure.mjs'
import { postgresBaseline, sqliteBaseline } from '../server/baseline.mjs'
import { ask, issueAll, saveDrafts, startServer } from '../server/cuadra.mjs'
import { startPostgres } from '../server/postgres.mjs'
import { cpuOf } from '../server/process.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const COUNT = isQuick ? 100 : 400
/**
 * Numbers of parallel clients: the number of connections in the server's pool, and the number that fills a batch of the
 * commit queue.
 */
const ISSUERS = [8, 32]
const GOALS = { SQLite: 0.45, PostgreSQL: 1 }

/** Returns the milliseconds of CPU that each PostgreSQL process of a database has used. */
async function backendsOf(client) {
  const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()')
  const used = new Map()
  for (const { pid } of rows)
    try {
      used.set(pid, cpuOf(pid))
    } catch {
      // The process ended in the meantime.
    }
  return used
}
const spentBetween = (before, after) =>
  [...after].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0)

/** Runs `work` and returns the milliseconds of CPU and wall time of the process `pid`, or of this process. */
async function watch({ pid, client }, work) {
  const own = () => (pid === undefined ? cpu() / 1000 : cpuOf(pid))
  const marks = []
  const mark = async () =>
    marks.push({ own: own(), backends: client ? await backendsOf(client) : new Map(), at: performance.now() })
  await work(mark)
  const [before, after] = marks
  const backends = spentBetween(before.backends, after.backends)
  return { cpu: after.own - before.own + backends, backends, wall: after.at - before.at }
}

async function measureStore(store, postgres, isHeld) {
  const name = isHeld ? `${store}, sending held` : store
  const url = postgres && (await postgres.database())
  const server = await startServer({
    ...(url ? { CUADRA_DATABASE_URL: url } : {}),
    ...(isHeld ? { CUADRA_WORKERS: 'off' } : {}),
  })
  const client = url && new (await import('pg')).default.Client({ connectionString: url })
  await client?.connect()
  const baseline = (mark) =>
    url
      ? postgresBaseline(url, COUNT, Math.min(...ISSUERS), mark)
      : sqliteBaseline(join(server.dataDir, 'cuadra.db'), COUNT, mark)
  // The server must write a fiscal record, because the baseline also writes one.
  await ask(server, 'PUT', '/verifactu/config', { mode: 'verifactu' })
  // Warm up first, so that compilation does not affect the first measurement.
  await issueAll(server, await saveDrafts(server, COUNT), ISSUERS[0])
  const rounds = ISSUERS.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, issuers] of ISSUERS.entries()) {
      const bare = await watch({ client }, baseline)
      const ids = await saveDrafts(server, COUNT)
      let driver = 0
      const ours = await watch({ pid: server.pid, client }, async (mark) => {
        await mark()
        const before = cpu()
        await issueAll(server, ids, issuers)
        driver = (cpu() - before) / 1000
        await mark()
      })
      rounds[at].push({ bare, ours, driver })
    }
  await client?.end()
  await server.stop()

  const rows = []
  const notes = []
  for (const [at, issuers] of ISSUERS.entries()) {
    const middle = (value) => median(rounds[at].map(value))
    const each = (value) => middle(value) / COUNT
    const rate = (value) => (COUNT / middle(value)) * 1000
    rows.push(
      {
        name: `${name}, ${issuers} at a time`,
        value: rate(({ ours }) => ours.wall),
        unit: 'invoices/s',
        baseline: { name: 'bare transactions', value: rate(({ bare }) => bare.wall) },
        ratio: {
          value: middle(({ bare, ours }) => bare.wall / ours.wall),
          unit: '%',
          ...(isHeld ? {} : { goal: { least: GOALS[store] } }),
        },
      },
      {
        name: `${name}, ${issuers} at a time, CPU for each`,
        value: each(({ ours }) => ours.cpu),
        unit: 'ms',
        baseline: { name: 'CPU of a bare transaction', value: each(({ bare }) => bare.cpu) },
        ratio: { value: middle(({ bare, ours }) => bare.cpu / ours.cpu), unit: '%' },
      },
    )
    const share = (value) => `${Math.round(middle(value) * 100)} %`
    notes.push(
      `${name}, ${issuers} at a time: the client took ${share(({ driver, ours }) => driver / ours.wall)} of a core, the server ${share(({ ours }) => (ours.cpu - ours.backends) / ours.wall)}${url ? `, PostgreSQL ${share(({ ours }) => ours.backends / ours.wall)}` : ''}.`,
    )
  }
  return { rows, notes }
}

const postgres = startPostgres()
try {
  const stores = [
    await measureStore('SQLite', undefined, false),
    await measureStore('SQLite', undefined, true),
    ...(postgres
      ? [await measureStore('PostgreSQL', postgres, false), await measureStore('PostgreSQL', postgres, true)]
      : []),
  ]
  hand({
    rounds: ROUNDS,
    rows: stores.flatMap(({ rows }) => rows),
    skipped: postgres ? [] : [{ name: 'PostgreSQL', why: 'its programs are not installed' }],
    notes: [
      `${COUNT} invoices in each round. Rates are by wall time, on cores that client, server and database share. On a busy machine, the rows with CPU time are more reliable. CPU time is that of the server and of the PostgreSQL processes, without the client.`,
      "While the server issues invoices, it also sends the records and simulates the authority's responses. `sending held` is the same server without sending, like the baseline.",
      ...stores.flatMap(({ notes }) => notes),
    ],
  })
} finally {
  postgres?.stop()
}
