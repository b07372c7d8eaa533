/**
 * `npm run bench:server`: measures the cost of the server, each figure with a baseline in the same run. Writes
 * `bench/server/results.md`. Options: `--quick` (a tenth of the counts), `--only=validate|issue|list|memory`;
 * `CUADRA_SERVER_PROGRAM` measures another build.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { invoiceOf } from '../documents.mjs'
import { median } from '../measure.mjs'
import { postgresBaseline, sqliteBaseline } from './baseline.mjs'
import { load } from './load.mjs'
import { millionStatements } from './million.mjs'
import { startPostgres } from './postgres.mjs'
import { cpuOf, memoryOf, percentile, root, startProcess } from './process.mjs'

const quick = process.argv.includes('--quick')
const scale = (count) => (quick ? Math.ceil(count / 10) : count)
const ROUNDS = quick ? 3 : 5
const ISSUERS = 8
const ISSUERS_AT_ONCE = [ISSUERS, 32]

const folders = []
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'cuadra-bench-'))
  folders.push(made)
  return made
}

async function startServer(env = {}) {
  const dataDir = env.CUADRA_DATA_DIR ?? folder()
  const started = await startProcess(
    process.env.CUADRA_SERVER_PROGRAM ?? `${root}dist/server/main.js`,
    { PORT: '0', CUADRA_LOG_LEVEL: 'warn', CUADRA_DATA_DIR: dataDir, ...env },
    /cuadra serves (http:\S+)\n/,
  )
  const key = /key\s+(cuadra_\S+)/.exec(started.output())?.[1]
  const company = /, ([0-9a-f-]{36})\n/.exec(started.output())?.[1]
  return { ...started, dataDir, key, company }
}

const draftOf = (lines, ref) => {
  const document = structuredClone(invoiceOf(lines))
  document.meta = { direction: 'issued', source_system: 'bench', external_ref: ref }
  delete document.invoice.header.invoice_number
  delete document.invoice.issue_data.issue_date
  delete document.invoice.supplier.tax_id
  document.invoice.header.invoice_series_code = 'F'
  return document
}

const jsonHeaders = (key) => ({ 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) })

/** Measures validation without saving, compared with a server that returns the same body. */
async function validateSection() {
  const server = await startServer()
  const echo = await startProcess(`${root}bench/server/echo.mjs`, {}, /echo (\S+)/)
  const rows = []
  for (const lines of [1, 10, 100]) {
    const document = draftOf(lines, 'REF')
    const body = JSON.stringify(document)
    const response = await fetch(`${server.url}/drafts/validate`, {
      method: 'POST',
      body,
      headers: jsonHeaders(server.key),
    })
    const answer = await response.text()
    if (JSON.parse(answer).is_valid !== true)
      throw new Error(`the document of the measurement is wrong: ${answer.slice(0, 500)}`)
    const rounds = []
    for (let round = 0; round <= ROUNDS; round++) {
      const baseline = await load({
        url: `${echo.url}/echo`,
        pid: echo.pid,
        method: 'POST',
        body,
        headers: jsonHeaders(),
      })
      const ours = await load({
        url: `${server.url}/drafts/validate`,
        pid: server.pid,
        method: 'POST',
        body,
        headers: jsonHeaders(server.key),
      })
      // The first round is a warm-up.
      if (round > 0) rounds.push({ baseline, ours })
    }
    rows.push({
      lines,
      body: body.length,
      answer: answer.length,
      baseline: median(rounds.map(({ baseline }) => baseline.perSecond)),
      ours: median(rounds.map(({ ours }) => ours.perSecond)),
      ratio: median(rounds.map(({ baseline, ours }) => ours.perSecond / baseline.perSecond)),
      cpu: median(rounds.map(({ baseline, ours }) => baseline.cpu / ours.cpu)),
      p99: median(rounds.map(({ ours }) => ours.p99)),
    })
  }
  await echo.stop()
  await server.stop()
  return [
    '## Validation without saving',
    '',
    '`POST /drafts/validate`, with 16 connections, client and server on the same cores. The baseline is an echo server with the same framework (Hono on Node) that returns the same body.',
    '',
    '| lines | body | answer | echo | validate | of the echo’s rate | of its CPU | p99 |',
    '|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.lines} | ${(row.body / 1024).toFixed(1)} KB | ${(row.answer / 1024).toFixed(1)} KB | ${Math.round(row.baseline)}/s | ${Math.round(row.ours)}/s | **${Math.round(row.ratio * 100)} %** | ${Math.round(row.cpu * 100)} % | ${row.p99} ms |`,
    ),
    '',
    'Goal: 60 % for an ordinary invoice.',
    '',
  ]
}

