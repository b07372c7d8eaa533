/** The OpenAPI document is as strict as the server: what it excludes is refused, and what it allows is accepted. */
import { randomUUID } from 'node:crypto'
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, received } from '../invoices.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const CONTROL = ['\u0000', 'a\u0001b', '\t', 'a\nb', '\u001f', '\u007f', '\ufffd']
const FILTERS = ['series', 'number', 'external_ref']

export function documentSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issued } = stepsOf(server)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  let document: Document

  beforeAll(async () => {
    document = await (await fetch(`${server().url}/openapi.json`)).json()
    ajv.addSchema({ $id: 'served', components: document.components })
  })

  const compiled = (schema: object): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"served#/components/')))
  const parameter = (path: string, name: string, method = 'get') =>
    compiled(document.paths[path][method].parameters.find((one: Document) => one.name === name).schema)
  const bodyOf = (method: string, path: string, type = 'application/json') =>
    compiled(document.paths[path][method].requestBody.content[type].schema)

  /** Returns whether the document allows a body, and the status of the server: `[fits, status]`. */
  const validated = async (method: string, path: string, key: string, body: Document, id = '') => [
    bodyOf(method.toLowerCase(), path)(body),
    (await call(method, path.replace('{invoice_id}', id), { key, body })).status,
  ]

  it('a text filter accepts any text, and finds nothing if no invoice can have it', async ({ key }) => {
    for (const [path, names] of [
      ['/drafts', [...FILTERS, 'customer_tax_id']],
      ['/issued-invoices', [...FILTERS, 'customer_tax_id']],
      ['/received-invoices', [...FILTERS, 'supplier_tax_id']],
      ['/sii/submissions', ['global_status']],
    ] as const)
      for (const name of names) {
        const fits = parameter(path, name)
        for (const value of [...CONTROL, 'A 1', 'ñ', '\u00a0', '😀', '%']) {
          const { status, json } = await call('GET', `${path}?${name}=${encodeURIComponent(value)}`, { key })
          expect([path, name, value, fits(value), status, json.total]).toEqual([
            path,
            name,
            value,
            true,
            200,
            0,
          ])
        }
      }
  })

  it('an unknown status is not in the list, and is 400 unknown_status', async ({ key }) => {
    const fits = parameter('/issued-invoices', 'status')
    for (const value of ['draft', 'issued', 'sent', 'cancelled', 'queued'])
      expect([fits(value), (await call('GET', `/issued-invoices?status=${value}`, { key })).status]).toEqual([
        true,
        200,
      ])
    for (const value of ['', 'received', 'Draft', 'draft ', '\u0001', 'x'.repeat(500)]) {
      const { status, json } = await call('GET', `/issued-invoices?status=${encodeURIComponent(value)}`, {
        key,
      })
      expect([value, fits(value), status, json.detail.code]).toEqual([value, false, 400, 'unknown_status'])
      expect(json.detail.received.length).toBeLessThanOrEqual(80)
    }
  })

  it('an Idempotency-Key is printable and has no blanks', async ({ key }) => {
    const path = '/issued-invoices/{invoice_id}/cancel'
    const fits = parameter(path, 'Idempotency-Key', 'post')
    const { id } = await issued(key)
    const cancel = (once: string) =>
      call('POST', `/issued-invoices/${id}/cancel`, { key, headers: { 'Idempotency-Key': once } })
    for (const once of ['', 'a b', 'ñ', '\u00ff', 'x'.repeat(201)])
      expect([once, fits(once), (await cancel(once)).status]).toEqual([once, false, 422])
    const once = `!~${randomUUID()}`
    expect([fits(once), (await cancel(once)).status]).toEqual([true, 200])
  })

  it('a form has one field, the file, which is not empty', async ({ key }) => {
    const id = await saved(key)
    const fits = bodyOf('post', '/drafts/{invoice_id}/documents', 'multipart/form-data')
    const attach = async (parts: Readonly<Record<string, string>>) => {
      const form = new FormData()
      for (const [name, content] of Object.entries(parts)) form.append(name, new Blob([content]), 'note.txt')
      return [fits(parts), (await call('POST', `/drafts/${id}/documents`, { key, body: form })).status]
    }
    expect(await attach({ file: 'x' })).toEqual([true, 201])
    for (const parts of [{ file: '' }, { other: 'x' }, { file: 'x', other: 'y' }, { other: 'y', file: 'x' }])
      expect([parts, ...(await attach(parts))]).toEqual([parts, false, 422])
  })

  it('an import names its issuer, a received invoice its supplier and, unless it is simplified, its recipient', async () => {
    const { key, data } = await server().company()
    const IMPORT = '/issued-invoices/import'
    const issue = (change: (invoice: Document) => void) => {
      const body = imported({ taxId: data.tax_id, number: nextRef('N') })
      change(body.invoice)
      return validated('POST', IMPORT, key, body)
    }
    expect(await issue(() => {})).toEqual([true, 201])
    expect(await issue(({ supplier }) => delete supplier.tax_id)).toEqual([false, 422])
    const register = (change: (invoice: Document) => void) => {
      const body = received({ taxId: data.tax_id, number: nextRef('N') })
      change(body.invoice)
      return validated('PUT', '/received-invoices', key, body)
    }
    expect(await register(() => {})).toEqual([true, 201])
    expect(await register(({ supplier }) => delete supplier.tax_id)).toEqual([false, 422])
    expect(await register(({ customer }) => delete customer.tax_id)).toEqual([false, 422])
    expect(await register((invoice) => delete invoice.customer)).toEqual([false, 422])
    const simplified = (invoice: Document) => {
      invoice.header.invoice_type_code = '02'
      delete invoice.customer
    }
    expect(await register(simplified)).toEqual([true, 201])
  })

  it('a NUL is refused in every text, also in names of batches and in their invoices', async ({ key }) => {
    for (const change of [
      (body: Document) => (body.meta.source_system = 'a\u0000'),
      (body: Document) => (body.invoice.customer.name = '\u0000'),
      (body: Document) => (body.invoice.lines[0].article_code = 'a\u0000b'),
      (body: Document) => (body.invoice.lines[0].item_description = 'a\u0000b'),
    ]) {
      const body = structuredClone(draft())
      change(body)
      expect(await validated('PUT', '/drafts', key, body)).toEqual([false, 422])
      expect(await validated('POST', '/drafts/batch', key, { invoices: [body] })).toEqual([false, 422])
    }
    expect(
      await validated('POST', '/drafts/batch', key, { invoices: [draft()], batch_id: '\u0000' }),
    ).toEqual([false, 422])
    expect(await validated('POST', '/drafts/batch', key, { invoices: [{ '\u0000': 1 }] })).toEqual([
      false,
      422,
    ])
    expect(await validated('POST', '/drafts/batch', key, { invoices: [7, null, { a: ['b'] }] })).toEqual([
      true,
      200,
    ])
  })

  it('a corrective has the members of its type, a reason of the catalog, and no blank references', async () => {
    const { key } = await server().company()
    const { id } = await issued(key)
    const lines = [{ description: 'Abono', quantity: -1, unit_price_without_tax: 10 }]
    const ask = (changes: object) =>
      validated(
        'POST',
        '/issued-invoices/{invoice_id}/corrective',
        key,
        { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef(), ...changes },
        id,
      )
    for (const right of [{}, { lines: [] }, { lines: null }, { correction_type: 'D', lines }])
      expect([right, ...(await ask(right))]).toEqual([right, true, 201])
    for (const wrong of [
      { lines },
      { correction_type: 'D' },
      { correction_type: 'D', lines: [] },
      { correction_type: 'D', lines: null },
      { correction_type: 'D', lines, corrected_tax_amount: 0 },
      { reason_code: '26' },
      { reason_code: '1' },
      { series_code: ' ' },
      { external_ref: '\u00a0' },
      { external_ref: '' },
      { reason_description: 'a\u0000' },
      { correction_type: 'D', lines: [{ ...lines[0], description: '\t' }] },
    ])
      expect([wrong, ...(await ask(wrong))]).toEqual([wrong, false, 422])
  })
}
