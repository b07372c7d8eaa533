/**
 * `npm run test:mutation`: finds small changes of the code that the fast tests do not detect. Stryker makes and runs
 * them. This script selects lines of the calculation and of the records by `--seed` (1) and a hash of their content, so
 * that an edit elsewhere does not change the selection. Equivalent changes in `mutation/equivalents.json`, listed as the
 * changed line under a reason, do not count.
 *
 * `--seed <text>`, `--count <lines of a draw>` (60), `--draw calculation` or `records`, `--only <pattern of a path>`,
 * `--golden` (the calculation with the golden cases alone), `--show` (the test that detected each change).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hasSet, howToHave, importFrom, requireFrom } from './dev-packages.mjs'
import { EQUIVALENT } from './mutation/equivalent.mjs'

/** The files to change, and the tests that should detect it, without those of commands and servers. */
const DRAWS = {
  calculation: {
    sources:
      /^(src\/(calculate|normalise|money)\/|src\/engine\/(complete|keep-sent)\.ts|src\/api\/reconcile\.ts|rules\/)/,
    tests: [
      'test/api/{golden,reconcile}.test.ts',
      'test/messages/messages.test.ts',
      'test/money/{money,exact}.test.ts',
      'test/conformance/examples.test.ts',
      'test/property/{differential,properties}.test.ts',
      'test/second/second.test.ts',
      'test/{calculate,engine,rules}/*.test.ts',
    ],
  },
  records: {
    sources: /^src\/(verifactu|sii)\/(?!generated\/)/,
    tests: ['test/{verifactu,sii}/**/*.test.ts'],
  },
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (!hasSet('mutation')) {
  console.error(`mutation: ${howToHave('mutation')}`)
  process.exit(2)
}
const text = (value) => ({ type: 'string', default: value })
const { values: flags } = parseArgs({
  options: {
    seed: text('1'),
    count: text('60'),
    draw: text(''),
    only: text(''),
    golden: { type: 'boolean' },
    show: { type: 'boolean' },
  },
})
const FILES = ['src', 'rules'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const texts = new Map()
/** Returns the lines of a file as they were at the first call, even if the file is edited during the run. */
function linesOf(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8').split('\n'))
  return texts.get(file)
}
const plain = (line) => line.replace(/["'`]/g, "'").replace(/\s+/g, ' ').trim()
/** Equivalent changes listed by line. `EQUIVALENT` recognises kinds of them by rule. */
const equivalents = new Set(
  Object.values(JSON.parse(readFileSync('scripts/mutation/equivalents.json', 'utf8')))
    .flatMap(Object.entries)
    .flatMap(([file, lines]) => lines.map((line) => `${file}: ${plain(line)}`)),
)

/** Whether a line has a condition or a calculation. */
const MEANS =
  /^(?!\s*(?:\*|\/[*/]|import |export (?:type|interface|\*)|interface |type )).*(?:[=!<>]==?|&&|\|\||\? |[<>%*/+-] |if |true|false|!)/
const hash = (line) => createHash('sha256').update(`${flags.seed} ${line}`).digest('hex')

/** Returns the candidate lines in the format of Stryker. */
const drawn = (sources) =>
  FILES.filter((file) => sources.test(file) && new RegExp(flags.only).test(file))
    .flatMap((file) =>
      linesOf(file).flatMap((line, at) =>
        MEANS.test(line)
          ? [{ place: `${file}:${at + 1}-${at + 1}`, order: hash(`${file} ${plain(line)}`) }]
          : [],
      ),
    )
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, Number(flags.count))
    .map(({ place }) => place)

/** Returns the changed line. */
function changedLine(file, { start, end }, replacement) {
  const lines = linesOf(file)
  return plain(
    lines[start.line - 1].slice(0, start.column - 1) +
      replacement +
      lines[end.line - 1].slice(end.column - 1),
  )
}

const KINDS = {
  Survived: 'survived',
  NoCoverage: 'survived',
  Killed: 'noticed',
  Timeout: 'noticed',
  RuntimeError: 'noticed',
}
const scores = {}
function count({ fileName, location, replacement, status, statusReason, mutatorName }) {
  const file = fileName.replaceAll('\\', '/').replace(`${process.cwd().replaceAll('\\', '/')}/`, '')
  const line = changedLine(file, location, replacement)
  const original = plain(linesOf(file)[location.start.line - 1])
  const isEquivalent =
    equivalents.has(`${file}: ${line}`) ||
    EQUIVALENT.some(({ matches }) => matches({ file, original, line, mutatorName }))
  // A change that a test notices is not equivalent, whatever the rules say.
  const kind = isEquivalent && KINDS[status] === 'survived' ? 'equivalent' : KINDS[status]
  if (kind === undefined) return
  const area = file.replace(/^((?:src\/)?[^/]+)\/.*/, '$1')
  for (const name of [area, `seed ${flags.seed}`]) {
    scores[name] ??= { noticed: 0, survived: 0, equivalent: 0 }
    scores[name][kind] += 1
  }
  if (kind === 'survived' || flags.show)
    console.log(`${kind.padEnd(10)} ${file}:${location.start.line}  ${mutatorName}   ${line}`)
  if (flags.show && statusReason) console.log(`           ${statusReason.split('\n')[0]}`)
}

const { Stryker } = await importFrom('mutation', '@stryker-mutator/core')

/** Makes and runs the changes of these places. Those of code that runs when a module loads need a new worker each. */
function run(mutate, atLoading) {
  process.env.CUADRA_MUTATION_ISOLATE = atLoading ? '1' : ''
  const stryker = new Stryker({
    mutate,
    mutator: { excludedMutations: ['StringLiteral'] },
    ignoreStatic: !atLoading,
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutation/vitest.config.mjs', related: false },
    plugins: [requireFrom('mutation').resolve('@stryker-mutator/vitest-runner')],
    ignorePatterns: ['dist', 'bench', 'site', 'packed'],
    reporters: ['progress-append-only'],
    logLevel: 'error',
    warnings: { slow: false },
    timeoutMS: 20_000,
    concurrency: availableParallelism(),
  })
  return stryker.runMutationTest()
}

/** Returns the lines of a change in the format of Stryker. */
const linesOfChange = ({ fileName, location: { start, end } }) =>
  `${relative(process.cwd(), fileName).replaceAll('\\', '/')}:${start.line}-${end.line}`

const nameOf = ({ fileName, location: { start, end }, replacement }) =>
  JSON.stringify([fileName, start, end, replacement])

for (const [draw, { sources, tests }] of Object.entries(DRAWS)) {
  const isChosen = draw.includes(flags.draw) && !(flags.golden && draw !== 'calculation')
  const mutate = isChosen ? drawn(sources) : []
  if (mutate.length === 0) continue
  process.env.CUADRA_MUTATION_TESTS = flags.golden ? 'test/api/golden.test.ts' : tests.join(' ')
  const results = await run(mutate, false)
  const atLoading = results.filter(({ statusReason }) => statusReason?.startsWith('Static mutant'))
  for (const result of results) count(result)
  if (atLoading.length === 0) continue
  const wanted = new Set(atLoading.map(nameOf))
  for (const result of await run([...new Set(atLoading.map(linesOfChange))], true))
    if (wanted.has(nameOf(result))) count(result)
}
for (const [name, score] of Object.entries(scores).sort()) {
  const share = (100 * score.noticed) / (score.noticed + score.survived || 1)
  console.log(`${name.padEnd(20)} ${share.toFixed(1).padStart(5)} %  ${JSON.stringify(score)}`)
}
