/** The engine's tarball in empty projects: as a module, with `require`, in TypeScript, in a browser's bundle. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { away, engineProject, ROOT, run, unless } from './packing.ts'

const INVOICE = readFileSync(`${ROOT}examples/01-services-irpf.json`, 'utf8')
const TOTAL = JSON.stringify(JSON.parse(INVOICE).invoice.totals.invoice_total)

/** Every entry, and one thing of each. */
const TYPED = `
import { explain, validate } from 'cuadra'
import { answer } from 'cuadra/request'
import { answer as answerFormats } from 'cuadra/formats/request'
import { readInvoice } from 'cuadra/formats'
import { qrUrl, registrationRecord } from 'cuadra/verifactu'
import { deadlineOf } from 'cuadra/sii'
import { createHandler } from 'cuadra/edge'
import { createHandler as createFormatsHandler } from 'cuadra/edge/formats'
import { loadCuadra } from 'cuadra/wasm'
import type module from 'cuadra/cuadra.wasm'

export const totalOf = (invoice: unknown): unknown => validate(invoice).data?.invoice.totals.invoice_total
export const all = [explain, answer, answerFormats, readInvoice, qrUrl, registrationRecord, deadlineOf]
export const handlers = [createHandler(), createFormatsHandler()].map(({ fetch }) => fetch(new Request('http://localhost/')))
export const load = (wasm: typeof module) => loadCuadra(wasm)
// @ts-expect-error: a rate is not a string
validate({}, { today: 20260101 })
`

const PROGRAM = `
const invoice = JSON.parse(readFileSync('invoice.json', 'utf8'))
const { deadline } = deadlineOf({ book: 'ISSUED', issue_date: '2026-03-31' })
console.log(JSON.stringify(validate(invoice).data.invoice.totals.invoice_total), deadline)
`
const IMPORTS = `import { readFileSync } from 'node:fs'
import { validate } from 'cuadra'
import { deadlineOf } from 'cuadra/sii'
`
const REQUIRES = `const { readFileSync } = require('node:fs')
const { validate } = require('cuadra')
const { deadlineOf } = require('cuadra/sii')
`
/** Four working days, not counting Good Friday: the calendar of the package is used. */
const PRINTED = `${TOTAL} 2026-04-07\n`

const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(engineProject, name), text)
}

const node = (file: string) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', file], engineProject)

function typeCheck(name: string, files: readonly string[], options: object) {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom'], types: [] },
    // The declarations of the package are checked, too; those of TypeScript itself are not.
    ...{ skipLibCheck: false, skipDefaultLibCheck: true, ...options },
  }
  write({ [`${name}.json`]: JSON.stringify({ compilerOptions, files }) })
  return run(
    process.execPath,
    [`${ROOT}node_modules/typescript/bin/tsc`, '-p', `${name}.json`],
    engineProject,
  )
}

describe.skipIf(away !== '')(`the engine in an empty project${unless}`, () => {
  it('is imported', () => {
    write({ 'invoice.json': INVOICE, 'program.mjs': IMPORTS + PROGRAM })
    expect(node('program.mjs')).toEqual({ status: 0, stdout: PRINTED, stderr: '' })
  })

  it('is required from CommonJS', () => {
    write({ 'invoice.json': INVOICE, 'program.cjs': REQUIRES + PROGRAM })
    expect(node('program.cjs')).toEqual({ status: 0, stdout: PRINTED, stderr: '' })
  })

  it('shows the original TypeScript line in a stack trace with source maps enabled', () => {
    write({
      'stack.mjs': `import { validate } from 'cuadra'
try { validate({}, { today: 20260101 }) } catch ({ stack }) { console.log(stack) }`,
    })
    const { stdout } = run(process.execPath, ['--enable-source-maps', 'stack.mjs'], engineProject)
    const [, file, line] = /\(?[^\s(]*\/cuadra\/(src\/core\/invoice\/options\.ts):(\d+):/.exec(stdout) ?? []
    expect(file, stdout).toBe('src/core/invoice/options.ts')
    expect(readFileSync(join(ROOT, required(file)), 'utf8').split('\n')[Number(line) - 1]).toMatch(
      /throw|Error/,
    )
  })

  it('brings a command line and catalogs', () => {
    write({ 'invoice.json': INVOICE })
    const { stdout, status } = run('npx', ['cuadra', 'validate', '--quiet', 'invoice.json'], engineProject)
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    const units = 'node_modules/cuadra/catalogs/units.json'
    expect(JSON.parse(readFileSync(join(engineProject, units), 'utf8'))).toHaveProperty('rows')
  })

  it('type checks with the resolution of bundlers, of node16 and of node10, every entry', () => {
    write({ 'typed.ts': TYPED })
    for (const options of [
      { module: 'esnext', moduleResolution: 'bundler' },
      { module: 'node16', moduleResolution: 'node16' },
      { module: 'commonjs', moduleResolution: 'node10' },
    ])
      expect(typeCheck('tsconfig', ['typed.ts'], options), options.module).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      })
  })

  it('type checks catalogs and schemas with the resolution of node10, with and without their ending', () => {
    const names = ['catalogs/units', 'catalogs/units.json', 'schemas/codes', 'schemas/codes.json']
    const imports = names.map((name, index) => `export { default as data${index} } from 'cuadra/${name}'\n`)
    write({ 'data.ts': imports.join('') })
    const json = { resolveJsonModule: true, esModuleInterop: true }
    const options = { module: 'commonjs', moduleResolution: 'node10', ...json }
    expect(typeCheck('data', ['data.ts'], options)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('type checks from CommonJS in TypeScript versions that allow requiring modules', () => {
    write({
      'typed.cts': `import cuadra = require('cuadra')\nexport const valid: boolean = cuadra.validate({}).is_valid\n`,
    })
    expect(typeCheck('common', ['typed.cts'], { module: 'nodenext' })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('is built by Vite, and the bundle runs', () => {
    const browser = IMPORTS.replace(/^.*node:fs'\n/, '')
    write({
      'index.html': '<!doctype html><script type="module" src="/page.js"></script>',
      'page.js': `${browser}const readFileSync = () => ${JSON.stringify(INVOICE)}\n${PROGRAM}`,
      'vite.config.mjs': 'export default { build: { modulePreload: false }, logLevel: "error" }',
    })
    const built = run(process.execPath, [`${ROOT}node_modules/vite/bin/vite.js`, 'build'], engineProject)
    expect(built).toEqual({ status: 0, stdout: '', stderr: '' })
    const [script] = readdirSync(join(engineProject, 'dist/assets')).filter((name) => name.endsWith('.js'))
    expect(node(`dist/assets/${script}`)).toEqual({ status: 0, stdout: PRINTED, stderr: '' })
  })
})
