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

/** What an engineer ships who needs one thing of the fiscal records. */
const PARTS = [
  ['recordHash', 'recordHash', 8],
  ['QR address and code', 'qrUrl, parseQr, qrSvg', 16],
  ['every fiscal record', '*', 160],
]
const texts = [text]
for (const [name, exports, limit] of PARTS) {
  const from = './dist/verifactu/index.js'
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
/** What a visitor of the playground loads, all of it. */
const SITE_LIMIT = 280 * 1024
const site = new URL('../dist/playground/', import.meta.url)
if (existsSync(site)) {
  const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const whole = files
    .map((file) => gzipSync(readFileSync(join(file.parentPath, file.name)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0)
  console.log(`size: playground ${kilobytes(whole)} gzip (limit ${kilobytes(SITE_LIMIT)})`)
  if (whole > SITE_LIMIT) problems.push(`the playground is ${whole - SITE_LIMIT} bytes over the limit`)
}
for (const problem of problems) console.error(`size: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
