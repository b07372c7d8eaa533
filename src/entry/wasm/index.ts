/**
 * cuadra/wasm: the engine as a WebAssembly module, for browsers and other hosts with `fetch`. In Node, the same entry
 * point reads the module from the package.
 */
import type { Engine } from './engine.ts'
import { loadFrom, type Source } from './load-module.ts'

export { type Engine, engineOf, RequestRefused } from './engine.ts'
export type { Source } from './load-module.ts'

/**
 * Loads the engine. Without `source`, it is fetched from `cuadra.wasm` next to this file, which bundlers copy.
 *
 * The page's Content-Security-Policy needs only `wasm-unsafe-eval`, not `unsafe-eval`.
 */
export const loadCuadra = (source: Source = new URL('../cuadra.wasm', import.meta.url)): Promise<Engine> =>
  loadFrom(source)
