/**
 * `node bench/sending.mjs [--count 20000] [--wait 1]`: issues invoices at full speed over HTTP while the server sends
 * their records to the simulator, which runs in a separate process. Both must be built. Blocks of a thousand invoices
 * with and without sending alternate, so that noise affects both; the cost of sending is the difference within each
 * pair. In the end every record must be accepted, in the order of the chain, and no message may have arrived before its
 * time.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'libsql'
import { invoiceOf } from './documents.mjs'
import { median } from './measure.mjs'
import { cpuOf, memoryOf, root, startProcess } from './server/process.mjs'

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const COUNT = option('count', 20_000)
const WAIT = option('wait', 1)
const LINES = option('lines', 3)
const BLOCK = Math.min(1000, Math.ceil(COUNT / 4))
const ISSUERS = 8
/** Duration of the lease with which this program holds the queue, in milliseconds. */
const HELD = 170_000

const folder = mkdtempSync(join(tmpdir(), 'cuadra-sending-'))
const authority = await startProcess(
  `${root}dist/server/simulator.js`,
  {},
  /simulator serves (\S+)[\s\S]*control (http:\S+)\//,
  ['--port', '0', '--control-port', '0', '--data', join(folder, 'simulator'), '--wait', String(WAIT)],
)
const caFile = /CUADRA_AEAT_CA_FILE=(\S+)/.exec(authority.output())[1]
const server = await startProcess(
  `${root}dist/server/main.js`,
  {
    PORT: '0',
    CUADRA_LOG_LEVEL: 'warn',
    CUADRA_DATA_DIR: join(folder, 'data'),
    CUADRA_AEAT_VERIFACTU_URL: authority.url,
    CUADRA_AEAT_CA_FILE: caFile,
  },
  /cuadra serves (http:\S+)\n/,
)
const key = /key\s+(cuadra_\S+)/.exec(server.output())[1]
const company = /, ([0-9a-f-]{36})\n/.exec(server.output())[1]
const database = new Database(join(folder, 'data', 'cuadra.db'))
database.exec('PRAGMA busy_timeout = 10000')

const ask = async (method, path, body) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const draftOf = () => {
  const document = invoiceOf(LINES)
  document.meta = { direction: 'issued', source_system: 'bench', external_ref: randomUUID() }
  delete document.invoice.header.invoice_number
  delete document.invoice.issue_data.issue_date
  delete document.invoice.supplier.tax_id
  document.invoice.header.invoice_series_code = 'F'
  return document
}

async function drafts(count) {
  const { data } = await ask('POST', '/drafts/validate', draftOf())
  const { totals } = data.invoice
  const ids = []
  while (ids.length < count) {
    const invoices = Array.from({ length: Math.min(100, count - ids.length) }, () => {
      const document = draftOf()
      return { ...document, invoice: { ...document.invoice, totals } }
    })
    const answer = await ask('POST', '/drafts/batch', { invoices })
    if (answer.rejected !== 0) throw new Error(JSON.stringify(answer).slice(0, 500))
    ids.push(...answer.items.map(({ id }) => id))
  }
  return ids
}

const issueAll = (ids) =>
  Promise.all(
    Array.from({ length: ISSUERS }, async () => {
      for (let id = ids.pop(); id; id = ids.pop()) await ask('POST', `/issued-invoices/${id}/issue`, {})
    }),
  )

const one = (statement, ...values) => database.prepare(statement).get(...values)
const waiting = () => one("SELECT count(*) AS n FROM verifactu_records WHERE estado = 'pending'").n
const queue = () => one('SELECT owner, lease_ms FROM verifactu_queues')

/** Takes over the queue like another process, when the server has released it. */
async function hold() {
  for (;;) {
    const taken = database
      .prepare('UPDATE verifactu_queues SET owner = ?, fence = fence + 1, lease_ms = ? WHERE owner IS NULL')
      .run('bench/0/0', Date.now() + HELD)
    if (taken.changes === 1) return
    await sleep(20)
  }
}
const release = () => database.exec('UPDATE verifactu_queues SET owner = NULL, lease_ms = 0')
async function drained() {
  while (waiting() > 0 || queue().owner !== null) await sleep(50)
}

