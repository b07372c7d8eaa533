/**
 * `npm run test:mutation`: which changes of one token the fast tests do not notice.
 *
 * 250 changes of the calculation (`src/calculate`, `normalise`, `money`, `keep-sent.ts`, `reconcile.ts`, `rules`) and
 * 250 of the records (`src/verifactu`, `src/sii`), drawn by `--seed` (1). Each is bundled with the tests of its part
 * and these run until one fails. A change is drawn by a hash of its words, so that an edit elsewhere draws no others.
 * `mutation/equivalents.json` names, with the reason, changes that no invoice can show; they do not count.
 *
 * `--only <part of a path>`, `--count <per part>`, `--show` (what noticed each), `--whole` (every place).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { context } from 'esbuild'
import { PARTS } from './mutation/parts.mjs'
import { places } from './mutation/places.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '250' },
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
  },
})
/** Silence after which a test is taken to run for ever. */
const SILENCE = 30_000
const EQUIVALENT = JSON.parse(readFileSync(`${root}scripts/mutation/equivalents.json`, 'utf8'))

const nameOf = ({ file, source, change, nth = 1 }) => `${file} | ${source} | ${change}${nth > 1 ? ` | ${nth}` : ''}`
const order = (place) => createHash('sha256').update(`${flags.seed} ${nameOf(place)}`).digest('hex')
const areaOf = ({ file }) => (file.split('/').length === 2 ? file : file.replace(/^((?:src\/)?[^/]+)\/.*/, '$1'))

/** Bundles the tests of a part with one place changed; the address of the bundle, or null where it does not parse. */
async function bundler({ tests }) {
  let changed = null
  let bundles = 0
  const outfile = `${root}node_modules/.cache/mutation-${process.pid}.mjs`
  const load = ({ path }) => {
    const code = readFileSync(path, 'utf8')
    if (changed && path === `${root}${changed.file}`)
      return { contents: code.slice(0, changed.start) + changed.text + code.slice(changed.end), loader: 'ts' }
    return { contents: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
  }
  const built = await context({
    stdin: { contents: tests.map((file) => `import './${file}'`).join('\n'), resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile,
    logLevel: 'silent',
    ignoreAnnotations: true,
    alias: { vitest: `${root}scripts/mutation/vitest.mjs`, 'fast-check': `${root}scripts/mutation/fast-check.mjs` },
    external: [`${root}scripts/mutation/*`],
    plugins: [{ name: 'change', setup: (build) => build.onLoad({ filter: /\/(src|rules|test)\/.*\.ts$/ }, load) }],
  })
  const make = async (place) => {
    changed = place
    bundles += 1
    return built.rebuild().then(
      () => `${pathToFileURL(outfile).href}?${bundles}`,
      () => null,
    )
  }
  const end = async () => {
    await built.dispose()
    rmSync(outfile, { force: true })
  }
  return { make, end }
}

/** Runs bundles in a thread, which is ended where it falls silent or out of memory, and renewed now and then. */
function runner(left) {
  let worker = null
  let age = 0
  let hear = () => {}
  const end = async () => {
    await worker?.terminate()
    worker = null
  }
  const start = () => {
    const limits = { resourceLimits: { maxOldGenerationSizeMb: 1500 } }
    worker = new Worker(`${root}scripts/mutation/worker.mjs`, limits)
    worker.on('message', (message) => hear(message))
    worker.on('error', (error) => hear({ error: String(error) }))
  }
  const run = async (bundle) => {
    if (!worker) start()
    const failure = await new Promise((resolve) => {
      let title = 'loading'
      let timer
      hear = (message) => {
        clearTimeout(timer)
        if (message.error) resolve({ failed: title, message: message.error, lost: true })
        else if (message.done) resolve(message.failure)
        title = message.title ?? title
        if (message.title) timer = setTimeout(() => hear({ error: 'did not end' }), SILENCE)
      }
      hear({ title })
      worker.postMessage({ bundle, left })
    })
    age += 1
    if (failure?.lost || age % 40 === 0) await end()
    return failure
  }
  return { run, end }
}

const files = ['src', 'rules'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const partOf = (file) => PARTS.find(({ sources }) => sources.test(file))
/** The changes of a draw, by the part whose tests should notice them. */
const drawn = (draw) =>
  files
    .filter((file) => partOf(file)?.draw === draw && file.includes(flags.only))
    .flatMap((file) => places(file, readFileSync(`${root}${file}`, 'utf8')))
    .map((place) => ({ ...place, order: order(place) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, Number(flags.count))
const chosen = [...new Set(PARTS.map(({ draw }) => draw))].flatMap(drawn)

const reasons = new Map(EQUIVALENT.map((entry) => [nameOf(entry), entry.reason]))
const scores = new Map()
const tally = (place, kind) => {
  const area = areaOf(place)
  if (!scores.has(area)) scores.set(area, { noticed: 0, survived: 0, equivalent: 0, unparsed: 0 })
  scores.get(area)[kind] += 1
}

async function judge(place, { make, run }) {
  const where = `${place.file}:${place.line}  ${place.change}${place.nth > 1 ? ` (${place.nth})` : ''}   ${place.source}`
  if (reasons.has(nameOf(place))) return tally(place, 'equivalent')
  const bundle = await make(place)
  if (bundle === null) return tally(place, 'unparsed')
  const failure = await run(bundle)
  tally(place, failure ? 'noticed' : 'survived')
  if (!failure) console.log(`survived  ${where}`)
  else if (flags.show) console.log(`noticed   ${where}\n          ${failure.failed}: ${failure.message.split('\n')[0]}`)
}

for (const part of PARTS) {
  const mine = chosen.filter(({ file }) => partOf(file) === part)
  if (mine.length === 0) continue
  const tests = await bundler(part)
  const thread = runner(part.left)
  const broken = await thread.run(await tests.make(null))
  if (broken) throw new Error(`The tests fail before anything is changed: ${broken.failed}: ${broken.message}`)
  for (const place of mine) await judge(place, { make: tests.make, run: thread.run })
  await thread.end()
  await tests.end()
}

const share = ({ noticed, survived }) => `${((100 * noticed) / (noticed + survived || 1)).toFixed(1)} %`
const all = { noticed: 0, survived: 0, equivalent: 0, unparsed: 0 }
for (const [area, score] of [...scores].sort()) {
  for (const kind of Object.keys(all)) all[kind] += score[kind]
  console.log(`${area.padEnd(20)} ${share(score).padStart(7)}  ${JSON.stringify(score)}`)
}
console.log(`${`seed ${flags.seed}`.padEnd(20)} ${share(all).padStart(7)}  ${JSON.stringify(all)}`)
