/** Measures validation over HTTP, compared with the same framework that returns the same body unchanged. */
import { median } from '../measure.mjs'
import { ask, draftOf, startServer } from '../server/cuadra.mjs'
import { load } from '../server/load.mjs'
import { root, startProcess } from '../server/process.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const SECONDS = isQuick ? 1 : 3
const server = await startServer()
const echo = await startProcess(`${root}bench/server/echo.mjs`, {}, /echo (\S+)/)
const rows = []
const notes = []
for (const lines of [1, 10, 100]) {
  const document = draftOf(lines, 'REF')
  if (JSON.parse(await ask(server, 'POST', '/drafts/validate', document)).is_valid !== true)
    throw new Error('the document of the measurement is not valid')
  const request = { method: 'POST', body: JSON.stringify(document), seconds: SECONDS }
  const headers = { 'content-type': 'application/json' }
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const baseline = await load({ ...request, url: `${echo.url}/echo`, pid: echo.pid, headers })
    const ours = await load({
      ...request,
      url: `${server.url}/drafts/validate`,
      pid: server.pid,
      headers: { ...headers, 'x-api-key': server.key },
    })
    // The first round is a warm-up.
    if (round > 0) rounds.push({ baseline, ours })
  }
  const middle = (value) => median(rounds.map(value))
  rows.push({
    name: `${lines} ${lines === 1 ? 'line' : 'lines'}, CPU of the server for a request`,
    value: middle(({ ours }) => ours.cpu),
    unit: 'us',
    baseline: { name: 'echo', value: middle(({ baseline }) => baseline.cpu) },
    ratio: {
      value: middle(({ baseline, ours }) => baseline.cpu / ours.cpu),
      unit: '%',
      ...(lines === 10 ? { goal: { least: 0.45 } } : {}),
    },
  })
  const percent = (value) => `${Math.round(middle(value) * 100)} %`
  notes.push(
    `${lines} ${lines === 1 ? 'line' : 'lines'}: ${Math.round(middle(({ ours }) => ours.perSecond))} requests/s (echo ${Math.round(middle(({ baseline }) => baseline.perSecond))}), 99 of 100 within ${middle(({ ours }) => ours.p99)} ms. The client took ${percent(({ ours }) => ours.clientShare)} of a core while the server took ${percent(({ ours }) => ours.serverShare)} (at the echo: ${percent(({ baseline }) => baseline.clientShare)} and ${percent(({ baseline }) => baseline.serverShare)}).`,
  )
}
await echo.stop()
await server.stop()
hand({
  rounds: ROUNDS,
  rows,
  notes: [
    ...notes,
    'The ratio is the CPU of the echo server divided by that of cuadra. The client (`autocannon`, 16 connections) is a separate process on the same cores. If it takes less of a core than the server, it does not limit the rate. The CPU per request does not depend on it.',
  ],
})
