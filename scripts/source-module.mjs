/** Loads modules of the sources, which are TypeScript, into a script. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs code that imports from the sources, with paths from the root of the repository, and returns its exports:
 * `await moduleOf("export { RULES } from './rules/index.ts'")`.
 */
export async function moduleOf(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
