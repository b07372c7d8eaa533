/**
 * Measures validation over HTTP: the CPU time of a request, and the memory over all requests. Compares it with a server
 * with the same framework that only returns the body unchanged.
 */
import { median } from '../measure.mjs'
import { ask, draftOf, startServer } from '../server/cuadra.mjs'
import { load } from '../server/load.mjs'
import { memoryOf, root, startProcess } from '../server/process.mjs'
import { hand, scale } from './report.mjs'

const ROUNDS = 20
const AMOUNT = scale(5000)
const path = '/drafts/validate'
const server = await startServer()
const echo = await startProcess(`${root}bench/server/echo.mjs`, {}, /echo (\S+)/)
const document = draftOf(10, 'REF')
if (JSON.parse(await ask(server, 'POST', path, document)).is_valid !== true)
  throw new Error('the document of the measurement is not valid')
const request = { method: 'POST', body: JSON.stringify(document), amount: AMOUNT }
const headers = { 'content-type': 'application/json' }
const tasks = [
  { ...request, url: `${echo.url}/echo`, pid: echo.pid, headers },
  {
    ...request,
    url: `${server.url}${path}`,
    pid: server.pid,
    headers: { ...headers, 'x-api-key': server.key },
  },
]
const rounds = []
// The first round compiles the code. Its figures are discarded, but its requests count in the text about memory.
for (let round = 0; round < ROUNDS; round++) {
  const [baseline, ours] = [await load(tasks[0]), await load(tasks[1])]
  rounds.push({ baseline, ours, memory: [echo, server].map(({ pid }) => memoryOf(pid)) })
}
await echo.stop()
await server.stop()

const middle = (value, of = rounds.slice(1)) => median(of.map(value))
const memory = (at, of) => middle((round) => round.memory[at], of)
const [early, late] = [rounds.slice(1, 6), rounds.slice(-5)]
const count = (rounds) => (rounds * AMOUNT).toLocaleString('en')
hand({
  rounds: ROUNDS - 1,
  figures: [
    {
      row: 10,
      what: `resident memory (${memory(1, early).toFixed(0)} MB after ${count(2)} to ${count(6)} requests)`,
      value: memory(1, late),
      unit: 'MB',
      instead: [{ name: 'a Hono process that returns the body', value: memory(0, late) }],
    },
  ],
  goals: [
    {
      what: 'CPU of a request, echo divided by cuadra',
      value: middle(({ baseline, ours }) => baseline.cpu / ours.cpu),
      unit: '%',
      goal: { least: 0.45 },
      detail: `${middle(({ ours }) => ours.cpu).toFixed(0)} us, echo ${middle(({ baseline }) => baseline.cpu).toFixed(0)} us`,
    },
    {
      what: `memory after ${count(ROUNDS)} requests, compared with ${count(2)} to ${count(6)}`,
      value: memory(1, late) / memory(1, early),
      unit: 'x',
      goal: { most: 1.1 },
      detail: `${memory(1, late).toFixed(0)} MB and ${memory(1, early).toFixed(0)} MB, at most ${Math.max(...rounds.map((round) => round.memory[1])).toFixed(0)} MB`,
    },
  ],
  notes: [
    `${count(ROUNDS)} requests. Memory is the median of the last five of ${ROUNDS} samples. A request took ${middle(({ ours }) => ours.cpu).toFixed(0)} us of the server's CPU and ${middle(({ ours }) => ours.client).toFixed(0)} us of the client's (\`autocannon\`), so the client does not limit the rate.`,
  ],
})
