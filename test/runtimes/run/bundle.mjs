/** One file for the runtimes that cannot read modules from disk. */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The program `inside/<name>` with all it imports; the WebAssembly module is left to the runtime. */
export async function bundleOf(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../inside/${name}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    external: ['*.wasm'],
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}
