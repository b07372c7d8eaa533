/**
 * Size of what an engineer ships to a browser: the published files, as a bundler takes them, minified and gzipped, and
 * of the playground where it is built. Also proves that the engine reaches no `node:` module and makes no code at run
 * time. Prints the numbers; exits 1 over a limit.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Sizes } from './sizes.mjs'

/** What is imported, and its limit in kilobytes. The first has the 13 catalogs and those that rules read. */
const BUNDLES = [
  ['validate + catalogs', `{ validate, catalog } from './dist/index.js'`, 72],
  ['recordHash', `{ recordHash } from './dist/verifactu/index.js'`, 8],
  ['QR address and code', `{ qrUrl, parseQr, qrSvg } from './dist/verifactu/index.js'`, 16],
  ['every fiscal record', `* from './dist/verifactu/index.js'`, 160],
  ['formats, read and written', `* from './dist/formats/index.js'`, 176],
]
/**
 * What every visitor of the playground loads: the page, what it imports, the editor. The rest comes once it is asked
 * for.
 */
const PLAYGROUND_LIMIT = 288
const ASKED_FOR = [
  ['formats of the playground, once asked for', /^interchange-/, 112],
  ['records of the playground, once asked for', /^output-/, 112],
  ['examples, descriptions and company of the playground, once asked for', /^(?:texts|fields|dialog)-/, 32],
]
const root = fileURLToPath(new URL('..', import.meta.url))
const sizes = new Sizes()

for (const [name, exported, limit] of BUNDLES) {
  const { outputFiles } = await build({
    stdin: { contents: `export ${exported}`, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    legalComments: 'none',
    logLevel: 'error',
    external: ['node:*'],
  })
  sizes.measure(`size: ${name}`, [outputFiles[0].contents], limit)
  sizes.refuse(name, outputFiles[0].text, [/new Function/, /eval\(/, /from"node:/, /require\("node:/])
}

/** The files of the playground by name. */
function playground(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return new Map(files.map((file) => [file.name, readFileSync(join(file.parentPath, file.name))]))
}

function measurePlayground(files) {
  /** The files that some need to run, themselves with them; those that they import later are not among them. */
  const needed = (names, found = new Set()) => {
    for (const name of names) {
      if (found.has(name) || !files.has(name)) continue
      found.add(name)
      const imports = files
        .get(name)
        .toString()
        .matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
      needed(
        [...imports].map(([, imported]) => imported),
        found,
      )
    }
    return found
  }
  const parts = ASKED_FOR.map(([name, pattern, limit]) => {
    const entries = [...files.keys()].filter((file) => pattern.test(file))
    return { name, limit, files: needed(entries) }
  })
  // What only later files need is loaded with them; every file that nothing names counts for the visitor.
  const first = needed([...files.keys()].filter((file) => !parts.some((part) => part.files.has(file))))
  const contents = (names) => [...names].map((name) => files.get(name))
  sizes.measure('size: playground', contents(first), PLAYGROUND_LIMIT)
  for (const { name, limit, files: some } of parts)
    sizes.measure(`size: ${name}`, contents([...some].filter((file) => !first.has(file))), limit)
}

if (existsSync(`${root}dist/playground`)) measurePlayground(playground(`${root}dist/playground`))
sizes.end()
