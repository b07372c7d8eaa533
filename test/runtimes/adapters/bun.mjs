/** Bun. */
import { howToHave } from '../../../scripts/dev-packages.mjs'
import { linesProcess } from '../run/lines-process.mjs'
import { notFound, programOf, WASM_SAMPLE, wasmMissing } from '../run/missing.mjs'

const missing = () => (programOf('runtimes', 'bun') ? undefined : notFound('bun', howToHave('runtimes')))
const start = (engine) => () => linesProcess(programOf('runtimes', 'bun'), ['run', '--no-install'], engine)

export default [
  { name: 'bun', missing, start: start('javascript') },
  {
    name: 'wasm-bun',
    wasm: true,
    sample: WASM_SAMPLE,
    missing: () => missing() ?? wasmMissing(),
    start: start('wasm'),
  },
]