const ask = async (server, method, path, body) => {
  const response = await fetch(server.url + path, {
    method,
    headers: jsonHeaders(server.key),
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Saves drafts of a company that are ready to be issued, and returns their ids. */
async function drafts(server, count) {
  const ids = []
  const { data } = await ask(server, 'POST', '/drafts/validate', draftOf(10, 'REF'))
  const { totals } = data.invoice
  const ready = () => {
    const document = draftOf(10, randomUUID())
    return { ...document, invoice: { ...document.invoice, totals } }
  }
  for (let at = 0; at < count; at += 100) {
    const invoices = Array.from({ length: Math.min(100, count - at) }, ready)
    const answer = await ask(server, 'POST', '/drafts/batch', { invoices })
    if (answer.rejected !== 0) throw new Error(JSON.stringify(answer).slice(0, 500))
    ids.push(...answer.items.map(({ id }) => id))
  }
  return ids
}

/** Keep-alive connections. `fetch` would take a third of a CPU that the server also uses. */
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

const issue = ({ url, key }, id) =>
  new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key }
    const outgoing = request(
      `${url}/issued-invoices/${id}/issue`,
      { agent, method: 'POST', headers },
      (answer) => {
        answer.resume()
        answer.once('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`issue answered ${answer.statusCode}`)),
        )
      },
    )
    outgoing.once('error', reject)
    outgoing.end()
  })

/**
 * Issues drafts over HTTP, with `issuers` parallel requests. Returns the invoices per second, the 99th percentile of
 * their times, and the milliseconds of CPU per invoice.
 */
async function issueAll(server, ids, issuers) {
  const waiting = [...ids]
  const times = []
  const [before, own] = [cpuOf(server.pid), process.cpuUsage()]
  const started = performance.now()
  await Promise.all(
    Array.from({ length: issuers }, async () => {
      for (let id = waiting.pop(); id; id = waiting.pop()) {
        const at = performance.now()
        await issue(server, id)
        times.push(performance.now() - at)
      }
    }),
  )
  const { user, system } = process.cpuUsage(own)
  return {
    perSecond: ids.length / ((performance.now() - started) / 1000),
    cpu: (cpuOf(server.pid) - before) / ids.length,
    client: (user + system) / 1000 / ids.length,
    p99: percentile(times, 0.99),
  }
}

async function issueSection() {
  const count = scale(1000)
  const postgres = startPostgres()
  const stores = [
    {
      name: 'SQLite',
      env: {},
      baseline: (server) => sqliteBaseline(join(server.dataDir, 'cuadra.db'), count),
    },
    ...(postgres
      ? [
          {
            name: 'PostgreSQL',
            env: { CUADRA_DATABASE_URL: await postgres.database() },
            baseline: (_server, env) => postgresBaseline(env.CUADRA_DATABASE_URL, count, ISSUERS),
          },
        ]
      : []),
  ]
  const rows = []
  for (const { name, env, baseline } of stores) {
    const server = await startServer(env)
    // The server must write a fiscal record, because the baseline also writes one.
    await ask(server, 'PUT', '/verifactu/config', { mode: 'verifactu' })
    // Warm up first, so that compilation does not affect the first measurement.
    await issueAll(server, await drafts(server, count), ISSUERS)
    const rounds = ISSUERS_AT_ONCE.map(() => [])
    for (let round = 0; round < 3; round++)
      for (const [at, issuers] of ISSUERS_AT_ONCE.entries()) {
        const ids = await drafts(server, count)
        rounds[at].push({ bare: await baseline(server, env), ours: await issueAll(server, ids, issuers) })
      }
    await server.stop()
    for (const [at, issuers] of ISSUERS_AT_ONCE.entries()) {
      const middle = (value) => median(rounds[at].map(value))
      rows.push({
        name,
        issuers,
        bare: middle(({ bare }) => bare),
        ours: middle(({ ours }) => ours.perSecond),
        ratio: middle(({ bare, ours }) => ours.perSecond / bare),
        cpu: middle(({ ours }) => ours.cpu),
        client: middle(({ ours }) => ours.client),
        p99: middle(({ ours }) => ours.p99),
      })
    }
  }
  postgres?.stop()
  return [
    '## Issue',
    '',
    `\`POST /issued-invoices/{id}/issue\` of ${count} drafts of 10 lines in one series, with parallel requests. The baseline writes the same rows with the database's own library (one transaction each, without HTTP and validation). CPU time is that of the server process and of the client process, per invoice. Load average ${loadavg()[0].toFixed(1)}.`,
    '',
    '| store | at a time | bare transactions | issue | of it | CPU | client’s | p99 |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(
      (row) =>
        `| ${row.name} | ${row.issuers} | ${Math.round(row.bare)}/s | ${Math.round(row.ours)}/s | **${Math.round(row.ratio * 100)} %** | ${row.cpu.toFixed(2)} ms | ${row.client.toFixed(2)} ms | ${Math.round(row.p99)} ms |`,
    ),
    '',
    'Goal: 50 % on SQLite, 100 % on PostgreSQL, where groups beat one transaction each.',
    '',
  ]
}

