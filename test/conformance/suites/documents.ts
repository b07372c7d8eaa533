/** Attachments over HTTP: the same four operations for drafts, issued and received invoices. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { until } from '../../until.ts'
import { BASE_PATH, type TestCompany, type TestServer } from '../harness.ts'
import { draft, nextRef, received } from '../invoices.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const MEGABYTE = 1024 * 1024

export interface FileOptions {
  readonly name?: string
  readonly type?: string
  readonly field?: string
}

export function formOf(content: string | Uint8Array<ArrayBuffer>, options: FileOptions = {}): FormData {
  const { name = 'factura.pdf', type = 'application/pdf', field = 'file' } = options
  const form = new FormData()
  form.append(field, new Blob([content], { type }), name)
  return form
}

const BOUNDARY = 'a-boundary'
/** A form as bytes, for what `FormData` cannot express, with the given headers of each part. */
export const rawForm = (...parts: { headers: string; content: string | Uint8Array }[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers, content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`, 'latin1'),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
export const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

/** Keys of a company's files on the disk. */
export const filesOf = (server: TestServer, companyId: string): string[] => {
  const folder = join(server.dataDir, 'files', companyId)
  return existsSync(folder) ? readdirSync(folder) : []
}

export const pendingOf = (server: TestServer, companyId: string) =>
  server.transaction((tx) => tx.of(companyId).select('pending_files').selectAll().execute())

export async function newDraft({ call }: TestServer, { key }: TestCompany): Promise<string> {
  const { status, json } = await call('PUT', '/drafts', { key, body: draft() })
  expect(status).toBe(201)
  return json.id
}

async function newIssued(server: TestServer, company: TestCompany): Promise<string> {
  const id = await newDraft(server, company)
  expect((await server.call('POST', `/issued-invoices/${id}/issue`, { key: company.key })).status).toBe(200)
  return id
}

async function newReceived({ call }: TestServer, { key, data }: TestCompany): Promise<string> {
  const body = received({ taxId: data.tax_id, number: nextRef('N') })
  const { status, json } = await call('PUT', '/received-invoices', { key, body })
  expect(status).toBe(201)
  return json.id
}

const KINDS = [
  ['/drafts', newDraft, 'invoices:write', 'received:write'],
  ['/issued-invoices', newIssued, 'invoices:write', 'received:write'],
  ['/received-invoices', newReceived, 'received:write', 'invoices:write'],
] as const

export function documentsSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  for (const [prefix, make, scope, otherScope] of KINDS)
    describe(prefix, () => {
      it('a document is added, listed, downloaded and deleted, and each change is an event', async () => {
        const owner = await server().company()
        const { key } = owner
        const documents = `${prefix}/${await make(server(), owner)}/documents`
        expect((await call('GET', documents, { key })).json).toEqual([])
        const content = randomBytes(100_000)
        const added = await call('POST', documents, { key, body: formOf(content, { name: 'mayo.pdf' }) })
        expect(added.status).toBe(201)
        expect(added.json).toMatchObject({
          doc_type: 'pdf_render',
          file_name: 'mayo.pdf',
          content_type: 'application/pdf',
          metadata: null,
        })
        const second = await call('POST', documents, { key, body: formOf('<a/>', { name: 'b.xml' }) })
        expect((await call('GET', documents, { key })).json).toEqual([added.json, second.json])
        const one = `${documents}/${added.json.public_id}`
        const response = await fetch(`${server().url}${BASE_PATH}${one}`, { headers: { 'X-API-Key': key } })
        expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': 'application/pdf',
          'content-length': '100000',
          'content-disposition': `attachment; filename="mayo.pdf"; filename*=UTF-8''mayo.pdf`,
          'x-content-type-options': 'nosniff',
          etag: `"${createHash('sha256').update(content).digest('hex')}"`,
        })
        expect((await call('GET', one, { key })).status).toBe(200)
        expect((await call('HEAD', one, { key })).status).toBe(200)
        expect((await call('DELETE', one, { key })).status).toBe(204)
        expect((await call('GET', one, { key })).json.detail.code).toBe('document_not_found')
        expect((await call('DELETE', one, { key })).json.detail.code).toBe('document_not_found')
        expect((await call('GET', documents, { key })).json).toEqual([second.json])
        expect(filesOf(server(), owner.id)).toHaveLength(1)
        expect(await pendingOf(server(), owner.id)).toEqual([])
        const events = (await call('GET', documents.replace(/documents$/, 'events'), { key })).json
        const about = { doc_id: added.json.public_id, file_name: 'mayo.pdf' }
        expect(events.slice(-3)).toMatchObject([
          { event_type: 'document', event_code: 'document_added', details: about, from_status: null },
          { event_code: 'document_added', details: { file_name: 'b.xml' } },
          { event_code: 'document_deleted', details: about },
        ])
      })

      it('reading needs invoices:read, adding and deleting the scope of the kind', async () => {
        const { company, key: newKey } = server()
        const owner = await company()
        const documents = `${prefix}/${await make(server(), owner)}/documents`
        const reader = await newKey(owner.id, { scopes: ['invoices:read'] })
        const writer = await newKey(owner.id, { scopes: [scope] })
        const other = await newKey(owner.id, { scopes: [otherScope] })
        const add = (key: string) => call('POST', documents, { key, body: formOf('x') })
        for (const key of [reader, other])
          expect((await add(key)).json.detail).toMatchObject({ code: 'scope_missing', missing: scope })
        const added = await add(writer)
        expect(added.status).toBe(201)
        const one = `${documents}/${added.json.public_id}`
        expect((await call('GET', one, { key: writer })).json.detail.missing).toBe('invoices:read')
        expect((await call('GET', documents, { key: writer })).json.detail.missing).toBe('invoices:read')
        expect((await call('GET', one, { key: reader })).text).toBe('x')
        expect((await call('DELETE', one, { key: reader })).json.detail.code).toBe('scope_missing')
        expect((await call('DELETE', one, { key: writer })).status).toBe(204)
      })

      it('unknown invoices, documents of another invoice and malformed ids are not found', async () => {
        const owner = await server().company()
        const { key } = owner
        const own = `${prefix}/${await make(server(), owner)}/documents`
        const other = `${prefix}/${await make(server(), owner)}/documents`
        const { json } = await call('POST', other, { key, body: formOf('x') })
        const codeOf = async (method: string, path: string, body?: FormData) =>
          (await call(method, path, { key, ...(body ? { body } : {}) })).json.detail.code
        for (const id of [randomUUID(), 'x', '%00', '..%2f..'])
          for (const path of [`${prefix}/${id}/documents`]) {
            expect(await codeOf('GET', path)).toBe('invoice_not_found')
            expect(await codeOf('POST', path, formOf('x'))).toBe('invoice_not_found')
            expect(await codeOf('GET', `${path}/${json.public_id}`)).toBe('invoice_not_found')
            expect(await codeOf('DELETE', `${path}/${json.public_id}`)).toBe('invoice_not_found')
          }
        for (const id of [json.public_id, randomUUID(), 'x']) {
          expect(await codeOf('GET', `${own}/${id}`)).toBe('document_not_found')
          expect(await codeOf('DELETE', `${own}/${id}`)).toBe('document_not_found')
        }
        expect((await call('GET', other, { key })).json).toHaveLength(1)
      })
    })

  it('a received invoice has no documents under /issued-invoices', async ({ company: owner }) => {
    const id = await newReceived(server(), owner)
    for (const prefix of ['/issued-invoices', '/drafts'])
      expect((await call('GET', `${prefix}/${id}/documents`, { key: owner.key })).status).toBe(404)
  })

  it('attachments of a draft stay with the invoice when it is issued', async ({ company: owner, key }) => {
    const id = await newDraft(server(), owner)
    const { json } = await call('POST', `/drafts/${id}/documents`, { key, body: formOf('x') })
    expect((await call('POST', `/issued-invoices/${id}/issue`, { key })).status).toBe(200)
    expect((await call('GET', `/issued-invoices/${id}/documents`, { key })).json).toEqual([json])
    expect((await call('GET', `/drafts/${id}/documents`, { key })).status).toBe(404)
  })

  it('documents can be attached to a cancelled invoice', async ({ company: owner }) => {
    const id = await newIssued(server(), owner)
    expect((await call('POST', `/issued-invoices/${id}/cancel`, { key: owner.key })).status).toBe(200)
    const documents = `/issued-invoices/${id}/documents`
    expect((await call('POST', documents, { key: owner.key, body: formOf('x') })).status).toBe(201)
  })

  it('deleting a draft deletes its files', async ({ company: owner, key }) => {
    const id = await newDraft(server(), owner)
    for (const name of ['a', 'b']) await call('POST', `/drafts/${id}/documents`, { key, body: formOf(name) })
    expect(filesOf(server(), owner.id)).toHaveLength(2)
    expect((await call('DELETE', `/drafts/${id}`, { key })).status).toBe(204)
    expect(filesOf(server(), owner.id)).toEqual([])
    expect(await pendingOf(server(), owner.id)).toEqual([])
  })

  it('doc_type follows the declared content type, then the file name, never the bytes', async () => {
    const owner = await server().company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const rows: [string | null, string, string, string][] = [
      ['application/pdf', 'x.txt', 'pdf_render', 'application/pdf'],
      ['Application/PDF; v=1', 'x', 'pdf_render', 'Application/PDF; v=1'],
      ['application/xml', 'x', 'xml_facturae', 'application/xml'],
      ['text/xml; charset=utf-8', 'x.pdf', 'xml_facturae', 'text/xml; charset=utf-8'],
      ['application/vnd.facturae+xml', 'x', 'xml_facturae', 'application/vnd.facturae+xml'],
      ['text/plain', 'x.pdf', 'attachment', 'text/plain'],
      ['application/octet-stream', 'x.pdf', 'attachment', 'application/octet-stream'],
      ['nonsense', 'x.pdf', 'attachment', 'application/octet-stream'],
      [null, 'x.PDF', 'pdf_render', 'application/pdf'],
      [null, 'x.xml', 'xml_facturae', 'application/xml'],
      [null, 'x', 'attachment', 'application/octet-stream'],
    ]
    for (const [type, name, docType, stored] of rows) {
      const headers =
        `Content-Disposition: form-data; name="file"; filename="${name}"` +
        (type === null ? '' : `\r\nContent-Type: ${type}`)
      const body = rawForm({ headers, content: '%PDF-1.7 <?xml?>' })
      const { status, json } = await call('POST', path, { key, body, headers: FORM })
      expect([status, type, json.doc_type, json.content_type]).toEqual([201, type, docType, stored])
      const got = await call('GET', `${path}/${json.public_id}`, { key })
      expect(got.headers.get('content-type')).toBe(stored)
    }
  })

  it('file names contain no path, and are complete in the download', async ({ company: owner, key }) => {
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const rows: [string, string][] = [
      ['naïve “factura” 発票.pdf', 'naïve “factura” 発票.pdf'],
      [`it's (1) 100%;"x"*.pdf`, `it's (1) 100%;"x"*.pdf`],
      ['../../../etc/passwd', 'passwd'],
      ['/etc/shadow', 'shadow'],
      ['C:\\\\Users\\\\ana\\\\mayo.pdf', 'mayo.pdf'],
      ['C:\\Users\\ana\\mayo.pdf', 'mayo.pdf'],
      ['..', 'document'],
      ['', 'document'],
      ['a/', 'document'],
      ['  .  ', 'document'],
      ['a\u0000b\u0007\u001b[31m.pdf', 'ab[31m.pdf'],
      ['factura\u202efdp.exe', 'facturafdp.exe'],
      ['CON', 'CON'],
      ['<script>alert(1)</script>.html', 'script>.html'],
      [`${'ñ'.repeat(5000)}.pdf`, `${'ñ'.repeat(125)}.pdf`],
      ['😀'.repeat(100), '😀'.repeat(63)],
      ["'; drop table attachments; --", "'; drop table attachments; --"],
    ]
    for (const [sent, kept] of rows) {
      const name = Buffer.from(sent.replaceAll('"', '\\"')).toString('latin1')
      const headers = `Content-Disposition: form-data; name="file"; filename="${name}"`
      const body = rawForm({ headers, content: 'x' })
      const { status, json } = await call('POST', path, { key, body, headers: FORM })
      expect([status, sent, json.file_name]).toEqual([201, sent, kept])
      const got = await call('GET', `${path}/${json.public_id}`, { key })
      const disposition = got.headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%~-]*$/)
      expect(decodeURIComponent(disposition.split("''")[1] ?? '')).toBe(kept)
    }
    for (const file of filesOf(server(), owner.id)) expect(file).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('names in filename*, in another order, unquoted and in Latin-1 are read', async ({ company: owner }) => {
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const rows: [string, string][] = [
      [`form-data; filename*=UTF-8''na%C3%AFve.pdf; filename="x"; name="file"`, 'naïve.pdf'],
      ['form-data; name=file; filename=plain.pdf', 'plain.pdf'],
      ['form-data; NAME="file"; FileName="a.pdf"', 'a.pdf'],
      ['form-data; name="file"; filename="a\xf1o.pdf"', 'año.pdf'],
      ['form-data; name="file"; filename="50%22.pdf"', '50".pdf'],
    ]
    for (const [disposition, kept] of rows) {
      const body = rawForm({ headers: `Content-Disposition: ${disposition}`, content: 'x' })
      expect((await call('POST', path, { key: owner.key, body, headers: FORM })).json.file_name).toBe(kept)
    }
  })

  it('a body that is not a form with one file is refused, and leaves no file', async () => {
    const owner = await server().company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const file = { headers: 'Content-Disposition: form-data; name="file"; filename="a"', content: 'x' }
    const field = { headers: 'Content-Disposition: form-data; name="note"', content: 'x' }
    const text = { headers: 'Content-Disposition: form-data; name="file"', content: 'invoice.pdf' }
    const nameless = { headers: 'Content-Type: application/pdf', content: 'x' }
    const whole = rawForm(file)
    const rows: [string, Uint8Array, Record<string, string>, number, string][] = [
      ['empty file', rawForm({ ...file, content: '' }), FORM, 422, 'empty_file'],
      ['no part', Buffer.from(`--${BOUNDARY}--\r\n`), FORM, 422, 'request_validation_error'],
      ['nothing', Buffer.from(''), FORM, 422, 'request_validation_error'],
      ['another field', rawForm(field), FORM, 422, 'request_validation_error'],
      ['a field before', rawForm(field, file), FORM, 422, 'request_validation_error'],
      ['a field behind', rawForm(file, field), FORM, 422, 'request_validation_error'],
      ['two files', rawForm(file, file), FORM, 422, 'request_validation_error'],
      ['a text', rawForm(text), FORM, 422, 'request_validation_error'],
      ['no name', rawForm(nameless), FORM, 422, 'request_validation_error'],
      ['truncated', whole.subarray(0, whole.length - 6), FORM, 422, 'request_validation_error'],
      ['in its headers', whole.subarray(0, 40), FORM, 422, 'request_validation_error'],
      ['no boundary in it', Buffer.alloc(100_000, 120), FORM, 422, 'request_validation_error'],
      ['JSON', Buffer.from('{}'), { 'Content-Type': 'application/json' }, 415, 'unsupported_media_type'],
      ['raw', Buffer.from('x'), { 'Content-Type': 'application/pdf' }, 415, 'unsupported_media_type'],
      [
        'mixed',
        whole,
        { 'Content-Type': `multipart/mixed; boundary=${BOUNDARY}` },
        415,
        'unsupported_media_type',
      ],
      ['no type', whole, { 'Content-Type': '' }, 415, 'unsupported_media_type'],
      ['no boundary', whole, { 'Content-Type': 'multipart/form-data' }, 422, 'request_validation_error'],
      ['compressed', whole, { ...FORM, 'Content-Encoding': 'gzip' }, 415, 'unsupported_media_type'],
      [
        'in base64',
        rawForm({ ...file, headers: `${file.headers}\r\nContent-Transfer-Encoding: BASE64` }),
        FORM,
        422,
        'request_validation_error',
      ],
      ['a part like rain', rawForm({ headers: 'x', content: 'x' }), FORM, 422, 'request_validation_error'],
      [
        'headers without end',
        rawForm({
          headers: `${file.headers}\r\nContent-Transfer-Encoding: binary\r\nX: ${'x'.repeat(60_000)}`,
          content: 'x',
        }),
        FORM,
        422,
        'request_validation_error',
      ],
      [
        'in base64, after many headers',
        rawForm({
          headers: `${file.headers}\r\n${'X: x\r\n'.repeat(50)}Content-Transfer-Encoding: BASE64`,
          content: 'x',
        }),
        FORM,
        422,
        'request_validation_error',
      ],
    ]
    for (const [what, body, headers, status, code] of rows) {
      const answer = await call('POST', path, { key, body, headers })
      expect([what, answer.status, answer.json.detail?.code ?? '']).toEqual([what, status, code])
    }
    expect(filesOf(server(), owner.id)).toEqual([])
    expect(await pendingOf(server(), owner.id)).toEqual([])
    expect((await call('GET', path, { key })).json).toEqual([])
  })

  it('16 MB are accepted and one byte more is not, whether or not the length is declared', async () => {
    const { company, url } = server()
    const owner = await company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const most = new Uint8Array(16 * MEGABYTE)
    const added = await call('POST', path, { key, body: formOf(most) })
    expect(added.status).toBe(201)
    const got = await call('HEAD', `${path}/${added.json.public_id}`, { key })
    expect(got.headers.get('content-length')).toBe(String(most.length))
    const refused = await call('POST', path, { key, body: formOf(new Uint8Array(most.length + 1)) })
    expect(refused.status).toBe(413)
    expect(refused.json.detail).toMatchObject({ code: 'file_too_large', max_bytes: most.length })
    const body = rawForm({
      headers: 'Content-Disposition: form-data; name="file"; filename="a"',
      content: new Uint8Array(17 * MEGABYTE),
    })
    const status = await new Promise((resolve, reject) => {
      const sending = request(`${url}${BASE_PATH}${path}`, {
        method: 'POST',
        headers: { ...FORM, 'X-API-Key': key, 'Transfer-Encoding': 'chunked' },
      })
      sending.on('response', (answer) => resolve(answer.statusCode)).on('error', reject)
      sending.end(body)
    })
    expect(status).toBe(413)
    expect(filesOf(server(), owner.id)).toHaveLength(1)
    expect(await pendingOf(server(), owner.id)).toEqual([])
  })

  it('100 Continue is sent only if the body will be read', async ({ company: owner }) => {
    const { url } = server()
    const id = await newDraft(server(), owner)
    const send = (invoiceId: string) =>
      new Promise<{ status: number | undefined; continued: boolean }>((resolve, reject) => {
        let continued = false
        const body = rawForm({
          headers: 'Content-Disposition: form-data; name="file"; filename="a"',
          content: 'x',
        })
        const sending = request(`${url}${BASE_PATH}/drafts/${invoiceId}/documents`, {
          method: 'POST',
          headers: {
            ...FORM,
            'X-API-Key': owner.key,
            'Content-Length': body.length,
            Expect: '100-continue',
          },
        })
        sending.on('continue', () => {
          continued = true
          sending.end(body)
        })
        sending.on('response', (answer) => {
          answer.resume()
          resolve({ status: answer.statusCode, continued })
          if (!continued) sending.destroy()
        })
        sending.on('error', reject)
        sending.flushHeaders()
      })
    expect(await send(id)).toEqual({ status: 201, continued: true })
    expect(await send(randomUUID())).toEqual({ status: 404, continued: false })
  })

  it('a client that disconnects within its file leaves nothing', async ({ company: owner }) => {
    const { url } = server()
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const body = rawForm({
      headers: 'Content-Disposition: form-data; name="file"; filename="a"',
      content: new Uint8Array(MEGABYTE),
    })
    await new Promise<void>((resolve, reject) => {
      const sending = request(`${url}${BASE_PATH}${path}`, {
        method: 'POST',
        headers: { ...FORM, 'X-API-Key': owner.key, 'Content-Length': body.length },
      })
      sending.on('error', () => resolve())
      sending.write(body.subarray(0, MEGABYTE / 2))
      const isPending = async () => (await pendingOf(server(), owner.id)).length > 0
      until(isPending, 'the server stores the file').then(() => sending.destroy(), reject)
    })
    await expect.poll(() => pendingOf(server(), owner.id), { timeout: 5000 }).toEqual([])
    expect(filesOf(server(), owner.id)).toEqual([])
    expect((await call('GET', path, { key: owner.key })).json).toEqual([])
  })

  it('the same upload under one Idempotency-Key is one document, and another file is refused', async () => {
    const owner = await server().company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const headers = { 'Idempotency-Key': 'upload-1' }
    const send = (content: string, name: string) =>
      call('POST', path, { key, headers, body: formOf(content, { name }) })
    const first = await send('x', 'a.pdf')
    const [second, third] = await Promise.all([send('x', 'a.pdf'), send('x', 'a.pdf')])
    for (const replay of [second, third]) {
      expect(replay?.status).toBe(201)
      expect(replay?.json).toEqual(first.json)
      expect(replay?.headers.get('idempotent-replayed')).toBe('true')
    }
    for (const [content, name] of [
      ['y', 'a.pdf'],
      ['x', 'b.pdf'],
    ] as const)
      expect((await send(content, name)).json.detail.code).toBe('idempotency_key_reused')
    expect((await call('GET', path, { key })).json).toHaveLength(1)
    expect(filesOf(server(), owner.id)).toHaveLength(1)
    expect(await pendingOf(server(), owner.id)).toEqual([])
  })

  it('two concurrent first uploads under one Idempotency-Key are one document', async () => {
    const owner = await server().company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const headers = { 'Idempotency-Key': 'upload-2' }
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => call('POST', path, { key, headers, body: formOf('x') })),
    )
    expect(new Set(answers.map(({ json }) => json.public_id)).size).toBe(1)
    expect((await call('GET', path, { key })).json).toHaveLength(1)
    expect(filesOf(server(), owner.id)).toHaveLength(1)
  })

  it('a download that the client already has is 304', async ({ company: owner, key }) => {
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const { json } = await call('POST', path, { key, body: formOf('x') })
    const one = `${path}/${json.public_id}`
    const tag = (await call('GET', one, { key })).headers.get('etag') ?? ''
    const again = await call('GET', one, { key, headers: { 'If-None-Match': `"other", ${tag}` } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
    expect((await call('GET', one, { key, headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  it('deleting an invoice while a file arrives also deletes the file', async ({ company: owner }) => {
    const { url } = server()
    const id = await newDraft(server(), owner)
    const body = rawForm({
      headers: 'Content-Disposition: form-data; name="file"; filename="a"',
      content: new Uint8Array(MEGABYTE),
    })
    const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        const sending = request(`${url}${BASE_PATH}/drafts/${id}/documents`, {
          method: 'POST',
          headers: { ...FORM, 'X-API-Key': owner.key, 'Content-Length': body.length },
        })
        sending.on('error', reject)
        sending.on('response', async (answer) => {
          let read = ''
          for await (const chunk of answer) read += chunk
          resolve({ status: answer.statusCode, text: read })
        })
        sending.write(body.subarray(0, MEGABYTE / 2))
        const isPending = async () => (await pendingOf(server(), owner.id)).length > 0
        const remove = async () => {
          await until(isPending, 'the server stores the file')
          expect((await call('DELETE', `/drafts/${id}`, { key: owner.key })).status).toBe(204)
          sending.end(body.subarray(MEGABYTE / 2))
        }
        remove().catch(reject)
      },
    )
    expect(status).toBe(404)
    expect(JSON.parse(text).detail.code).toBe('invoice_not_found')
    expect(filesOf(server(), owner.id)).toEqual([])
    expect(await pendingOf(server(), owner.id)).toEqual([])
  })

  it('concurrent uploads and deletions of one invoice leave as many files as documents', async () => {
    const owner = await server().company()
    const { key } = owner
    const path = `/drafts/${await newDraft(server(), owner)}/documents`
    const work = async (content: string, deletes: boolean) => {
      const { json } = await call('POST', path, { key, body: formOf(content) })
      if (deletes) await call('DELETE', `${path}/${json.public_id}`, { key })
    }
    await Promise.all(Array.from({ length: 12 }, (_, index) => work(`file ${index}`, index % 2 === 0)))
    expect((await call('GET', path, { key })).json).toHaveLength(6)
    expect(filesOf(server(), owner.id)).toHaveLength(6)
    expect(await pendingOf(server(), owner.id)).toEqual([])
  })
}
