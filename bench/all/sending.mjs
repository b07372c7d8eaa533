/** Measures how much sending slows down issuing: runs `bench/sending.mjs` and converts its results to a report. */
import { spawnSync } from 'node:child_process'
import { root } from '../server/process.mjs'
import { hand, isQuick } from './report.mjs'

// Pairs of blocks of a thousand invoices, after a thousand to warm up.
const COUNT = isQuick ? 1500 : 19_000
const { status, stdout } = spawnSync(
  process.execPath,
  [`${root}bench/sending.mjs`, '--count', String(COUNT)],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 },
)
if (status !== 0) throw new Error(`bench/sending.mjs ended with ${status}: ${stdout.trim().slice(-500)}`)
const said = JSON.parse(stdout)
const { held, on, throughputKept, cpuWithSending, pairs } = said.figures
hand({
  rounds: pairs,
  rows: [
    {
      name: 'issue and send, CPU of the server for each',
      value: on.cpu,
      unit: 'ms',
      baseline: { name: 'issue, sending held', value: held.cpu },
      ratio: { value: cpuWithSending, unit: 'x' },
    },
    {
      name: 'issue while records are sent',
      value: on.perSecond,
      unit: 'invoices/s',
      baseline: { name: 'issue, sending held', value: held.perSecond },
      ratio: { value: throughputKept, unit: '%' },
    },
  ],
  notes: [
    `${said.accepted.toLocaleString('en')} of ${said.issued.toLocaleString('en')} records accepted, in the order of the chain: ${said['in order'] ? 'yes' : 'no'}; ${said['records a message']} records per message; ${said['before their time']} messages before their time. The invoices have three lines and are issued in blocks of up to a thousand. Ratios are medians of pairs.`,
  ],
})