const QUERIES = [
  ['first page', '?limit=50'],
  ['one status', '?status=issued'],
  ['one series', '?series=S1'],
  ['one customer', '?customer_tax_id=B00000042'],
  ['one number', '?number=S100000001'],
  ['three weeks', '?issue_date_from=2026-11-01'],
  ['most of a year', '?issue_date_from=2026-01-01'],
  ['offset 500,000', '?offset=500000'],
]

async function listSection() {
  const count = scale(1_000_000)
  const server = await startServer()
  const { default: Database } = await import('libsql')
  const db = new Database(join(server.dataDir, 'cuadra.db'))
  for (const statement of millionStatements(server.company, count, false)) db.exec(statement)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const ask = async (path) => {
    const at = performance.now()
    const response = await fetch(server.url + path, { headers: { 'x-api-key': server.key } })
    const answer = await response.json()
    return { time: performance.now() - at, answer }
  }
  const rows = []
  for (const [name, query] of QUERIES) {
    const times = []
    let total
    for (let at = 0; at < 25; at++) {
      const { time, answer } = await ask(`/issued-invoices${query}`)
      // The first requests compile the code and fill the cache, so they are not used.
      if (at >= 5) times.push(time)
      total = answer.total
    }
    rows.push({ name, total, p50: percentile(times, 0.5), most: percentile(times, 0.95) })
  }
  const baseline = []
  for (let at = 0; at < 25; at++) baseline.push((await ask('/company')).time)
  await server.stop()
  return [
    '## Lists',
    '',
    `50 of ${count.toLocaleString('en')} issued invoices of one company, SQLite. For comparison, \`GET /company\` takes ${percentile(baseline, 0.5).toFixed(1)} ms.`,
    '',
    '| filter | matches | median | p95 |',
    '|---|--:|--:|--:|',
    ...rows.map(
      ({ name, total, p50, most }) =>
        `| ${name} | ${total.toLocaleString('en')} | ${p50.toFixed(1)} ms | ${most.toFixed(1)} ms |`,
    ),
    '',
    'Goal: the first page under 20 ms. A filter by dates counts all matches; a large offset skips the rows before it.',
    '',
  ]
}

async function memorySection() {
  const server = await startServer()
  const body = JSON.stringify(draftOf(10, 'REF'))
  const samples = []
  const all = scale(100_000)
  let sent = 0
  while (sent < all) {
    const { total } = await load({
      url: `${server.url}/drafts/validate`,
      pid: server.pid,
      method: 'POST',
      body,
      headers: jsonHeaders(server.key),
      seconds: 2,
    })
    sent += total
    samples.push({ sent, memory: memoryOf(server.pid) })
  }
  await server.stop()
  const at = (part) => samples[Math.min(samples.length - 1, Math.floor(samples.length * part))]
  const shown = [samples[0], at(0.25), at(0.5), at(0.75), samples.at(-1)]
  return [
    '## Memory',
    '',
    `${sent.toLocaleString('en')} requests to \`POST /drafts/validate\`; resident memory of the server.`,
    '',
    `| requests | ${shown.map(({ sent: n }) => n.toLocaleString('en')).join(' | ')} |`,
    '|---|--:|--:|--:|--:|--:|',
    `| memory | ${shown.map(({ memory }) => `${Math.round(memory)} MB`).join(' | ')} |`,
    '',
  ]
}

const page = [
  '# What the server costs',
  '',
  `Created by \`npm run bench:server\` on Node ${process.version}, ${cpus().length} cores, client and server on the same machine. The figures are medians. Ratios are more reliable than absolute figures.`,
  '',
]
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const sections = { validate: validateSection, issue: issueSection, list: listSection, memory: memorySection }
for (const [name, section] of Object.entries(sections))
  if (!only || only === name) page.push(...(await section()))
for (const made of folders) rmSync(made, { recursive: true, force: true })
const text = page.join('\n')
if (!only && !quick) writeFileSync(`${root}bench/server/results.md`, text)
console.log(text)
