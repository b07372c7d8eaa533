/**
 * cuadra/wasm: the engine as a WebAssembly module, for browsers and other hosts that fetch. In Node the same entry
 * reads the module from the package.
 */
import type { Engine } from './engine.ts'
import { loadFrom, type Source } from './load.ts'

export { type Engine, engineOf, RequestRefused } from './engine.ts'
export type { Source } from './load.ts'

/**
 * Loads the engine. Without `source` it is fetched from `cuadra.wasm` beside this file, which bundlers copy along.
 *
 * The page needs no `unsafe-eval`, only `wasm-unsafe-eval`, in its Content-Security-Policy.
 */
export const loadCuadra = (source: Source = new URL('../cuadra.wasm', import.meta.url)): Promise<Engine> =>
  loadFrom(source)
