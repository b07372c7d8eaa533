/**
 * Types of `import module from 'cuadra/cuadra.wasm'` for hosts and bundlers that compile modules. This file is built as
 * `dist/cuadra.wasm.d.ts`, next to the module, which is built separately.
 */

/** The compiled module, as provided by hosts that import WebAssembly. Pass it to `loadCuadra` of `cuadra/wasm`. */
declare const module: WebAssembly.Module

// The host provides the module as the default export.
export default module
