/** From wherever the module is to an engine. */
import { type Engine, engineOf } from './engine.ts'

/** The bytes of `cuadra.wasm`, a compiled module, an answer of `fetch`, or an address to fetch. */
export type Source = BufferSource | WebAssembly.Module | Response | Promise<Response> | URL | string

/** Compiles an answer while it arrives; from a server that does not say `application/wasm`, after it has. */
async function compile(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok)
    throw new Error(
      `cuadra: ${response.url || 'the module'} answers ${response.status}; pass where cuadra.wasm is`,
    )
  const type = response.headers.get('content-type') ?? ''
  return type.startsWith('application/wasm') && typeof WebAssembly.compileStreaming === 'function'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

/** The engine of a module. Rejects where there is no module, or where it is not cuadra's. */
export async function loadFrom(source: Source): Promise<Engine> {
  if (typeof source === 'string' || source instanceof URL) return loadFrom(fetch(source))
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return engineOf(await WebAssembly.compile(source as BufferSource))
  const given = (await source) as WebAssembly.Module | Response
  // Not `instanceof`: servers such as Hono's replace the global `Response`, and `fetch` still answers with the old one.
  return engineOf('arrayBuffer' in given ? await compile(given) : given)
}
