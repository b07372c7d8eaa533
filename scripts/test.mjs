/**
 * The test command: everything that must hold, in one go. `--long` runs the long counts of the random tests.
 *
 * Steps: generate; the WebAssembly module on one core while the other builds, checks types, lint, import floors and
 * sizes; then the tests. The last line counts what the test runner ran: `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const long = process.argv.includes('--long')
const report = join(tmpdir(), `cuadra-tests-${process.pid}.json`)

/** Runs a command; what it prints is shown in one piece once it has ended, or at once. */
function run(name, [command, ...args], { live = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: live ? 'inherit' : ['inherit', 'pipe', 'pipe'],
      env: { ...process.env, ...(long ? { CUADRA_LONG: '1' } : {}) },
    })
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
async function inTurn(steps) {
  let passed = true
  for (const [name, command] of steps) passed = (await run(name, command)) && passed
  return passed
}

const tsc = (config) => ['npx', 'tsc', '-p', config]
const generate = ['generate', ['node', 'scripts/generate.mjs']]
const module = ['WebAssembly module', ['node', 'scripts/wasm.mjs']]
const build = ['build', ['npx', 'tsup']]
const checks = [
  ['command', ['node', 'scripts/link-bin.mjs']],
  ['playground', ['npx', 'vite', 'build', '--config', 'src/playground/vite.config.ts', '--logLevel', 'warn']],
  ['types of the engine, without Node', tsc('tsconfig.json')],
  ['types of the rest', tsc('tsconfig.node.json')],
  ['types of the playground', tsc('tsconfig.playground.json')],
  ['lint', ['npx', 'biome', 'check', '.']],
  ['floors', ['npx', 'depcruise', '--config', '.dependency-cruiser.mjs', 'src', 'rules']],
  ['size', ['node', 'scripts/size.mjs']],
  ['size of the edge bundle', ['node', 'scripts/edge-size.mjs']],
]
const tests = ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]

// Nothing after a failed build could be believed.
let failed = !(await run(...generate))
if (!failed) {
  const moduleBuilt = run(...module)
  const built = await run(...build)
  const checked = built && (await inTurn(checks))
  failed = !(await moduleBuilt) || !checked
  if (built) failed = !(await run('tests', tests, { live: true })) || failed
}
try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(report)
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
} catch {
  console.log('\n0 passed, 1 failed')
  failed = true
}
process.exitCode = failed ? 1 : 0
