/** Bundles sources in memory, for browsers and workers, and loads TypeScript modules of the sources. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Options for bundles that need neither Node nor a browser. */
export const PORTABLE = {
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'error',
}

/** Returns the only file of a minified bundle, with esbuild's metafile. */
export async function bundled(options) {
  const { outputFiles, metafile } = await build({
    ...PORTABLE,
    minify: true,
    ...options,
    metafile: true,
    write: false,
  })
  const [{ contents, text }] = outputFiles
  return { contents, text, metafile }
}

/**
 * Runs code that imports from the sources, with paths from the root of the repository, and returns its exports:
 * `await moduleOf("export { RULES } from './rules/index.ts'")`.
 */
export async function moduleOf(contents) {
  const stdin = { contents, resolveDir: PORTABLE.absWorkingDir, loader: 'ts' }
  const bundle = await bundled({ stdin, platform: 'node', minify: false })
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`)
}
