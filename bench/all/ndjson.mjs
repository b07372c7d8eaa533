/** Measures a batch of invoices on the command line, compared with a script that only parses and writes each line. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invoiceOf } from '../documents.mjs'
import { median } from '../measure.mjs'
import { root, runTree, temporaryFolder } from '../server/process.mjs'
import { hand, isQuick, scale } from './report.mjs'

const COUNT = scale(30_000)
const ROUNDS = isQuick ? 1 : 5
const folder = temporaryFolder()
const [file, bare, out] = ['invoices.ndjson', 'bare.mjs', 'out.ndjson'].map((name) => join(folder, name))
const document = invoiceOf(10)
writeFileSync(
  file,
  Array.from({ length: COUNT }, (_, at) => {
    document.meta.external_ref = `PED-${at}`
    document.invoice.customer.name = `Cliente ${at}`
    document.invoice.lines.forEach((line, n) => {
      line.quantity = 1 + ((at + n) % 90)
    })
    return `${JSON.stringify(document)}\n`
  }).join(''),
)
writeFileSync(
  bare,
  `import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: createReadStream(process.argv[2]) }))
  process.stdout.write(JSON.stringify(JSON.parse(line)) + '\\n')
`,
)

/** Runs a Node program on the file, and returns its cost. Throws unless it writes a text line for each invoice. */
async function run(...args) {
  const to = openSync(out, 'w')
  const cost = await runTree(process.execPath, args, { cwd: root, stdio: ['ignore', to, 'pipe'] })
  closeSync(to)
  const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean)
  if (lines.length !== COUNT) throw new Error(`${args.join(' ')} wrote ${lines.length} lines`)
  return cost
}
const rounds = []
// Discards the first round, which reads files that are not in memory yet.
for (let round = 0; round <= ROUNDS; round++) {
  const ours = await run('dist/cli/main.js', 'validate', '--ndjson', '--json', file)
  const other = await run(bare, file)
  if (round > 0) rounds.push({ ours, other })
}
const middle = (value) => median(rounds.map(value))
const figure = (what, unit, of) => ({
  row: 5,
  what,
  value: middle(({ ours }) => of(ours)),
  unit,
  instead: [
    { name: 'a script that only parses and writes each line', value: middle(({ other }) => of(other)) },
  ],
})
hand({
  rounds: ROUNDS,
  figures: [
    figure('invoices per second of CPU time', 'invoices/s', ({ cpu }) => COUNT / cpu),
    figure('invoices per second of wall time', 'invoices/s', ({ wall }) => COUNT / wall),
    figure('memory', 'MB', ({ peak }) => peak),
  ],
  notes: [
    `A file of ${COUNT.toLocaleString('en')} invoices, ${(readFileSync(file).length / 1e6).toFixed(0)} MB.`,
  ],
})
