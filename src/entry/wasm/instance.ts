/** One instance of the module, called through its binary interface (docs/wasm.md). */

/** Exports of `dist/cuadra.wasm`. Pointers and lengths are in bytes of `memory`. */
export interface Abi {
  readonly memory: WebAssembly.Memory
  readonly alloc: (bytes: number) => number
  readonly dealloc: (pointer: number) => void
  readonly validate: (pointer: number, bytes: number) => number
  readonly result_len: () => number
}

/** Returns `EBADF`, no such file. Only `_start` reads and writes files, and this file never calls it. */
const noFile = (): number => 8

const IMPORTS = { wasi_snapshot_preview1: { fd_read: noFile, fd_write: noFile } }

/** Creates an instance. Throws for a module with other imports or exports. */
export function instantiate(module: WebAssembly.Module): Abi {
  const abi = new WebAssembly.Instance(module, IMPORTS).exports as unknown as Partial<Abi>
  if (!abi.memory || !abi.alloc || !abi.dealloc || !abi.validate || !abi.result_len)
    throw new TypeError('cuadra: not a cuadra module; pass dist/cuadra.wasm of the package')
  return abi as Abi
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Calls the engine once. Throws if the engine traps; after that, the instance must not be used again. */
export function call(abi: Abi, text: string): string {
  const request = encoder.encode(text)
  const pointer = abi.alloc(request.length)
  if (pointer === 0) throw new Error('cuadra: no memory for the request')
  // `alloc` may have grown the memory, which detaches its old buffer.
  new Uint8Array(abi.memory.buffer, pointer, request.length).set(request)
  const result = abi.validate(pointer, request.length)
  const answer = decoder.decode(new Uint8Array(abi.memory.buffer, result, abi.result_len()))
  abi.dealloc(pointer)
  return answer
}
