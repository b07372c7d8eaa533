/** cuadra/wasm in Node: reads the module from the package. */
import { readFile } from 'node:fs/promises'
import type { Engine } from './engine.ts'
import { loadFrom, type Source } from './load-module.ts'

export { type Engine, engineOf, RequestRefused } from './engine.ts'
export type { Source } from './load-module.ts'

const isFile = (source: Source): source is URL | string =>
  source instanceof URL ? source.protocol === 'file:' : typeof source === 'string' && !/^https?:/.test(source)

/**
 * Loads the engine from a path or `file:` address on disk; without `source`, from the package. Example: `(await
 * loadCuadra()).validate(invoice).is_valid`. docs/wasm.md has a complete example.
 */
export async function loadCuadra(
  source: Source = new URL('../cuadra.wasm', import.meta.url),
): Promise<Engine> {
  return loadFrom(isFile(source) ? await readFile(source) : source)
}
