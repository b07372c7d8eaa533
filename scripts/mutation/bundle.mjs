/** The tests of a part and, apart from them, its sources with all their changes. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build, transformSync } from 'esbuild'
import { switched } from './places.mjs'

/** Whether a change is a program at all; private names are those of a class that is not here. */
export const parses = ({ text }) => {
  try {
    return Boolean(transformSync(`async () => (${text.replace(/#(?=\w)/g, '')})`, { loader: 'ts' }))
  } catch {
    return false
  }
}

/** Writes both to a folder, which it answers. */
export async function bundle(root, { tests }, changes) {
  const outdir = `${root}node_modules/.cache/mutation-${process.pid}/`
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  const sources = new Set([
    ...changes.map(({ file }) => file),
    'src/api/index.ts',
    'src/verifactu/index.ts',
    'src/sii/index.ts',
  ])
  const imports = (list) => [...list].map((file) => `import './${file}'`).join('\n')
  const entries = { sources: imports(sources), tests: imports(tests) }
  const load = ({ path }) => {
    const code = readFileSync(path, 'utf8').replaceAll(
      'import.meta.url',
      JSON.stringify(pathToFileURL(path).href),
    )
    const mine = changes.filter(({ file }) => path === `${root}${file}`)
    return { contents: mine.length > 0 ? switched(path, code, mine) : code, loader: 'ts' }
  }
  const setup = (build) => {
    build.onResolve({ filter: /^(sources|tests)$/ }, ({ path }) => ({ path, namespace: 'entry' }))
    build.onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
      contents: entries[path],
      resolveDir: root,
    }))
    build.onLoad({ filter: /\/(src|rules|test)\/.*\.ts$/ }, load)
  }
  await build({
    entryPoints: ['sources', 'tests'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // What a test file does is done for its effect, whatever the package says of its own files.
    ignoreAnnotations: true,
    alias: {
      vitest: `${root}scripts/mutation/vitest.mjs`,
      'fast-check': `${root}scripts/mutation/fast-check.mjs`,
    },
    external: [`${root}scripts/mutation/*`],
    plugins: [{ name: 'changes', setup }],
  })
  return outdir
}
