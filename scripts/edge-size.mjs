/**
 * What a worker loads: size of `dist/edge/index.js` and `formats.js`, whether each stands alone and makes no code at run
 * time, and how long the first takes to be ready. Builds nothing. Exits 1 over the limit and where a file needs what a
 * worker has not.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Sizes } from './sizes.mjs'

/** The files that a worker may take, with their limits. The second has the shapes of Facturae, UBL and CII in it. */
const FILES = [
  ['edge', 'dist/edge/index.js', 88],
  ['edge with formats', 'dist/edge/formats.js', 200],
]
const FORBIDDEN = [/\beval\s*\(/, /\bFunction\s*\(/, /\brequire\s*\(/, /\bimport\s*\(/]
const RUNS = 5
const root = fileURLToPath(new URL('..', import.meta.url))
const sizes = new Sizes()

for (const [name, file, limit] of FILES) {
  const code = readFileSync(root + file, 'utf8')
  sizes.measure(name, [code], limit)
  sizes.refuse(name, code, FORBIDDEN)
  // A parser looks for imports, static, dynamic and with `require`: the word alone stands in messages too.
  const { metafile } = await build({
    entryPoints: [root + file],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    external: ['*'],
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  for (const { imports } of Object.values(metafile.inputs))
    for (const { path } of imports) sizes.problems.push(`${name} imports ${path}`)
}

/** Loads the file and answers, in a process of its own, as a worker that was just started. */
const FIRST = `
import { readFileSync } from 'node:fs'
const body = readFileSync('examples/02-shop-prices-with-tax.json', 'utf8')
const request = new Request('https://cuadra.invalid/validate', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body })
const from = performance.now()
const { default: worker, validate } = await import('./dist/edge/index.js')
const imported = performance.now() - from
if (!validate(JSON.parse(body)).is_valid) throw new Error('the first answer is wrong')
const answered = performance.now() - from
const over = performance.now()
const answer = await (await worker.fetch(request)).json()
if (!answer.is_valid) throw new Error('the first answer over fetch is wrong')
console.log(JSON.stringify({ imported, answered, fetched: performance.now() - over }))`

const NO_CODE = ['--disallow-code-generation-from-strings', '--input-type=module', '-']
const runs = []
for (let run = 0; run < RUNS && sizes.problems.length === 0; run++) {
  const options = { cwd: root, input: FIRST, encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, NO_CODE, options)
  if (status === 0) runs.push(JSON.parse(stdout))
  else sizes.problems.push(`edge: it does not run without code generation: ${stderr.trim()}`)
}
// The least disturbed run; reported and not demanded, since on a busy machine a time says little.
const [best] = runs.sort((a, b) => a.answered - b.answered)
if (best) {
  const ms = (name) => `${best[name].toFixed(1)} ms`
  console.log(`edge: import ${ms('imported')}, with the first answer ${ms('answered')} (aim 25 ms)`)
  console.log(`edge: the first request over fetch takes another ${ms('fetched')}`)
}
sizes.end()
