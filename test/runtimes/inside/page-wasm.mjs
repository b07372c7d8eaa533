/** The page with the WebAssembly module. */
import { serve } from './page.mjs'
import { engineOf } from './wasm.mjs'

serve(async () => engineOf(await WebAssembly.compileStreaming(fetch('/cuadra.wasm'))))
