/** `cuadra.wasm` as a command, by Node's own WASI: standard input to standard output. */
import { readFileSync } from 'node:fs'
import { WASI } from 'node:wasi'

const wasi = new WASI({ version: 'preview1' })
const module = await WebAssembly.compile(readFileSync(new URL('../../../dist/cuadra.wasm', import.meta.url)))
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()))
