/** Runs the WebAssembly program named by the argument, with the standard input and output of this process. */
import { readFileSync } from 'node:fs'
import { WASI } from 'node:wasi'

const wasi = new WASI({ version: 'preview1' })
const imports = wasi.getImportObject()
const { fd_read } = imports.wasi_snapshot_preview1
const AGAIN = 6
const idle = new Int32Array(new SharedArrayBuffer(4))
// If the standard input is a non-blocking pipe, reading fails until the writer has written. Tries again.
imports.wasi_snapshot_preview1.fd_read = (...args) => {
  for (;;) {
    const error = fd_read(...args)
    if (error !== AGAIN) return error
    Atomics.wait(idle, 0, 0, 5)
  }
}
wasi.start(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])), imports))
