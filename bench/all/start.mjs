/** Measures the start of the server: with an empty folder, and with 200,000 invoices. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { median } from '../measure.mjs'
import { millionStatements } from '../server/million.mjs'
import { cpuOf, root, startProcess } from '../server/process.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const COUNT = isQuick ? 20_000 : 200_000
const READY = /cuadra serves (http:\S+)\n/

/** Starts the server in a folder. Returns the seconds until it accepts requests, and its CPU time until then. */
async function startIn(folder) {
  const start = performance.now()
  const server = await startProcess(
    `${root}dist/server/main.js`,
    { PORT: '0', CUADRA_LOG_LEVEL: 'warn', CUADRA_DATA_DIR: folder, CUADRA_WORKERS: 'off' },
    READY,
    [],
    0,
  )
  const [wall, cpu] = [(performance.now() - start) / 1000, cpuOf(server.pid) / 1000]
  const { status } = await fetch(`${server.url}/health`)
  if (status !== 200) throw new Error(`/health answered ${status}`)
  await server.stop()
  return { wall, cpu, output: server.output() }
}

/** The baseline: a process with the same framework and one route. */
async function startEcho() {
  const start = performance.now()
  const server = await startProcess(`${root}bench/server/echo.mjs`, {}, /echo (http:\S+)\n/, [], 0)
  const wall = (performance.now() - start) / 1000
  await server.stop()
  return wall
}

const full = mkdtempSync(join(tmpdir(), 'cuadra-bench-start-'))
const company = /, ([0-9a-f-]{36})\n/.exec((await startIn(full)).output)[1]
const database = new Database(join(full, 'cuadra.db'))
for (const statement of millionStatements(company, COUNT, false)) database.exec(statement)
database.close()

const rounds = []
for (let round = 0; round <= ROUNDS; round++) {
  const empty = mkdtempSync(join(tmpdir(), 'cuadra-bench-start-'))
  const one = { echo: await startEcho(), empty: await startIn(empty), full: await startIn(full) }
  rmSync(empty, { recursive: true, force: true })
  // The first round reads files that are not in memory yet, so it is not used.
  if (round > 0) rounds.push(one)
}
rmSync(full, { recursive: true, force: true })

const row = (name, of, goal) => ({
  name,
  value: median(rounds.map((one) => of(one).wall)),
  unit: 's',
  goal: { most: goal },
  baseline: { name: 'a server with one route', value: median(rounds.map(({ echo }) => echo)) },
  ratio: { value: median(rounds.map((one) => of(one).wall / one.echo)), unit: 'x' },
})
hand({
  rounds: ROUNDS,
  rows: [
    row('an empty folder', ({ empty }) => empty, 0.8),
    row(`${COUNT.toLocaleString('en')} invoices`, ({ full }) => full, 2),
  ],
  notes: [
    `Wall time from the start of the process until it accepts requests, in a folder that is created, with tables, a company and a key, and in a folder with one company. CPU time until then: ${median(rounds.map(({ empty }) => empty.cpu)).toFixed(2)} s and ${median(rounds.map(({ full }) => full.cpu)).toFixed(2)} s.`,
  ],
})
