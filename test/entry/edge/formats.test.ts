/** The edge file that reads and writes documents of other formats: its routes, and the built file. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import * as source from '#entry/edge/formats/index.ts'
import { createHandler } from '#entry/edge/formats/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { DRAFT, detailOf, FIXED, get, HOST, NUMBERED, post as postTo, ROOT, read, streamed } from './ask.ts'
import { expectNotices } from './dist.ts'

const DIST = fileURLToPath(new URL('dist/edge/formats.js', ROOT))
const dist: typeof source = await import(/* @vite-ignore */ DIST)

const { fetch } = createHandler(FIXED)
const post = (path: string, body: BodyInit = NUMBERED, headers: Record<string, string> = {}, to = fetch) =>
  postTo(path, body, headers, to)
const XML = { 'content-type': 'application/xml' }

const UBL = required(writeInvoice(JSON.parse(NUMBERED), 'ubl_2_1').xml)
const withholding = (() => {
  const document = JSON.parse(read('examples/01-services-irpf.json'))
  document.invoice.header.invoice_number = 'P-1'
  document.invoice.issue_data.issue_date = '2026-03-05'
  return JSON.stringify(document)
})()

describe('POST /read', () => {
  it('returns the result of `readInvoice`, with status 200 for any document', async () => {
    for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/vnd.factura+xml']) {
      const response = await post('/read', UBL, { 'content-type': type })
      expect(response.status, type).toBe(200)
      expect(await response.text()).toBe(JSON.stringify(readInvoice(UBL)))
    }
    const response = await post('/read?locale=es', '<a/>', XML)
    expect([response.status, response.headers.get('content-language')]).toEqual([200, 'es'])
    expect(await response.text()).toBe(JSON.stringify(readInvoice('<a/>', { locale: 'es' })))
  })

  it('reads the bytes in the encoding that they declare', async () => {
    const named = UBL.replace('UTF-8', 'ISO-8859-1').replace('WEB-000041', 'Ñ-41')
    // A charset of the header does not count.
    const headers = { 'content-type': 'text/xml; charset=utf-8' }
    const { document } = await (await post('/read', Buffer.from(named, 'latin1'), headers)).json()
    expect(document.invoice.header.invoice_number).toBe('Ñ-41')
  })

  it('takes the direction and the format from the query', async () => {
    const { document } = await (await post('/read?direction=issued', UBL, XML)).json()
    expect(document.meta.direction).toBe('issued')
    const { errors } = await (await post('/read?format=cii_d16b', UBL, XML)).json()
    expect(errors[0].code).toBe('format.different')
  })

  it('refuses other bodies in the order of the contract', async () => {
    const asked = async (path: string, body: BodyInit, headers: Record<string, string>, to = fetch) => {
      const response = await post(path, body, headers, to)
      return [response.status, (await detailOf(response)).code]
    }
    const small = createHandler({ ...FIXED, maxXmlBytes: 100 }).fetch
    expect(await asked('/read?format=pdf', UBL, {}, small)).toEqual([422, 'request_validation_error'])
    expect(await asked('/read', UBL, {}, small)).toEqual([415, 'unsupported_media_type'])
    expect(await asked('/read', UBL, { ...XML, 'content-encoding': 'gzip' })).toEqual([
      415,
      'unsupported_media_type',
    ])
    expect(await asked('/read', UBL, XML, small)).toEqual([413, 'payload_too_large'])
    const method = await get('/read', {}, 'GET', fetch)
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('stops reading after 10 MB', async () => {
    let pieces = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pieces++
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
      },
    })
    const response = await fetch(streamed('/read', endless, XML))
    expect([response.status, (await detailOf(response)).max_bytes]).toEqual([413, 10 * 1024 * 1024])
    expect(pieces).toBeLessThan(15)
  })
})

