/** Loads an engine from bytes, modules, responses or addresses. */
import { type Engine, engineOf } from './engine.ts'

/** The bytes of `cuadra.wasm`, a compiled module, a response of `fetch`, or an address to fetch. */
export type Source = BufferSource | WebAssembly.Module | Response | Promise<Response> | URL | string

/** Compiles a response while it arrives, or afterwards if its type is not `application/wasm`. */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok)
    throw new Error(
      `cuadra: ${response.url || 'the module'} returned ${response.status}; pass the address of cuadra.wasm`,
    )
  const type = response.headers.get('content-type') ?? ''
  return type.startsWith('application/wasm') && typeof WebAssembly.compileStreaming === 'function'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

/** Creates the engine from a source. Rejects if the source has no module, or a module other than cuadra's. */
export async function loadFrom(source: Source): Promise<Engine> {
  if (typeof source === 'string' || source instanceof URL) return loadFrom(fetch(source))
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return engineOf(await WebAssembly.compile(source as BufferSource))
  const given = (await source) as WebAssembly.Module | Response
  // `instanceof` would fail: servers such as Hono's replace the global `Response`, but `fetch` still returns the
  // original class.
  return engineOf('arrayBuffer' in given ? await compile(given) : given)
}
