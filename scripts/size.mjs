/**
 * Checks the gzipped sizes of the code for browsers and workers: bundled imports of the package, the edge files, and
 * the playground if it is built. Rejects `node:` modules, imports in edge files and `eval`. Does not build anything.
 * Exits with 1 if a size exceeds its limit.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readOptions } from './options.mjs'
import { bundled } from './source-module.mjs'

readOptions({ about: 'Checks the sizes of the built code for browsers and workers.' })

/**
 * The measured code, with limits in kilobytes: `imports` of the package (the first one includes the 13 catalogs and the
 * catalogs that rules read), `edge` files for workers (the second one includes the shapes of Facturae, UBL and CII),
 * the code that every visitor of the `playground` loads, and its code loaded on demand (`demanded`), by file prefix.
 */
const { imports, edge, playground, demanded } = JSON.parse(
  readFileSync(new URL('size.json', import.meta.url), 'utf8'),
)
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

for (const [name, exported, limit] of imports) {
  const stdin = { contents: `export ${exported}`, resolveDir: root, loader: 'ts' }
  measure(name, [await bundle(name, { stdin }, ['node:*'])], limit)
}
for (const [name, file, limit] of edge) {
  await bundle(name, { entryPoints: [root + file] }, ['*'])
  measure(name, [readFileSync(root + file)], limit)
}

const STATIC_IMPORT = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g

/** Returns the names of files and of the files in `files` that they import statically. */
function needed(files, names, found = new Set()) {
  for (const name of names.filter((one) => files.has(one) && !found.has(one))) {
    found.add(name)
    const imported = [...files.get(name).toString().matchAll(STATIC_IMPORT)].map(([, file]) => file)
    needed(files, imported, found)
  }
  return found
}

function measurePlayground(folder) {
  const list = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const files = new Map(list.map((file) => [file.name, readFileSync(join(file.parentPath, file.name))]))
  const namesWith = (test) => [...files.keys()].filter(test)
  const parts = demanded.map(([, names]) =>
    needed(
      files,
      namesWith((file) => names.some((name) => file.startsWith(`${name}-`))),
    ),
  )
  // Counts all files except those that are loaded only on demand.
  const first = needed(
    files,
    namesWith((file) => !parts.some((part) => part.has(file))),
  )
  const contents = (names) => names.map((name) => files.get(name))
  measure('playground', contents([...first]), playground)
  for (const [index, [name, , limit]] of demanded.entries())
    measure(name, contents([...parts[index]].filter((file) => !first.has(file))), limit)
}

if (existsSync(`${root}dist/playground`)) measurePlayground(`${root}dist/playground`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
