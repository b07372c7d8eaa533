/** The built file: self-contained, small, and the same engine. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CATALOG_NAMES, catalog, validate } from '#engine/index.ts'
import * as source from '#entry/edge/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { DRAFT, ROOT } from './ask.ts'
import { DIST, distCode, expectNotices } from './dist.ts'

const dist: typeof source = await import(/* @vite-ignore */ DIST)

describe('dist/edge/index.js', () => {
  it('stays within its size, imports nothing and generates no code at run time', () => {
    const { status, stdout, stderr } = spawnSync('node', ['scripts/size.mjs'], {
      cwd: fileURLToPath(ROOT),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^size: edge: \d+\.\d KB gzip \(limit 105\.0 KB\)$/m)
  })

  it('exports what its source does', () => {
    expect(Object.keys(dist).sort()).toEqual(Object.keys(source).sort())
  })

  it('contains no path of the build machine and no file of the project', () => {
    expect(distCode()).not.toMatch(/\/work\/|node_modules|sourceMappingURL|node:|process\.|\.\.\/src/)
  })

  it('ships the notices of the packages inside it', () =>
    expectNotices('src/entry/edge/index.ts', 'dist/edge/NOTICES.txt'))

  it('has the same catalogs, row by row', () => {
    for (const name of CATALOG_NAMES)
      for (const options of [{}, { on: '2023-05-02' }]) {
        expect(JSON.stringify(dist.catalog(name, options)), name).toBe(JSON.stringify(catalog(name, options)))
        expect(Object.isFrozen(dist.catalog(name, options)[0]), name).toBe(true)
      }
  })

  it('returns the same result as the engine for every golden invoice', async () => {
    const invoices = goldenInvoices()
    for (const { name, invoice } of invoices) {
      const options = { operation: 'issue', today: '2027-06-30', locale: 'es', explain: true } as const
      expect(JSON.stringify(dist.validate(invoice, options)), name).toBe(
        JSON.stringify(validate(invoice, options)),
      )
    }
    expect(invoices.length).toBeGreaterThan(100)
  })
})

describe('a first use of every export', () => {
  it('runs where code generation from strings is disabled', () => {
    const code = `
      import worker, * as edge from ${JSON.stringify(DIST)}
      let blocked = false
      try { new Function('return 1')() } catch { blocked = true }
      const invoice = ${DRAFT}
      const headers = { 'content-type': 'application/json' }
      const ask = (path, init) => worker.fetch(new Request('https://cuadra.invalid' + path, init))
      const post = { method: 'POST', headers, body: JSON.stringify(invoice) }
      const url = edge.qrUrl({ nif: '89890001K', numSerie: 'A', fecha: '01-09-2024', importe: '241.4' })
      console.log(JSON.stringify([
        blocked,
        edge.validate(invoice).is_valid,
        edge.explain(invoice).length > 0,
        edge.reconcile(invoice).length > 0,
        edge.catalog('units').length,
        edge.parseQr(url).valid,
        edge.qrSvg(url).startsWith('<svg'),
        edge.invoiceQr(edge.validate(invoice)).items[0].code,
        ...await Promise.all(['/validate', '/explain', '/reconcile', '/qr'].map(async (path) => (await ask(path, post)).status)),
        ...await Promise.all(['/health', '/catalogs', '/catalogs/units'].map(async (path) => (await ask(path)).status)),
      ]))`
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module']
    const { stdout, stderr } = spawnSync('node', flags, { input: code, encoding: 'utf8' })
    expect(stderr).toBe('')
    const right = [true, true, true, true, 36, true, true, 'record.required']
    expect(JSON.parse(stdout)).toEqual([...right, ...Array(7).fill(200)])
  })
})