/** Measures one block: the wall time of issuing, and the server's CPU time for issuing and sending. */
async function block(isSending) {
  const ids = await drafts(BLOCK)
  if (!isSending) await hold()
  const [cpu, at] = [cpuOf(server.pid), performance.now()]
  await issueAll(ids)
  const seconds = (performance.now() - at) / 1000
  const issued = cpuOf(server.pid) - cpu
  if (isSending) await drained()
  // Both kinds of block have a pause, in which the worker polls.
  await sleep(200)
  const all = cpuOf(server.pid) - cpu
  if (!isSending) {
    release()
    await drained()
  }
  return { perSecond: BLOCK / seconds, issued: issued / BLOCK, all: all / BLOCK }
}

await ask('PUT', '/verifactu/config', { mode: 'verifactu' })
// The first invoices are a warm-up, and create the row of the queue.
const first = await drafts(BLOCK)
await issueAll(first)
await drained()

const [on, off, memory] = [[], [], []]
let done = BLOCK
while (done < COUNT) {
  const order = on.length % 2 === 0 ? [true, false] : [false, true]
  for (const isSending of order) (isSending ? on : off).push(await block(isSending))
  done += 2 * BLOCK
  memory.push(Math.round(memoryOf(server.pid)))
  const [with_, without] = [on.at(-1), off.at(-1)]
  process.stderr.write(
    `${done} issued, ${memory.at(-1)} MB, ${Math.round(with_.perSecond)}/s with sending and ${Math.round(without.perSecond)}/s without, ${with_.all.toFixed(2)} and ${without.all.toFixed(2)} ms of CPU each\n`,
  )
}
await drained()

const records = database
  .prepare('SELECT sequence, huella, estado FROM verifactu_records ORDER BY sequence')
  .all()
const messages = database
  .prepare("SELECT record_count AS n FROM verifactu_submissions WHERE estado_envio = 'Correcto'")
  .all()
database.close()
await server.stop()
await authority.stop()
const there = new Database(join(folder, 'simulator', 'simulator.sqlite'), { readonly: true })
const received = there.prepare('SELECT hash, state FROM records ORDER BY id').all()
const early = there
  .prepare('SELECT count(*) AS n FROM submissions WHERE early = 1 AND records < 1000')
  .get().n
const faults = there.prepare("SELECT count(*) AS n FROM submissions WHERE state = 'Fault'").get().n
there.close()
rmSync(folder, { recursive: true, force: true })

const isInOrder =
  records.length === received.length &&
  records.every(({ sequence, huella }, at) => sequence === at + 1 && huella === received[at].hash)
const pairs = on.map((with_, at) => ({ with_, without: off[at] }))
const percent = (value) => `${Math.round(value * 100)} %`
const by = (rows, name) => median(rows.map((row) => row[name]))
console.log(
  JSON.stringify(
    {
      issued: records.length,
      company,
      accepted: records.filter(({ estado }) => estado === 'accepted').length,
      'stored by the authority': received.filter(({ state }) => state === 'Correcto').length,
      'in order': isInOrder,
      messages: messages.length,
      'records a message': Math.round(records.length / messages.length),
      'before their time': early,
      'refused messages': faults,
      'memory (MB)': memory,
      'issue, sending held': `${Math.round(by(off, 'perSecond'))}/s, ${by(off, 'issued').toFixed(2)} ms of CPU each`,
      'issue, sending on': `${Math.round(by(on, 'perSecond'))}/s, ${by(on, 'all').toFixed(2)} ms of CPU each with what it sent`,
      'throughput kept (median of pairs)': percent(
        median(pairs.map(({ with_, without }) => with_.perSecond / without.perSecond)),
      ),
      'CPU for sending, of that for issuing': percent(
        median(pairs.map(({ with_, without }) => with_.all / without.all)) - 1,
      ),
      figures: {
        held: { perSecond: by(off, 'perSecond'), cpu: by(off, 'all') },
        on: { perSecond: by(on, 'perSecond'), cpu: by(on, 'all') },
        throughputKept: median(pairs.map(({ with_, without }) => with_.perSecond / without.perSecond)),
        cpuWithSending: median(pairs.map(({ with_, without }) => with_.all / without.all)),
        pairs: pairs.length,
      },
    },
    null,
    2,
  ),
)
if (!isInOrder || early > 0 || records.some(({ estado }) => estado !== 'accepted')) process.exitCode = 1
