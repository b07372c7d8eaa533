/**
 * The test commands. `npm test` builds the package, the playground and, with `dev-packages/module`, the WebAssembly
 * module, and runs every test with few random cases and small loads. `--all` (`npm run test:all`) runs the tests in
 * full size and `npm run check` in parallel. `--long` (`npm run test:long`) adds hours of random cases. Paths choose
 * test files: `npm test -- test/entry/cli`.
 *
 * Up to three failed tests of servers are repeated. The failure is reported even if the repetition passes. A property
 * that failed with a counterexample is not repeated.
 *
 * All temporary files are in one folder. When the command ends, even by a signal, `run-folder.mjs` removes the folder
 * and ends all processes that the tests have started.
 *
 * Tests that need a missing package or program are skipped and listed at the end. The last line counts the tests:
 * `N passed, N failed, N skipped`. A file that does not load counts as a failed test.
 */
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.mjs'
import { hasSet, howToHave, setNames, whatFor } from './dev-packages.mjs'
import { readOptions } from './options.mjs'
import { startRun } from './run-folder.mjs'
import { failures, run } from './steps.mjs'
import { countTests, failedTests, repeatable, skippedTests } from './test-counts.mjs'

const { values, positionals } = readOptions({
  about: 'Builds what the tests use, and runs the tests, or those of the named files and folders.',
  options: {
    all: { type: 'boolean', about: 'run every test in its full size, and check types, lint and sizes' },
    long: { type: 'boolean', about: 'run the same with hours of random cases' },
  },
  operands: '[PATH ...]',
})
const size = values.long ? 'long' : values.all ? 'all' : 'sample'
const endRun = startRun()
/** Path of the report of the test runner. */
const report = join(tmpdir(), 'report.json')

/** The parts of the build that the tests use. A sample omits the declarations, which take longest to build. */
const parts = [
  ...['command', 'edge', 'server', 'playground'],
  ...(hasSet('module') ? ['module'] : []),
  ...(size === 'sample' ? [] : ['declarations']),
]
const tests = [
  process.execPath,
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...positionals,
]

// Removes a module that was built from older sources and would return other results than the engine.
if (!hasSet('module')) rmSync('dist/cuadra.wasm', { force: true })
const steps = {
  build: await run('build', ['node', 'scripts/build.mjs', ...parts]),
  checks: true,
  tests: false,
}
// After a failed build, the results of tests would be meaningless.
if (steps.build) {
  const checked = size === 'sample' ? true : check({ background: true })
  steps.tests = await run('tests', tests, { live: true, env: { CUADRA_TEST_SIZE: size } })
  steps.checks = await checked
}

const absent = setNames().filter((name) => !hasSet(name))
if (absent.length > 0) console.log('\n== skipped without their packages')
for (const name of absent) console.log(`${whatFor(name)}: ${howToHave(name)}`)

const root = `${process.cwd()}/`
const written = steps.build ? readReport() : undefined
if (written) {
  console.log(
    `\n== skipped${size === 'sample' ? ': what runs with npm run test:all, and what needs something that is not here' : ''}`,
  )
  for (const name of skippedTests(written, root)) console.log(`- ${name}`)
}
const counts = steps.build
  ? countTests(written, steps.tests)
  : { passed: 0, failed: 1, skipped: 0, faults: [] }
const again = steps.build && !steps.tests ? repeatable(written, root) : []
if (again.length > 0) {
  const files = [...new Set(again.map(({ file }) => file))]
  steps.tests = await run('repeated', ['npx', 'vitest', 'run', ...files], {
    live: true,
    env: { CUADRA_TEST_SIZE: size },
  })
  if (steps.tests) {
    counts.passed += again.length
    counts.failed = 0
  }
  for (const { file, name, message } of again)
    console.log(
      `== failed at first, ${steps.tests ? 'passed' : 'run'} again by itself: ${file}: ${name}: ${message}`,
    )
}
for (const fault of counts.faults) console.log(`== failed: ${fault}`)
if (written && counts.failed > 0)
  for (const { file, name, message } of failedTests(written, root))
    console.log(`== failed test: ${file}: ${name}: ${message}`)
const failedSteps = Object.keys(steps).filter((name) => !steps[name])
if (failedSteps.length > 0) console.log(`\n== failed: ${failedSteps.join(', ')}`)
for (const { name, ending, output } of failures)
  console.log(`== failed step: ${name}: ${ending}: ${output.trim().split('\n').slice(-6).join(' / ')}`)
// Prints the last lines of failed steps again, because their output is far above.
for (const { name, output } of failures.filter(({ live }) => !live))
  console.log(`\n== ${name}\n${output.split('\n').slice(-20).join('\n')}`)
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = failedSteps.length > 0 || counts.failed > 0 ? 1 : 0
await endRun()

/** Returns the report of the test runner, or undefined if it wrote none. */
function readReport() {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return undefined
  }
}
