/** Measures the resident memory of a server over 100,000 requests to validate. */
import { ask, draftOf, startServer } from '../server/cuadra.mjs'
import { load } from '../server/load.mjs'
import { memoryOf } from '../server/process.mjs'
import { hand, scale } from './report.mjs'

const ALL = scale(100_000)
const server = await startServer()
const path = '/drafts/validate'
const document = draftOf(10, 'REF')
await ask(server, 'POST', path, document)
const samples = []
let sent = 0
while (sent < ALL) {
  const { total } = await load({
    url: `${server.url}${path}`,
    pid: server.pid,
    method: 'POST',
    body: JSON.stringify(document),
    headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
    seconds: 2,
  })
  sent += total
  samples.push({ sent, memory: memoryOf(server.pid) })
}
await server.stop()
const [first, last] = [samples[0], samples.at(-1)]
const count = (value) => value.toLocaleString('en')
hand({
  rows: [
    {
      name: `after ${count(last.sent)} requests`,
      value: last.memory,
      unit: 'MB',
      baseline: { name: `after ${count(first.sent)} requests`, value: first.memory },
      ratio: { value: last.memory / first.memory, unit: 'x' },
    },
  ],
  notes: [
    `The largest of ${samples.length} samples: ${Math.round(Math.max(...samples.map((one) => one.memory)))} MB.`,
  ],
})
