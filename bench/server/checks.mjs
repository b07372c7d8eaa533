/**
 * Measures the cost of each check of a request, in addition to the engine: `node bench/server/checks.mjs`. The current
 * sources are bundled. Prints the microseconds of CPU for `POST /drafts/validate` with an invoice of ten lines, the
 * best of several rounds.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { readOptions } from '../../scripts/options.mjs'
import { cpu } from '../measure.mjs'
import { draftOf } from './cuadra.mjs'
import { root, temporaryFolder } from './process.mjs'

readOptions({
  about: 'Measures the CPU time of each check of `POST /drafts/validate` with an invoice of ten lines.',
})

/** The bundle is inside the project, so that its imports are found. */
const bundle = `${root}node_modules/.cuadra-bench-checks.mjs`
await build({
  stdin: {
    contents: `export { directly } from './src/server/http/fast/direct.ts'
export { headersOf } from './src/server/http/send.ts'
export { readQuery } from './src/server/http/request/parameters.ts'
export { parseBody, requireJson } from './src/server/reading/body.ts'
export { refuseUnlikely, refuseUnstorable, survey } from './src/server/reading/strict-json.ts'
export { textOf } from './src/web/utf8.ts'
export { languageOf } from './src/web/weighed.ts'
export { createMetrics } from './src/server/app/metrics.ts'
export { createLog } from './src/server/environment/log.ts'
export { trimmedDocument } from './src/server/service/invoice/trim.ts'
export { validateAsJson } from './src/server/work/validation.ts'`,
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile: bundle,
  logLevel: 'error',
})
const ours = await import(pathToFileURL(bundle).href).finally(() => rmSync(bundle))

const ROUNDS = 9
const CALLS = 2000

const document = draftOf(10, 'REF')
const bytes = Buffer.from(JSON.stringify(document))
const text = ours.textOf(bytes)
const value = JSON.parse(text)
const seen = ours.survey(bytes)
const path = '/api/v1.1/drafts/validate'
const incoming = {
  url: path,
  headers: {
    host: 'localhost:8080',
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  },
}
const direct = new Map([[path, async () => undefined]])
const declared = { explain: { schema: { type: 'boolean' }, description: '' } }
const none = new URLSearchParams()
const metrics = ours.createMetrics({ retries: () => 0 })
const file = join(temporaryFolder(), 'log')
writeFileSync(file, '')
const descriptor = openSync('/dev/null', 'w')
const log = ours.createLog('info', descriptor)
const lines = log.child({}, { redact: [] })
const line = () => ({ request_id: randomUUID(), method: 'POST', route: path, status: 200, ms: 1.2 })
const options = { operation: 'draft', company: null, today: '2026-11-22', locale: 'en', explain: false }

const tasks = {
  'address found': () => ours.directly(direct, incoming),
  'id of the request': () => randomUUID(),
  'language of a browser': () => ours.languageOf('es-ES,es;q=0.9,en;q=0.8'),
  'whether the store was written to (once a turn)': () =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  'query held against its declaration': () => ours.readQuery(none, declared),
  'media type and encoding': () => ours.requireJson(incoming),
  'UTF-8, strictly': () => ours.textOf(bytes),
  'depth, members and escapes of the text': () => ours.survey(bytes),
  '`JSON.parse`': () => JSON.parse(text),
  'repeated keys, too many members': () => ours.refuseUnlikely(text, seen, value),
  'NUL and halves of pairs': () => ours.refuseUnstorable(text, seen, value),
  'blanks at the edges of codes': () => ours.trimmedDocument(value),
  'the engine, and its answer as text': () => ours.validateAsJson({ document: value, options }),
  metrics: () => metrics.observe(path, 'POST', 200, 0.0034),
  'line in the log, with a search for names': () => log.info(line(), 'request'),
  'line in the log, as it is written': () => lines.info(line(), 'request'),
  headers: () =>
    ours.headersOf({ status: 200, headers: { 'Content-Type': 'application/json' } }, incoming.url),
}
console.log(`Node ${process.version}, load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}\n`)
console.log('| check | us |\n|---|--:|')
for (const [name, task] of Object.entries(tasks)) {
  for (let call = 0; call < CALLS; call++) task()
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpu()
    for (let call = 0; call < CALLS; call++) task()
    best = Math.min(best, (cpu() - before) / CALLS)
  }
  console.log(`| ${name} | ${best.toFixed(best < 10 ? 1 : 0)} |`)
}
closeSync(descriptor)
