/** Measures lists with a million invoices: runs `bench/lists.mjs` and converts its results to a report. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from '../server/process.mjs'
import { listsOf } from './lists-page.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const COUNT = isQuick ? 20_000 : 1_000_000
const program = `${root}bench/lists.mjs`
if (!existsSync(program)) {
  hand({ rows: [], skipped: [{ name: 'lists', why: '`bench/lists.mjs` is not in this version' }] })
} else {
  const { status, stdout } = spawnSync(
    process.execPath,
    [program, `--count=${COUNT}`, `--rounds=${ROUNDS}`],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 },
  )
  if (status !== 0) throw new Error(`bench/lists.mjs ended with ${status}`)
  const stores = listsOf(stdout)
  if (stores.length === 0) throw new Error('bench/lists.mjs printed no table that is understood')
  const rowsOf = ({ store, count, lists }) => {
    const worst = lists.reduce((most, list) => (list.now > most.now ? list : most))
    const deepest = lists.reduce((most, list) => (list.plain > most.plain ? list : most))
    const row = (title, { name, plain, now }) => ({
      name: `${store}, ${title} (${name})`,
      value: now,
      unit: 'ms',
      baseline: { name: 'the plain query', value: plain },
      ratio: { value: now / plain, unit: 'x' },
    })
    return [
      // The goal applies only to a million invoices.
      {
        ...row(`worst of ${lists.length} lists`, worst),
        ...(count === 1_000_000 ? { goal: { most: 5 } } : {}),
      },
      row('where the plain query is slowest', deepest),
    ]
  }
  hand({
    rounds: ROUNDS,
    rows: stores.flatMap(rowsOf),
    skipped: stores.some(({ store }) => store === 'PostgreSQL')
      ? []
      : [{ name: 'PostgreSQL', why: 'its programs are not installed' }],
    notes: [
      `${stores[0].count.toLocaleString('en')} invoices of one company, on each store. Every list must have the same result as the plain query, otherwise the run fails; \`node bench/lists.mjs\` prints all lists.`,
    ],
  })
}