describe('POST /write', () => {
  it('returns the result of `writeInvoice`', async () => {
    for (const format of ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const) {
      const response = await post(`/write?format=${format}&indent=2`)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(
        JSON.stringify(writeInvoice(JSON.parse(NUMBERED), format, { indent: 2 })),
      )
    }
  })

  it('returns the XML alone to a client that prefers it, or the reasons why there is none', async () => {
    const accept = { accept: 'application/xml' }
    const response = await post('/write?format=ubl_2_1', NUMBERED, accept)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml'])
    expect(await response.text()).toBe(UBL)
    const refused = await post('/write?format=ubl_2_1&locale=es', withholding, accept)
    expect(refused.status).toBe(422)
    const { code, message, errors } = await detailOf(refused)
    expect(code).toBe('export_not_possible')
    expect(message).toBe('La factura no se puede escribir como ubl_2_1: consulte errors.')
    const extra = expect.objectContaining({ reason: 'withholding' })
    expect(errors).toContainEqual(expect.objectContaining({ extra }))
  })

  it('requires a format that can be written, and the supported schema version', async () => {
    for (const query of ['', '?format=facturae_3_2', '?format=json_1_1', '?format=ubl_2_1&indent=9']) {
      const response = await post(`/write${query}`)
      expect([response.status, (await detailOf(response)).code], query).toEqual([
        422,
        'request_validation_error',
      ])
    }
    const other = await post('/write?format=ubl_2_1', NUMBERED.replace('json_1_1', 'json_9'))
    expect((await detailOf(other)).code).toBe('unsupported_schema_version')
    const hollow = '{"schema_version":"json_1_1","invoice":{"header":{"is_simplified":true}}}'
    const { errors } = await (await post('/write?format=cii_d16b', hollow)).json()
    expect(errors[0].extra.reason).toBe('not_calculated')
  })
})

describe('the rest of the service', () => {
  it('is that of `cuadra/edge`', async () => {
    for (const path of ['/validate', '/explain', '/reconcile', '/qr'])
      expect(await (await post(path, NUMBERED)).text()).toBe(await (await postTo(path, NUMBERED)).text())
    expect((await post('/validate', DRAFT)).status).toBe(200)
    const { allowed } = await detailOf(await get('/nowhere', {}, 'GET', fetch))
    expect(allowed).toEqual(expect.arrayContaining(['POST /read', 'POST /write', 'POST /validate']))
    // The small file has no such addresses.
    expect((await postTo('/read', UBL, XML)).status).toBe(404)
  })

  it.each([0, 1.5, 10 * 1024 * 1024 + 1])('refuses a limit of %j bytes', (maxXmlBytes) => {
    expect(() => createHandler({ maxXmlBytes })).toThrow('maxXmlBytes')
  })
})

describe('dist/edge/formats.js', () => {
  it('exports what its source does, and contains no path of the build machine', () => {
    expect(Object.keys(dist).sort()).toEqual(Object.keys(source).sort())
    expect(readFileSync(DIST, 'utf8')).not.toMatch(/\/work\/|sourceMappingURL|["']node:|\.\.\/src/)
  })

  it('ships the notices of the packages inside it', () =>
    expectNotices('src/entry/edge/formats/index.ts', 'dist/edge/formats.NOTICES.txt'))

  it('reads and writes as the engine does', () => {
    let made = 0
    for (const { name, invoice } of goldenInvoices().slice(0, 60)) {
      const ours = writeInvoice(invoice, 'cii_d16b')
      expect(dist.writeInvoice(invoice, 'cii_d16b'), name).toEqual(ours)
      if (ours.xml === null) continue
      made++
      expect(dist.readInvoice(ours.xml), name).toEqual(readInvoice(ours.xml))
    }
    expect(made).toBeGreaterThan(10)
  })

  it('runs if code generation from strings is disabled', () => {
    const code = `
      import worker from ${JSON.stringify(DIST)}
      let blocked = false
      try { new Function('return 1')() } catch { blocked = true }
      const ask = (path, type, body) => worker.fetch(
        new Request('${HOST}' + path, { method: 'POST', headers: { 'content-type': type }, body }))
      const { xml } = await (await ask('/write?format=ubl_2_1', 'application/json', ${JSON.stringify(NUMBERED)})).json()
      const { document } = await (await ask('/read', 'application/xml', xml)).json()
      console.log(blocked, document.invoice.header.invoice_number)`
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module']
    const { stdout, stderr } = spawnSync('node', flags, { input: code, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.trim()).toBe('true WEB-000041')
  })
})
