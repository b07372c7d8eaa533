/** Deno, with no permission at all; for the WebAssembly module, that of reading this one file. */
import { howToHave } from '../../../scripts/dev-packages.mjs'
import { linesProcess } from '../run/lines-process.mjs'
import { notFound, programOf, WASM, WASM_SAMPLE, wasmMissing } from '../run/missing.mjs'

const QUIET = { NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_NO_PROMPT: '1' }

const missing = () => (programOf('runtimes', 'deno') ? undefined : notFound('deno', howToHave('runtimes')))
const start =
  (engine, permissions = []) =>
  () =>
    linesProcess(
      programOf('runtimes', 'deno'),
      ['run', '--no-remote', '--no-lock', ...permissions],
      engine,
      QUIET,
    )

export default [
  { name: 'deno', missing, start: start('javascript') },
  {
    name: 'wasm-deno',
    wasm: true,
    sample: WASM_SAMPLE,
    missing: () => missing() ?? wasmMissing(),
    start: start('wasm', [`--allow-read=${WASM}`]),
  },
]
