/**
 * Checks the gzipped sizes of the code for browsers and workers: bundled imports of the package, the edge files, and the
 * playground if it is built. Rejects `node:` modules, imports in edge files and `eval`. Builds nothing; exits 1 over a
 * limit.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readOptions } from './options.mjs'
import { bundled } from './source-module.mjs'

readOptions({ about: 'Checks the sizes of the built code for browsers and workers.' })

/** Imports with their limits in kilobytes. The first includes the 13 catalogs and those that rules read. */
const IMPORTS = [
  ['validate + catalogs', `{ validate, catalog } from './dist/index.js'`, 85],
  ['recordHash', `{ recordHash } from './dist/verifactu/index.js'`, 8],
  ['QR address and code', `{ qrUrl, parseQr, qrSvg } from './dist/verifactu/index.js'`, 16],
  ['every fiscal record', `* from './dist/verifactu/index.js'`, 160],
  ['formats, read and written', `* from './dist/formats/index.js'`, 190],
]
/** Files that a worker may use directly. The second includes the shapes of Facturae, UBL and CII. */
const EDGE = [
  ['edge', 'dist/edge/index.js', 105],
  ['edge with formats', 'dist/edge/formats.js', 220],
]
/** Limit of the code that every visitor of the playground loads; the rest is loaded on demand. */
const PLAYGROUND = ['playground', 300]
const ASKED_FOR = [
  ['formats of the playground, once asked for', /^interchange-/, 112],
  ['records of the playground, once asked for', /^output-/, 112],
  ['examples, descriptions and company of the playground, once asked for', /^(?:texts|fields|dialog)-/, 32],
]
const GENERATES_CODE = [/\beval\s*\(/, /(?<!\.)\bFunction\s*\(/]
const root = fileURLToPath(new URL('..', import.meta.url))
const problems = []

function measure(name, contents, limit) {
  const size = contents.reduce((sum, one) => sum + gzipSync(one, { level: 9 }).length, 0)
  console.log(`size: ${name}: ${(size / 1024).toFixed(1)} KB gzip (limit ${limit}.0 KB)`)
  if (size > limit * 1024) problems.push(`${name}: ${size - limit * 1024} bytes over the limit`)
  if (size === 0) problems.push(`${name}: there is no such file`)
}

/** Returns the bundle of an entry, and its external imports. */
async function bundle(name, entry, external) {
  const { contents, text, metafile } = await bundled({ ...entry, external })
  for (const pattern of GENERATES_CODE)
    if (pattern.test(text)) problems.push(`${name} contains ${pattern.source}`)
  for (const { imports } of Object.values(metafile.inputs))
    for (const { path, external: outside } of imports) if (outside) problems.push(`${name} imports ${path}`)
  return contents
}

for (const [name, exported, limit] of IMPORTS) {
  const stdin = { contents: `export ${exported}`, resolveDir: root, loader: 'ts' }
  measure(name, [await bundle(name, { stdin }, ['node:*'])], limit)
}
for (const [name, file, limit] of EDGE) {
  await bundle(name, { entryPoints: [root + file] }, ['*'])
  measure(name, [readFileSync(root + file)], limit)
}

/** Returns files with their static imports, found in `files`. */
function needed(files, names, found = new Set()) {
  for (const name of names) {
    if (found.has(name) || !files.has(name)) continue
    found.add(name)
    const imports = files
      .get(name)
      .toString()
      .matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    needed(
      files,
      Array.from(imports, ([, imported]) => imported),
      found,
    )
  }
  return found
}

function measurePlayground(folder) {
  const list = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const files = new Map(list.map((file) => [file.name, readFileSync(join(file.parentPath, file.name))]))
  const parts = ASKED_FOR.map(([, pattern]) =>
    needed(
      files,
      [...files.keys()].filter((file) => pattern.test(file)),
    ),
  )
  // Files imported only on demand do not count; every file that nothing refers to does.
  const first = needed(
    files,
    [...files.keys()].filter((file) => !parts.some((part) => part.has(file))),
  )
  const contents = (names) => names.map((name) => files.get(name))
  const [name, limit] = PLAYGROUND
  measure(name, contents([...first]), limit)
  for (const [index, [part, , partLimit]] of ASKED_FOR.entries())
    measure(part, contents([...parts[index]].filter((file) => !first.has(file))), partLimit)
}

if (existsSync(`${root}dist/playground`)) measurePlayground(`${root}dist/playground`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
