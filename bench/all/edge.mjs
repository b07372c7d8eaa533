/** Measures the start of a worker: the import of the file and its first response. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { median } from '../measure.mjs'
import { hand, isQuick } from './report.mjs'

/** More rounds than in other parts, because each start is a separate process. */
const ROUNDS = isQuick ? 5 : 21
const root = fileURLToPath(new URL('../..', import.meta.url))
const edge = join(root, 'dist/edge/index.js')
const folder = mkdtempSync(join(tmpdir(), 'cuadra-bench-edge-'))
const blob = join(folder, 'blob.mjs')
writeFileSync(
  blob,
  `export const validate = (document) => ({ is_valid: document !== null && text.length > 0 })
const text = '${'x'.repeat(statSync(edge).size)}'
`,
)

const programOf = (file) => `
import { readFileSync } from 'node:fs'
const document = JSON.parse(readFileSync('examples/02-shop-prices-with-tax.json', 'utf8'))
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const [from, at] = [spent(), performance.now()]
const { validate } = await import('${pathToFileURL(file).href}')
const imported = spent() - from
if (!validate(document).is_valid) throw new Error('the first answer is wrong')
console.log(JSON.stringify({ imported, answered: spent() - from, wall: performance.now() - at }))`
const start = (file) =>
  JSON.parse(
    execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '-'], {
      cwd: root,
      input: programOf(file),
      encoding: 'utf8',
    }),
  )

const rounds = []
for (let round = 0; round <= ROUNDS; round++) {
  const one = { baseline: start(blob), ours: start(edge) }
  // The first round reads files that are not in memory yet, so it is not used.
  if (round > 0) rounds.push(one)
}
rmSync(folder, { recursive: true, force: true })
const middle = (value) => median(rounds.map(value))
const least = Math.min(...rounds.map(({ ours }) => ours.answered))
hand({
  rounds: ROUNDS,
  rows: [
    {
      name: 'import and first answer',
      value: middle(({ ours }) => ours.answered),
      unit: 'ms',
      goal: { most: 22 },
      baseline: { name: 'a text of the same size', value: middle(({ baseline }) => baseline.answered) },
      ratio: { value: middle(({ baseline, ours }) => ours.answered / baseline.answered), unit: 'x' },
    },
    {
      name: 'import alone',
      value: middle(({ ours }) => ours.imported),
      unit: 'ms',
      baseline: { name: 'a text of the same size', value: middle(({ baseline }) => baseline.imported) },
      ratio: { value: middle(({ baseline, ours }) => ours.imported / baseline.imported), unit: 'x' },
    },
  ],
  notes: [
    `The fastest start: ${least.toFixed(1)} ms of CPU; wall time ${middle(({ ours }) => ours.wall).toFixed(1)} ms (median). CPU time is that of all threads of the process, including compilation and garbage collection.`,
  ],
})
