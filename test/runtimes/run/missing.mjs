/** Returns why a runtime cannot run here, and how to fix it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commandOf, hasSet, howToHave } from '../../../scripts/dev-packages.mjs'

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
export const WASM = `${ROOT}dist/cuadra.wasm`
export const LOADER = `${ROOT}dist/wasm/node.js`

/** Whether a program starts at all: some packages put a link where no program is yet. */
export const starts = (program, args = ['--version']) =>
  spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0

/** The program of a package of `dev-packages/`, or undefined. */
export function programOf(tool, name, args) {
  const program = commandOf(tool, name)
  return program && starts(program, args) ? program : undefined
}

export const notFound = (name, how) => `not found: ${name} (${how})`

/**
 * Cases that the WebAssembly module answers, but in Node through its raw interface, where it answers them all: it is
 * the same module everywhere, and slower than the engine in JavaScript. `npm run test:long` has them all everywhere.
 */
export const WASM_SAMPLE = process.env.CUADRA_TEST_SIZE === 'long' ? undefined : 210

/**
 * In the test command the module answers the golden cases and this sample in Node; `npm run test:runtimes` and
 * `npm run test:long` have them all.
 */
export const GOLDEN_SAMPLE = process.env.CUADRA_RUNTIMES === 'sample' ? WASM_SAMPLE : undefined

/** Why there is no WebAssembly module, or undefined. */
export const wasmMissing = () => {
  if (existsSync(WASM)) return undefined
  return `not built: dist/cuadra.wasm (${hasSet('module') ? 'npm run build -- module makes it' : howToHave('module')})`
}
