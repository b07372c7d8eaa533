/**
 * The test command: everything that must hold, in one go. `--long` runs the long counts of the random tests.
 *
 * Steps: generate; then build the package, the WebAssembly module and the playground, side by side; then the tests, and
 * beside them, in the time that tests spend waiting, types, lint, import floors and sizes. What needs a tool of `tools/`
 * that is not installed is left out, and named at the end. The last line counts what the test runner ran:
 * `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasTool, howToHave, toolCommand, toolNames, whatFor } from './tools.mjs'

const long = process.argv.includes('--long')
const report = join(tmpdir(), `cuadra-tests-${process.pid}.json`)

/** Runs a command; what it prints is shown in one piece once it has ended, or at once. */
function run(name, [command, ...args], { live = false, aside = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: live ? 'inherit' : ['inherit', 'pipe', 'pipe'],
      env: { ...process.env, ...(long ? { CUADRA_LONG: '1' } : {}) },
    })
    if (aside) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    if (live) console.log(`\n== ${name}`)
    let output = ''
    for (const stream of live ? [] : [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output += piece
      })
    child.once('close', (status) => {
      if (!live) process.stdout.write(`\n== ${name}\n${output}`)
      if (status !== 0) console.error(`== ${name}: failed`)
      resolve(status === 0)
    })
  })
}

/** Steps one after the other, all of them, whatever becomes of those before. */
async function inTurn(steps, options) {
  let passed = true
  for (const [name, command] of steps) passed = (await run(name, command, options)) && passed
  return passed
}

const tsc = (config) => ['npx', 'tsc', '-p', config]
const generate = ['generate', ['node', 'scripts/generate.mjs']]
const builds = [
  [
    ['build', ['npx', 'tsup']],
    ['command', ['node', 'scripts/link-bin.mjs']],
  ],
  hasTool('module') ? [['WebAssembly module', ['node', 'scripts/wasm.mjs']]] : [],
  [
    [
      'playground',
      ['npx', 'vite', 'build', '--config', 'src/playground/vite.config.ts', '--logLevel', 'warn'],
    ],
  ],
]
const checks = [
  ['types of the rest', ['node', 'scripts/types.mjs']],
  ['types of the engine, without Node', tsc('tsconfig.json')],
  ['types of the playground', tsc('tsconfig.playground.json')],
  ...(hasTool('lint')
    ? [
        ['lint', [toolCommand('lint', 'biome'), 'check', '.']],
        ['floors', [toolCommand('lint', 'depcruise'), '--config', '.dependency-cruiser.mjs', 'src', 'rules']],
      ]
    : []),
  ['size', ['node', 'scripts/size.mjs']],
  ['size of the edge bundle', ['node', 'scripts/edge-size.mjs']],
]
const tests = ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]

// Nothing after a failed build could be believed.
let failed = !(await run(...generate))
// A module of other sources would answer otherwise than the engine.
if (!hasTool('module')) rmSync('dist/cuadra.wasm', { force: true })
if (!failed) failed = (await Promise.all(builds.map((steps) => inTurn(steps)))).includes(false)
if (!failed) {
  const checked = inTurn(checks, { aside: true })
  failed = !(await run('tests', tests, { live: true }))
  failed = !(await checked) || failed
}
const absent = toolNames().filter((name) => !hasTool(name))
if (absent.length > 0) console.log('\n== left out')
for (const name of absent) console.log(`${whatFor(name)}: ${howToHave(name)}`)
try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  rmSync(report)
  const names = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName }) => fullName),
  )
  for (const name of names) if (name.includes('needs tools/')) console.log(`- ${name.trim()}`)
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
} catch {
  console.log('\n0 passed, 1 failed')
  failed = true
}
process.exitCode = failed ? 1 : 0
