/** The raw interface of `dist/cuadra.wasm`, as any host would use it: runs in every runtime. */

/** Never called by `validate`: only `_start` reads and writes. */
const unused = () => {
  throw new Error('an import was called')
}
const IMPORTS = { wasi_snapshot_preview1: { fd_read: unused, fd_write: unused } }

/** `answer(text)` of a compiled module. After a trap the instance is given up, as the interface asks for. */
export function engineOf(module) {
  let instance
  return (text) => {
    instance ??= new WebAssembly.Instance(module, IMPORTS).exports
    const { alloc, dealloc, memory, result_len: resultLength, validate } = instance
    const bytes = new TextEncoder().encode(text)
    try {
      const pointer = alloc(bytes.length)
      new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes)
      const result = validate(pointer, bytes.length)
      dealloc(pointer)
      if (result === 0) return 'no answer'
      return new TextDecoder('utf-8', { fatal: true }).decode(
        new Uint8Array(memory.buffer, result, resultLength()),
      )
    } catch (error) {
      instance = undefined
      throw error
    }
  }
}
