/**
 * The test command: everything that must hold, in one go. `--long` runs the long counts of the random tests.
 *
 * Steps: generate, build (with the WebAssembly module and the playground), types, lint with the import floors, size, tests. The last line counts what the test
 * runner ran: `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const long = process.argv.includes('--long')
const report = join(tmpdir(), `cuadra-tests-${process.pid}.json`)
const steps = [
  ['generate', ['node', 'scripts/generate.mjs']],
  ['build', ['npx', 'tsup']],
  ['command', ['node', 'scripts/link-bin.mjs']],
  ['WebAssembly module', ['node', 'scripts/wasm.mjs']],
  ['playground', ['npx', 'vite', 'build', '--config', 'src/playground/vite.config.ts', '--logLevel', 'warn']],
  ['types of the engine, without Node', ['npx', 'tsc', '-p', 'tsconfig.json']],
  ['types of the rest', ['npx', 'tsc', '-p', 'tsconfig.node.json']],
  ['types of the playground', ['npx', 'tsc', '-p', 'tsconfig.playground.json']],
  ['lint and floors', ['npx', 'biome', 'check', '.']],
  ['size', ['node', 'scripts/size.mjs']],
  ['size of the edge bundle', ['node', 'scripts/edge-size.mjs']],
  ['tests', ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
]

let failed = false
for (const [name, [command, ...args]] of steps) {
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...(long ? { CUADRA_LONG: '1' } : {}) },
  })
  if (status !== 0) {
    console.error(`== ${name}: failed`)
    failed = true
    // Nothing after a failed build could be believed.
    if (name === 'generate' || name === 'build') break
  }
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
