/**
 * What `import module from 'cuadra/cuadra.wasm'` is where the host or the bundler compiles modules. Built as
 * `dist/cuadra.wasm.d.ts`, beside the module, which is built by itself.
 */

/** The compiled module, as hosts give it that import WebAssembly. `loadCuadra` of `cuadra/wasm` takes it. */
declare const module: WebAssembly.Module

// The host decides what importing a module gives, and it is the default.
export default module
