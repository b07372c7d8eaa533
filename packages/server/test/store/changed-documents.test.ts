/**
 * A stored document whose text changed in the database past the server is not used: whatever reads it refuses, and names
 * the invoice.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, nextRef } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { rowsOf } from '../admin/rows.ts'

let server: TestServer
let company: TestCompany
/** The original, and a correction of it by substitution. */
let original = ''
let correction = ''

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: company.key, ...(body === undefined ? {} : { body }) })

beforeAll(async () => {
  server = await startServer({ store: 'sqlite', check: false })
  company = await server.company()
  const issued = async (id: string) => {
    const { status, text } = await call('POST', `/issued-invoices/${id}/issue`)
    expect(status, text).toBe(200)
    return id
  }
  original = await issued((await call('PUT', '/drafts', draft())).json.id)
  const request = { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef() }
  correction = await issued((await call('POST', `/issued-invoices/${original}/corrective`, request)).json.id)
}, 60_000)
afterAll(() => server?.stop())

/** Runs work while a word of a document has another letter. */
async function whileChanged<T>(invoice_id: string, work: () => Promise<T>): Promise<T> {
  const { replace } = rowsOf(server, company)
  await replace('invoice_documents', 'canonical', ['Servicio', 'Servicia'], { invoice_id })
  try {
    return await work()
  } finally {
    await replace('invoice_documents', 'canonical', ['Servicia', 'Servicio'], { invoice_id })
  }
}

describe('a document that changed in the database', () => {
  it.each([
    ['an invoice', () => original, () => `/issued-invoices/${original}/canonical`],
    ['the correction that an invoice states', () => correction, () => `/issued-invoices/${original}`],
    ['the corrections in a list', () => correction, () => '/issued-invoices'],
  ])('is 503 where it is read as %s', async (_, changed, path) => {
    expect((await call('GET', path())).status).toBe(200)
    const { status, json } = await whileChanged(changed(), () => call('GET', path()))
    expect([status, json.detail.code]).toEqual([503, 'service_unavailable'])
    await expect
      .poll(() => server.output())
      .toContain(`invoice_documents.canonical of invoice ${changed()} changed`)
  })

  it('is 503 where it is the original of a draft that is validated', async () => {
    const request = { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef() }
    const again = (await call('POST', `/issued-invoices/${original}/corrective`, request)).json.id
    const validated = () => call('POST', `/drafts/${again}/validate`)
    expect((await validated()).status).toBe(200)
    expect((await whileChanged(original, validated)).status).toBe(503)
  })

  it('ends cuadra-admin books without a file', async () => {
    const settings = { books: { activity: { code: 'A', type: '03', iae: '6533' } } }
    await administer(server, ['company', 'update', company.id, '--file', '-'], {
      input: JSON.stringify(settings),
    })
    const args = ['books', '--company', company.id, '--year', '2026', '--until', '4T']
    const { status, stderr } = await whileChanged(original, () =>
      administer(server, [...args, '--out', temporaryFolder()]),
    )
    expect(status).not.toBe(0)
    expect(stderr).toContain(`invoice_documents.canonical of invoice ${original} changed`)
    expect(stderr).toContain('cuadra-admin verify')
  })

  it('is exported as it is, and the export names it', async () => {
    const out = join(temporaryFolder(), 'export')
    const { status, stderr } = await whileChanged(original, () =>
      administer(server, ['export', '--company', company.id, '--out', out]),
    )
    expect(status).toBe(1)
    const problem = `invoice ${original}: its stored canonical changed`
    expect(stderr).toContain(problem)
    expect(JSON.parse(readFileSync(join(out, 'index.json'), 'utf8')).problems).toEqual([problem])
  })
})
