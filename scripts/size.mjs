/**
 * Size of what an engineer ships to a browser: `validate` with the 13 catalogs and those that rules read, its
 * dependencies included: the published files, as a bundler takes them, minified and gzipped. Also proves that the
 * engine reaches no `node:` module and makes no code at run time. Prints the numbers; exits 1 over a limit.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const LIMIT = 72 * 1024
const root = fileURLToPath(new URL('..', import.meta.url))

const bundle = (contents) =>
  build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    metafile: true,
    legalComments: 'none',
    logLevel: 'error',
  })

const result = await bundle(`export { validate, catalog } from './dist/index.js'`)
const code = result.outputFiles[0].contents
const size = gzipSync(code, { level: 9 }).length
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`

console.log(
  `size: validate + catalogs ${kilobytes(code.length)} minified, ${kilobytes(size)} gzip (limit ${kilobytes(LIMIT)})`,
)
const text = new TextDecoder().decode(code)
const problems = []
if (size > LIMIT) problems.push(`the bundle is ${size - LIMIT} bytes over the limit`)
const foreign = Object.keys(result.metafile.inputs).filter((path) => path.startsWith('node:'))
if (foreign.length > 0 || /from"node:|require\("node:/.test(text))
  problems.push(`it reaches ${foreign.join(', ') || 'node:'}`)

/** What an engineer ships who needs one thing of the fiscal records, or the formats of other systems. */
const PARTS = [
  ['recordHash', 'verifactu', 'recordHash', 8],
  ['QR address and code', 'verifactu', 'qrUrl, parseQr, qrSvg', 16],
  ['every fiscal record', 'verifactu', '*', 160],
  ['formats, read and written', 'formats', '*', 176],
]
const texts = [text]
for (const [name, entry, exports, limit] of PARTS) {
  const from = `./dist/${entry}/index.js`
  const part = await bundle(
    exports === '*' ? `export * from '${from}'` : `export { ${exports} } from '${from}'`,
  )
  const bytes = part.outputFiles[0].contents
  const zipped = gzipSync(bytes, { level: 9 }).length
  console.log(`size: ${name} ${kilobytes(zipped)} gzip (limit ${kilobytes(limit * 1024)})`)
  if (zipped > limit * 1024) problems.push(`${name} is ${zipped - limit * 1024} bytes over the limit`)
  texts.push(new TextDecoder().decode(bytes))
}
for (const one of texts)
  for (const forbidden of ['new Function', 'eval(', 'from"node:', 'require("node:'])
    if (one.includes(forbidden)) problems.push(`it contains ${forbidden}`)
/**
 * What every visitor of the playground loads: the page, what it imports, the editor. The rest comes once it is asked
 * for: other examples, descriptions, the company's dialog, the formats, the records of the output tab.
 */
const SITE_LIMIT = 288 * 1024
const ASKED_FOR = [
  ['formats of the playground, once asked for', /^interchange-/, 112 * 1024],
  ['records of the playground, once asked for', /^output-/, 112 * 1024],
  [
    'examples, descriptions and company of the playground, once asked for',
    /^(?:texts|fields|dialog)-/,
    32 * 1024,
  ],
]
const site = new URL('../dist/playground/', import.meta.url)
if (existsSync(site)) {
  const files = new Map(
    readdirSync(site, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => [file.name, readFileSync(join(file.parentPath, file.name))]),
  )
  const sizeOf = (names) =>
    names.map((name) => gzipSync(files.get(name), { level: 9 }).length).reduce((sum, bytes) => sum + bytes, 0)
  /** The files that a file needs to run, itself with them; those that it imports later are not among them. */
  const needed = (names, found = new Set()) => {
    for (const name of names) {
      if (found.has(name) || !files.has(name)) continue
      found.add(name)
      const code = files.get(name).toString()
      const imported = [...code.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(
        ([, one]) => one,
      )
      needed(imported, found)
    }
    return found
  }
  const named = (pattern) => [...files.keys()].filter((name) => pattern.test(name))
  const isLater = (name) => ASKED_FOR.some(([, pattern]) => pattern.test(name))
  const shared = new Set(ASKED_FOR.flatMap(([, pattern]) => [...needed(named(pattern))]))
  // What only later files need is loaded with them; every file that nothing names counts for the visitor.
  const first = needed([...files.keys()].filter((name) => !isLater(name) && !shared.has(name)))
  const later = ASKED_FOR.map(([name, pattern, limit]) => [
    name,
    [...needed(named(pattern))].filter((one) => !first.has(one)),
    limit,
  ])
  for (const [name, some, limit] of [['playground', [...first], SITE_LIMIT], ...later]) {
    const whole = sizeOf(some)
    console.log(`size: ${name} ${kilobytes(whole)} gzip (limit ${kilobytes(limit)})`)
    if (whole > limit) problems.push(`${name}: ${whole - limit} bytes over the limit`)
    if (whole === 0) problems.push(`${name}: there is no such file`)
  }
}
for (const problem of problems) console.error(`size: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
