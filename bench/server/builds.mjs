/**
 * Compares builds of the server: `node bench/server/builds.mjs BEFORE AFTER ...`, each a folder with `dist`. Sends
 * `POST /drafts/validate` with ten lines to each build in alternation, and to a server that returns the same body.
 * Prints the microseconds of server CPU per request. Options: `--lines=100`, `--rounds=9`, `--seconds=1`,
 * `--level=info` (log level, default `warn`).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { invoiceOf } from '../documents.mjs'
import { median } from '../measure.mjs'
import { load } from './load.mjs'
import { root, startProcess } from './process.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lines: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    level: { type: 'string', default: 'warn' },
  },
})

const document = structuredClone(invoiceOf(Number(values.lines)))
document.meta = { direction: 'issued', source_system: 'bench', external_ref: 'REF' }
delete document.invoice.header.invoice_number
delete document.invoice.issue_data.issue_date
delete document.invoice.supplier.tax_id
document.invoice.header.invoice_series_code = 'F'
const body = JSON.stringify(document)
const json = { 'content-type': 'application/json' }

const echo = await startProcess(`${root}bench/server/echo.mjs`, {}, /echo (\S+)/)
const tasks = [{ name: 'echo', process: echo, url: `${echo.url}/echo`, headers: json, spent: [] }]
const folders = []
for (const build of positionals) {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-bench-'))
  folders.push(folder)
  const started = await startProcess(
    join(build, 'dist/server/main.js'),
    { PORT: '0', CUADRA_LOG_LEVEL: values.level, CUADRA_DATA_DIR: folder },
    /cuadra serves (http:\S+)\n/,
  )
  const key = /key\s+(cuadra_\S+)/.exec(started.output())?.[1]
  tasks.push({
    name: build,
    process: started,
    url: `${started.url}/drafts/validate`,
    headers: { ...json, 'x-api-key': key },
    spent: [],
  })
}
// The first round is a warm-up.
for (let round = 0; round <= Number(values.rounds); round++)
  for (const { process, url, headers, spent } of tasks) {
    const seconds = Number(values.seconds)
    const { cpu } = await load({ url, pid: process.pid, method: 'POST', body, headers, seconds })
    if (round > 0) spent.push(cpu)
  }
const [baseline] = tasks
console.log(
  `${values.lines} lines, log ${values.level}, ${values.rounds} rounds; load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}\n`,
)
console.log('| build | median us | least us | echo of it, median | least of each |\n|---|--:|--:|--:|--:|')
for (const { name, spent } of tasks) {
  const part = median(spent.map((one, at) => baseline.spent[at] / one))
  const least = Math.min(...baseline.spent) / Math.min(...spent)
  console.log(
    `| ${name} | ${median(spent).toFixed(0)} | ${Math.min(...spent).toFixed(0)} | ${(100 * part).toFixed(0)} % | ${(100 * least).toFixed(0)} % |`,
  )
}
for (const { process } of tasks) await process.stop()
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
