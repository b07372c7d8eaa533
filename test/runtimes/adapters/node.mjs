/** Node, which may make no code at run time here. */
import { existsSync } from 'node:fs'
import { linesProcess } from '../run/lines-process.mjs'
import { GOLDEN_SAMPLE, LOADER, WASM_SAMPLE, wasmMissing } from '../run/missing.mjs'

const start = (engine) => () =>
  linesProcess(process.execPath, ['--disallow-code-generation-from-strings'], engine)

export default [
  { name: 'node', missing: () => undefined, start: start('javascript') },
  {
    name: 'wasm-node',
    wasm: true,
    golden: true,
    sample: GOLDEN_SAMPLE,
    missing: wasmMissing,
    start: start('wasm'),
  },
  {
    name: 'wasm-loader',
    wasm: true,
    sample: WASM_SAMPLE,
    missing: () =>
      wasmMissing() ??
      (existsSync(LOADER) ? undefined : 'not built: dist/wasm/node.js (npm run build makes it)'),
    start: start('loader'),
  },
]
