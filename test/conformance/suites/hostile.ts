/** Invalid HTTP input of every kind gets a documented refusal, stores nothing, and does not harm the server. */

import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { itInAll } from '../../size.ts'
import { BASE_PATH, type TestCompany, type TestServer } from '../harness.ts'
import { type Document, draft, received } from '../invoices.ts'
import { raw, writeThenRead } from '../sockets.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const MEGABYTE = 1024 * 1024
const SQL = [
  "' or '1'='1",
  "'; drop table invoices; --",
  '" or ""="',
  '\\',
  '%',
  '_',
  '$1',
  '?',
  ':company_id',
  '{{7*7}}',
  "x' union select secret_hash from api_keys --",
]
const HEADERS = ['a\r\nSet-Cookie: x=1', 'a\nX: y', '\r\n\r\n<html>']

/** Resident memory of the server in megabytes. */
async function memory({ url }: TestServer): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / MEGABYTE
}

async function requireNothing({ call }: TestServer, { key }: TestCompany): Promise<void> {
  for (const list of ['/issued-invoices', '/received-invoices', '/drafts'])
    expect((await call('GET', list, { key })).json.total).toBe(0)
}

export function hostileSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  afterEach(async () => {
    expect(await (await fetch(`${server().url}/health`)).json()).toEqual({ status: 'ok' })
  })

  /** The head of a request to a path below the base path. */
  const head = (method: string, path: string, key: string, ...headers: string[]) =>
    [`${method} ${BASE_PATH}${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${key}`, ...headers, '', ''].join(
      '\r\n',
    )
  /** The first answer to bytes. */
  const answerTo = async (bytes: string) => (await raw(server().url, bytes)).answers[0]
  const JSON_TYPE = 'Content-Type: application/json'

  describe('bodies', () => {
    const sendAll = async (rows: [string, string | Uint8Array, number, string][]) => {
      const owner = await server().company()
      for (const [what, body, status, code] of rows) {
        const answer = await call('PUT', '/drafts', { key: owner.key, body })
        expect([what, answer.status, answer.json.detail.code]).toEqual([what, status, code])
      }
      await requireNothing(server(), owner)
    }
    const WRONG = 'request_validation_error'

    it('malformed and truncated JSON is refused', async () => {
      const whole = JSON.stringify(draft())
      const cuts = Array.from({ length: 25 }, (_, index) => Math.floor((index * whole.length) / 25))
      await sendAll([
        ...cuts.map((at): [string, string, number, string] => [
          `cut at ${at}`,
          whole.slice(0, at),
          422,
          WRONG,
        ]),
        ['more behind', `${whole}{}`, 422, WRONG],
        ['comma', whole.replace(/\}$/, ',}'), 422, WRONG],
        ['single quotes', "{'a':1}", 422, WRONG],
        ['NaN', '{"a":NaN}', 422, WRONG],
        ['a comment', '{"a":1/**/}', 422, WRONG],
        ['a control character', '{"a":"\u0001"}', 422, WRONG],
        ['a NUL', '{"a":1}\u0000', 422, WRONG],
        ['white space', '   ', 422, WRONG],
        ['null', 'null', 422, 'schema_validation_failed'],
        ['a list', '[]', 422, 'schema_validation_failed'],
        ['a number', '1', 422, 'schema_validation_failed'],
      ])
    })

    it('10,000 levels of nesting are refused', async () => {
      const lists = '['.repeat(10_000)
      await sendAll([
        ['open lists', lists, 422, WRONG],
        ['closed lists', lists + ']'.repeat(10_000), 422, WRONG],
        ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 422, WRONG],
        ['65 levels', '['.repeat(65) + ']'.repeat(65), 422, WRONG],
      ])
    })

    it('bytes that are not UTF-8 are refused with their position', async ({ company: owner }) => {
      for (const bytes of [
        [0xff],
        [0xc0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf5, 0x80, 0x80, 0x80],
        [0xe2, 0x82],
      ]) {
        const body = Buffer.concat([
          Buffer.from('{"schema_version":\n"'),
          Buffer.from(bytes),
          Buffer.from('"}'),
        ])
        const { status, json } = await call('PUT', '/drafts', { key: owner.key, body })
        expect([status, json.detail.code, json.detail.line, json.detail.column]).toEqual([422, WRONG, 2, 2])
      }
      await sendAll([['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 422, WRONG]])
      await requireNothing(server(), owner)
    })

    it('a repeated key is refused at any depth and in any spelling', async () => {
      const whole = JSON.stringify(draft())
      const twice = (text: string) => whole.replace('"header":{', `"header":{${text},`)
      await sendAll([
        ['at the root', whole.replace('{', '{"meta":{},'), 422, WRONG],
        ['inside', twice('"invoice_type_code":"01"'), 422, WRONG],
        ['escaped', twice('"\\u0069nvoice_type_code":"01"'), 422, WRONG],
        ['both escaped', twice('"\\u0061":1,"\\u0061":2'), 422, WRONG],
        ['in a list', whole.replace('"lines":[{', '"lines":[{"quantity":2,'), 422, WRONG],
        ['__proto__', twice('"__proto__":1,"__proto__":2'), 422, WRONG],
        ['one __proto__', twice('"__proto__":{"a":1}'), 422, 'schema_validation_failed'],
        ['constructor', twice('"constructor":{"prototype":{"a":1}}'), 422, 'schema_validation_failed'],
      ])
    })

    it('NUL and halves of surrogate pairs are refused with their path, in every text', async () => {
      const owner = await server().company()
      const places: [string, (document: Document, text: string) => void][] = [
        ['/meta/external_ref', (document, text) => (document.meta.external_ref = text)],
        ['/meta/source_system', (document, text) => (document.meta.source_system = text)],
        ['/invoice/customer/name', (document, text) => (document.invoice.customer.name = text)],
        [
          '/invoice/header/invoice_series_code',
          (document, text) => (document.invoice.header.invoice_series_code = text),
        ],
        [
          '/invoice/lines/0/item_description',
          (document, text) => (document.invoice.lines[0].item_description = text),
        ],
      ]
      for (const [path, set] of places)
        for (const bad of ['\u0000', 'a\u0000b', '\ud800', 'a\udc00b']) {
          const document = structuredClone(draft())
          set(document, bad)
          for (const [method, target] of [
            ['PUT', '/drafts'],
            ['POST', '/drafts/validate'],
          ] as const) {
            const { status, json } = await call(method, target, { key: owner.key, body: document })
            expect([status, json.detail.code, json.detail.path]).toEqual([422, WRONG, path])
          }
        }
      const key = JSON.stringify(draft()).replace('"header":{', '"header":{"a\\u0000":1,')
      expect((await call('PUT', '/drafts', { key: owner.key, body: key })).json.detail.path).toBe(
        '/invoice/header',
      )
      const supplier = received({ taxId: owner.data.tax_id, number: 'N\u0000' })
      const refused = await call('PUT', '/received-invoices', { key: owner.key, body: supplier })
      expect([refused.status, refused.json.detail.path]).toEqual([422, '/invoice/header/invoice_number'])
      await requireNothing(server(), owner)
    })

    it('a whole surrogate pair, an emoji and a written escape are stored as they are', async ({ key }) => {
      const name = 'Ñandú 😀 \\u0000'
      const body = JSON.stringify(draft()).replaceAll(
        'Cliente de Pruebas, S.L.',
        'Ñandú \\ud83d\\ude00 \\\\u0000',
      )
      const { status, json } = await call('PUT', '/drafts', { key, body })
      expect(status).toBe(201)
      expect((await call('GET', `/drafts/${json.id}`, { key })).json.customer_name).toBe(name)
    })

    it('control characters in names and descriptions do not break the issue', async ({ key }) => {
      const body = structuredClone(draft())
      body.invoice.customer.name = 'a\u0001b\u001f\u007f\ufffe'
      body.invoice.issue_data.invoice_description = 'a\u0008\ufffe'
      const saved = await call('PUT', '/drafts', { key, body })
      expect([201, 422]).toContain(saved.status)
      if (saved.status !== 201) return
      const issued = await call('POST', `/issued-invoices/${saved.json.id}/issue`, { key })
      expect([200, 422]).toContain(issued.status)
    })

    it('numbers that are not amounts are refused', async () => {
      const whole = JSON.stringify(draft())
      const quantity = (text: string) => whole.replace('"quantity":1', `"quantity":${text}`)
      await sendAll(
        ['1e400', '-1e400', '1e300', `1${'0'.repeat(400)}`, '"1"', 'true', '[]'].map(
          (text): [string, string, number, string] => [text, quantity(text), 422, 'schema_validation_failed'],
        ),
      )
    })

    itInAll('huge lists and objects are refused fast and without much memory', async () => {
      const before = await memory(server())
      const started = performance.now()
      const document = JSON.stringify(draft({ invoice: { lines: '#' } }))
      await sendAll([
        ['lines', document.replace('"#"', `[${'{},'.repeat(400_000)}{}]`), 422, WRONG],
        ['nulls', document.replace('"#"', `[${'null,'.repeat(700_000)}null]`), 422, WRONG],
        ['nested', document.replace('"#"', `[${'[[]],'.repeat(600_000)}[]]`), 422, WRONG],
        ['keys', `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`)}}`, 422, WRONG],
        ['a text', JSON.stringify(draft({ series: 'x'.repeat(3_500_000) })), 422, 'schema_validation_failed'],
      ])
      expect(performance.now() - started).toBeLessThan(15_000)
      expect((await memory(server())) - before).toBeLessThan(300)
    })

    const LINE = { item_description: 'Cable', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21 }
    const withLines = (count: number, line: unknown = LINE) =>
      draft({ invoice: { lines: new Array(count).fill(line) } })

    it('a large invoice is validated, explained and saved like a small one', async ({ key }) => {
      const large = withLines(3000)
      const validation = await call('POST', '/drafts/validate', { key, body: large })
      expect([validation.status, validation.json.is_valid]).toEqual([200, true])
      expect(validation.json.data.invoice.totals.invoice_total).toBe(3630)
      const saved = await call('PUT', '/drafts', { key, body: large })
      expect(saved.status).toBe(201)
      const stored = await call('GET', `/drafts/${saved.json.id}/canonical`, { key })
      expect(stored.json.invoice.lines).toHaveLength(3000)
      const wrong = withLines(3000, { ...LINE, unknown: 1 })
      const refused = await call('PUT', '/drafts', { key, body: wrong })
      expect([refused.status, refused.json.detail.code]).toEqual([422, 'schema_validation_failed'])
      expect(refused.json.detail.errors).toHaveLength(1001)
      expect(refused.json.detail.errors.at(-1).code).toBe('too_many_errors')
      const twice = JSON.stringify(large).replace('{"item', '{"quantity":2,"item')
      const repeated = await call('PUT', '/drafts', { key, body: twice })
      expect([repeated.status, repeated.json.detail.code]).toEqual([422, WRONG])
      expect(repeated.json.detail.message).toContain('the key "quantity" is repeated at line 1')
    })

    it('at most 1,000 lines are explained in one response', async ({ key }) => {
      const explain = (count: number) =>
        call('POST', '/drafts/validate?explain=true', { key, body: withLines(count) })
      expect((await explain(1000)).json.explanation.length).toBeGreaterThan(3000)
      const refused = await explain(1001)
      expect([refused.status, refused.json.detail.code]).toEqual([422, WRONG])
      expect(refused.json.detail).toMatchObject({ lines: 1001, max_lines: 1000 })
      expect(refused.json.detail.message).toContain('omit explain')
    })

    it('another media type, another charset and a compressed body are refused', async () => {
      const owner = await server().company()
      const { key } = owner
      const body = JSON.stringify(draft())
      const send = (headers: Record<string, string>, bytes: string | Uint8Array = body) =>
        call('PUT', '/drafts', { key, body: bytes, headers })
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=iso-8859-1',
        'application/xml',
        'application/jsonp',
        'json',
        '',
      ]) {
        const { status, json } = await send({ 'Content-Type': type })
        expect([type, status, json.detail.code]).toEqual([type, 415, 'unsupported_media_type'])
        expect(json.detail.expected).toBe('application/json')
      }
      const zipped = gzipSync(body)
      for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity'])
        expect((await send({ 'Content-Encoding': encoding }, zipped)).status).toBe(415)
      for (const header of ['Content-Encoding', 'Transfer-Encoding'])
        for (const text of ['\xa0', `${'\xa0'.repeat(30_000)}x`]) {
          const blank = head('PUT', '/drafts', key, JSON_TYPE, `${header}: ${text}`, 'Content-Length: 2')
          expect([header, (await raw(server().url, `${blank}{}`)).answers[0]?.code]).toEqual([
            header,
            header === 'Content-Encoding' ? 'unsupported_media_type' : 'bad_request',
          ])
        }
      const bomb = await send({ 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(100 * MEGABYTE)))
      expect(bomb.json.detail.code).toBe('unsupported_media_type')
      // Compressed without declaring it.
      expect((await send({}, zipped)).json.detail.code).toBe(WRONG)
      const coded = head('PUT', '/drafts', key, JSON_TYPE, 'Transfer-Encoding: gzip, chunked')
      expect((await answerTo(`${coded}2\r\n{}\r\n0\r\n\r\n`))?.code).toBe('unsupported_media_type')
      await requireNothing(server(), owner)
    })

    itInAll(
      '100 MB are refused, declared or not, and a client that is still writing receives the refusal',
      async () => {
        const owner = await server().company()
        const { key } = owner
        const { url } = server()
        const before = await memory(server())
        const blanks = Buffer.alloc(64 * 1024, ' ')
        const chunk = Buffer.concat([Buffer.from('10000\r\n'), blanks, Buffer.from('\r\n')])
        const times = (100 * MEGABYTE) / blanks.length
        const length = `Content-Length: ${100 * MEGABYTE}`
        const rows: [string, string, Buffer, string][] = [
          ['declared', head('PUT', '/drafts', key, JSON_TYPE, length), blanks, 'payload_too_large'],
          [
            'chunked',
            head('PUT', '/drafts', key, JSON_TYPE, 'Transfer-Encoding: chunked'),
            chunk,
            'payload_too_large',
          ],
          ['on a GET', head('GET', '/drafts', key, length), blanks, 'request_validation_error'],
          ['without a key', head('PUT', '/drafts', 'none', JSON_TYPE, length), blanks, 'unauthorized'],
          ['nowhere', head('PUT', '/nowhere', key, JSON_TYPE, length), blanks, 'not_found'],
        ]
        for (const [what, start, bytes, code] of rows) {
          const { answers, error } = await writeThenRead(url, start, bytes, times)
          expect([what, answers[0]?.code, error]).toEqual([what, code, undefined])
        }
        const body = Buffer.alloc(100 * MEGABYTE, ' ')
        const fetched = await call('PUT', '/drafts', { key, body })
        expect([fetched.status, fetched.json.detail.max_bytes]).toEqual([413, 4 * MEGABYTE])
        expect((await memory(server())) - before).toBeLessThan(150)
        await requireNothing(server(), owner)
      },
    )

    it('a wrong length is answered, and does not affect the next request', async ({ company: owner }) => {
      const { url } = server()
      const post = (...headers: string[]) => head('PUT', '/drafts', owner.key, JSON_TYPE, ...headers)
      const short = await raw(url, `${post('Content-Length: 2')}{}{"a":1}`, { answers: 2 })
      expect(short.answers.map(({ code }) => code)).toEqual(['schema_validation_failed', 'bad_request'])
      const rows: [string, string, string][] = [
        ['two lengths', `${post('Content-Length: 2', 'Content-Length: 3')}{} `, 'bad_request'],
        ['length and chunks', `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}{}`, 'bad_request'],
        ['negative', `${post('Content-Length: -2')}{}`, 'bad_request'],
        ['no number', `${post('Content-Length: two')}{}`, 'bad_request'],
        ['no chunk', `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`, 'bad_request'],
        ['a huge chunk', `${post('Transfer-Encoding: chunked')}ffffffffffffffffff\r\n{}`, 'bad_request'],
        ['closed too early', `${post('Content-Length: 20')}{"a":`, 'bad_request'],
      ]
      for (const [what, bytes, code] of rows) {
        const { answers, closed } = await raw(url, bytes, {
          half: what === 'closed too early',
          untilClosed: true,
        })
        expect([what, answers.map((answer) => answer.code), closed]).toEqual([what, [code], true])
      }
      await requireNothing(server(), owner)
    })

    it('a body is refused where none is expected', async ({ key }) => {
      const { json } = await call('PUT', '/drafts', { key, body: draft() })
      const one = `/drafts/${json.id}`
      for (const [method, path] of [
        ['GET', '/company'],
        ['GET', '/drafts'],
        ['GET', one],
        ['DELETE', one],
      ] as const) {
        const answer = await answerTo(`${head(method, path, key, 'Content-Length: 5')}hello`)
        expect([method, path, answer?.code]).toEqual([method, path, WRONG])
      }
      expect((await call('GET', one, { key })).status).toBe(200)
    })
  })

  describe('addresses and parameters', () => {
    it('unknown, repeated, empty, overlong and malformed parameters are refused', async ({ key }) => {
      const rows = [
        'nothing=1',
        '=1',
        'limit',
        'limit=',
        'limit=0',
        'limit=501',
        'limit=-1',
        'limit=1.5',
        'limit=1e2',
        'limit=0x10',
        'limit=%31%00',
        'limit=99999999999999999999',
        'limit=1&limit=2',
        'limit[]=1',
        'limit=1;offset=2',
        'offset=-1',
        'offset=NaN',
        'Limit=1',
        '__proto__=1',
        'constructor=1',
        'toString=1',
        'hasOwnProperty=1',
        'series=',
        `series=${'x'.repeat(61)}`,
        'series=a&series=a',
        'issue_date_from=2026-02-30',
        'issue_date_from=2026-1-1',
        'issue_date_from=today',
        "issue_date_from=2026-01-01'--",
        'company_id=1',
      ]
      for (const query of rows) {
        const { status, json } = await call('GET', `/issued-invoices?${query}`, { key })
        expect([query, status, json.detail.code]).toEqual([query, 422, 'request_validation_error'])
      }
      for (const [path, code] of [
        ['/issued-invoices?status=nothing', 'unknown_status'],
        [`/issued-invoices?status=${encodeURIComponent(required(SQL[1]))}`, 'unknown_status'],
        ['/drafts?invoice_id=1', 'request_validation_error'],
        ['/company?x=1', 'request_validation_error'],
        ['/health?x=1', 'request_validation_error'],
        ['/catalogs/units?x=1', 'request_validation_error'],
      ])
        expect((await call('GET', required(path), { key })).json.detail.code).toBe(code)
    })

    it('SQL in a filter is a text that matches nothing', async ({ key }) => {
      await call('PUT', '/drafts', { key, body: draft() })
      for (const text of SQL) {
        const value = encodeURIComponent(text)
        for (const name of ['series', 'number', 'external_ref', 'customer_tax_id']) {
          const { status, json } = await call('GET', `/issued-invoices?${name}=${value}`, { key })
          expect([text, name, status, json.total]).toEqual([text, name, 200, 0])
        }
        for (const path of [`/drafts/${value}`, `/issued-invoices/${value}`, `/received-invoices/${value}`]) {
          expect([path, (await call('GET', path, { key })).status]).toEqual([path, 404])
        }
        expect([value, (await call('GET', `/catalogs/${value}`, { key })).status]).toEqual([value, 404])
      }
      expect((await call('GET', '/issued-invoices', { key })).json.total).toBe(1)
    })

    it('SQL in the texts of an invoice is stored and found as it is', async ({ key }) => {
      for (const text of SQL) {
        const ref = `${text}`.slice(0, 60)
        const body = structuredClone(draft({ ref, series: text.slice(0, 60) }))
        body.invoice.customer.name = text
        body.invoice.lines[0].item_description = text
        body.meta.source_system = text
        const saved = await call('PUT', '/drafts', { key, body })
        expect([text, saved.status]).toEqual([text, 201])
        const { json } = await call('GET', `/drafts?external_ref=${encodeURIComponent(ref)}`, { key })
        expect(json.items).toMatchObject([{ id: saved.json.id, external_id: ref, customer_name: text }])
        const bySeries = `/drafts?series=${encodeURIComponent(text.slice(0, 60))}`
        expect((await call('GET', bySeries, { key })).json.total).toBe(1)
      }
      expect((await call('GET', '/drafts', { key })).json.total).toBe(SQL.length)
    })

    it('line breaks in texts never become headers', async ({ key }) => {
      for (const text of HEADERS) {
        const body = structuredClone(draft({ series: 'H' }))
        body.invoice.lines[0].item_description = text
        const saved = await call('PUT', '/drafts', { key, body })
        expect(saved.status).toBe(201)
        body.invoice.customer.name = text
        const named = await call('PUT', '/drafts', { key, body })
        // A name has one line. Breaks before and after it are blanks, which are removed.
        if (/[\r\n]/.test(text.trim())) expect(statusAndCode(named)).toBe('422 schema_validation_failed')
        else expect(named.status).toBe(201)
        for (const { headers } of [saved, named]) expect(headers.get('set-cookie')).toBeNull()
      }
    })

    it('unusual targets get a response in the usual shape', async ({ key }) => {
      const get = (target: string, version = 'HTTP/1.1') =>
        `GET ${target} ${version}\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`
      const rows: [string, number, string | undefined][] = [
        ['//', 404, 'not_found'],
        ['//evil.example/api/v1.1/company', 404, 'not_found'],
        [`${BASE_PATH}//company`, 404, 'not_found'],
        [`${BASE_PATH}/company/`, 404, 'not_found'],
        [`${BASE_PATH}/%2e%2e/%2e%2e/etc/passwd`, 404, 'not_found'],
        [`${BASE_PATH}/../../../etc/passwd`, 404, 'not_found'],
        [`${BASE_PATH}/catalogs/..%2f..%2fetc`, 404, 'not_found'],
        [`${BASE_PATH}/catalogs/%00`, 404, 'not_found'],
        [`${BASE_PATH}/catalogs/%zz`, 404, 'not_found'],
        [`${BASE_PATH}/catalogs/%ff%fe`, 404, 'not_found'],
        [`${BASE_PATH}/catalogs/__proto__`, 404, 'not_found'],
        [`${BASE_PATH}/drafts/%00`, 404, 'invoice_not_found'],
        [`${BASE_PATH}/drafts/%E0%A4%A`, 404, 'invoice_not_found'],
        ['/assets/%E0%A4%A', 404, 'not_found'],
        ['/assets/%00', 404, 'not_found'],
        ['/assets/..%2f..%2f..%2f..%2fetc/passwd', 404, 'not_found'],
        ['/%2e%2e/%2e%2e/package.json', 404, 'not_found'],
        ['/.env', 404, 'not_found'],
        [`http://other.example${BASE_PATH}/nothing`, 404, 'not_found'],
        ['http://[::bad/x', 400, 'bad_request'],
        ['*', 400, 'bad_request'],
        ['\\', 400, 'bad_request'],
        ['nothing', 400, 'bad_request'],
        [`${BASE_PATH}/a b`, 400, 'bad_request'],
        [`${BASE_PATH}/\xff`, 400, 'bad_request'],
        [`/${'a'.repeat(40_000)}`, 431, 'request_headers_too_large'],
        [`${BASE_PATH}/drafts?series=${'a'.repeat(20_000)}`, 422, 'request_validation_error'],
        [`${BASE_PATH}/drafts?${'a&'.repeat(10_000)}`, 422, 'request_validation_error'],
        [`${BASE_PATH}/company`, 200, undefined],
        [`http://other.example${BASE_PATH}/company`, 200, undefined],
      ]
      for (const [target, status, code] of rows) {
        const answer = await answerTo(get(target))
        const shown = target.slice(0, 60)
        expect([shown, answer?.status, answer?.code]).toEqual([shown, status, code])
      }
    })

    it('unknown methods are refused', async ({ key }) => {
      const rows: [string, number, string][] = [
        ['TRACE', 405, 'method_not_allowed'],
        ['PROPFIND', 405, 'method_not_allowed'],
        ['PATCH', 405, 'method_not_allowed'],
        ['OPTIONS', 405, 'method_not_allowed'],
        ['PURGE', 405, 'method_not_allowed'],
        ['FOO', 400, 'bad_request'],
        ['get', 400, 'bad_request'],
        ["G'ET", 400, 'bad_request'],
      ]
      for (const [method, status, code] of rows) {
        const answer = await answerTo(head(method, '/company', key))
        expect([method, answer?.status, answer?.code]).toEqual([method, status, code])
        if (status === 405) expect(answer?.headers.allow).toBe('GET, HEAD')
      }
      const tunnel = await answerTo('CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')
      expect(tunnel?.code).toBe('method_not_allowed')
    })
  })

  describe('headers and connections', () => {
    it('a request id is returned only if it is valid', async () => {
      const ask = (id: string) => answerTo(`GET /health HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`)
      expect((await ask('job-7:a.b'))?.headers['x-request-id']).toBe('job-7:a.b')
      for (const id of ['a b', '<script>', "'--", '', 'x'.repeat(129), '\xff', 'a, b']) {
        const answer = await ask(id)
        expect(answer?.status).toBe(200)
        expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      }
      for (const id of ['a\x00b', 'a\rb', 'a\x01b']) expect((await ask(id))?.code).toBe('bad_request')
    })

    it('strings that are not keys are refused, whatever they look like', async ({ key }) => {
      const rows = [
        ...SQL,
        '',
        ' ',
        'x'.repeat(20_000),
        '\xff\xfe',
        `${key}x`,
        key.slice(0, -1),
        key.toUpperCase(),
      ]
      for (const text of rows) {
        const answer = await answerTo(head('GET', '/company', text))
        expect([text.slice(0, 40), answer?.code]).toEqual([text.slice(0, 40), 'unauthorized'])
      }
      expect((await answerTo(head('GET', '/company', key, `X-API-Key: ${key}`)))?.code).toBe('unauthorized')
    })

    it('an Idempotency-Key that cannot be stored is refused', async ({ key }) => {
      const { json } = await call('PUT', '/drafts', { key, body: draft() })
      const path = `/issued-invoices/${json.id}/issue`
      for (const text of ['', 'a b', 'x'.repeat(201), '\xff', 'ñ']) {
        const answer = await answerTo(
          head('POST', path, key, `Idempotency-Key: ${text}`, 'Content-Length: 0'),
        )
        expect([text.slice(0, 20), answer?.code]).toEqual([text.slice(0, 20), 'request_validation_error'])
      }
      expect((await call('GET', `/drafts/${json.id}`, { key })).json.status).toBe('draft')
      const odd = await call('POST', path, {
        key,
        headers: { 'Idempotency-Key': `';drop--"\\%${randomUUID()}` },
      })
      expect(odd.status).toBe(200)
    })

    it('headers that are too large or malformed are refused', async ({ key }) => {
      const { url } = server()
      const rows: [string, string, string][] = [
        ['large', head('GET', '/company', key, `X: ${'a'.repeat(100_000)}`), 'request_headers_too_large'],
        [
          'many',
          head('GET', '/company', key, ...Array(4000).fill('Some-Name: x')),
          'request_headers_too_large',
        ],
        ['no colon', head('GET', '/company', key, 'nothing'), 'bad_request'],
        ['a blank name', head('GET', '/company', key, 'a b: c'), 'bad_request'],
        ['no host', `GET ${BASE_PATH}/company HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`, 'bad_request'],
        ['two hosts', head('GET', '/company', key, 'Host: x'), 'bad_request'],
        [
          'two hosts of an absolute URL',
          `GET http://x${BASE_PATH}/company HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n`,
          'bad_request',
        ],
        ['a wrong host', `GET ${BASE_PATH}/company HTTP/1.1\r\nHost: a b\r\n\r\n`, 'bad_request'],
        ['line feeds only', `GET ${BASE_PATH}/company HTTP/1.1\nHost: x\n\n`, 'bad_request'],
        ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'bad_request'],
        ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_request'],
      ]
      for (const [what, bytes, code] of rows) {
        const { answers, closed } = await raw(url, bytes, { untilClosed: true })
        expect([what, answers.map((answer) => answer.code), closed]).toEqual([what, [code], true])
      }
    })

    it('no header is omitted, however many come before it', async ({ key }) => {
      const many = Array.from({ length: 2500 }, (_, index) => `A${index}: b`)
      const last = (method: string, path: string, ...headers: string[]) => {
        const [first, ...rest] = head(method, path, key, ...headers).split('\r\n')
        return answerTo([first, ...many, ...rest].join('\r\n'))
      }
      expect((await last('GET', '/company'))?.status).toBe(200)
      const { json } = await call('PUT', '/drafts', { key, body: draft() })
      const stale = await last('DELETE', `/drafts/${json.id}`, 'If-Match: "stale"')
      expect(stale?.code).toBe('precondition_failed')
      const unusable = await last(
        'POST',
        `/issued-invoices/${json.id}/issue`,
        'Content-Length: 0',
        'Idempotency-Key: a b',
      )
      expect(unusable?.code).toBe('request_validation_error')
      const repeated = await last('PUT', '/drafts', JSON_TYPE, 'Content-Type: text/xml', 'Content-Length: 2')
      expect(repeated?.code).toBe('unsupported_media_type')
    })

    it('HTTP/1.0, upgrades and unknown expectations are served', async ({ key }) => {
      const { url } = server()
      const old = `GET ${BASE_PATH}/company HTTP/1.0\r\nX-API-Key: ${key}\r\n\r\n`
      const { answers, closed } = await raw(url, old, { untilClosed: true })
      expect([answers[0]?.status, closed]).toEqual([200, true])
      for (const headers of [['Connection: Upgrade', 'Upgrade: websocket'], ['Expect: magic']])
        expect((await answerTo(head('GET', '/company', key, ...headers)))?.status).toBe(200)
    })

    it('pipelined requests are answered in order, also before a malformed one', async ({ key }) => {
      const { url } = server()
      const all = ['/company', '/health', '/nothing', '/company']
        .map((path) => head('GET', path, key))
        .join('')
      const { answers } = await raw(url, all, { answers: 4 })
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200])
      const broken = await raw(url, `${head('GET', '/company', key)}GARBAGE\r\n\r\n`, { untilClosed: true })
      expect(broken.answers.map(({ status }) => status)).toEqual([200, 400])
      expect(broken.closed).toBe(true)
      const smuggled = `${head('PUT', '/drafts', key, JSON_TYPE, 'Content-Length: 2')}{}${head('GET', '/company', key)}`
      const after = await raw(url, smuggled, { answers: 2 })
      expect(after.answers.map(({ status }) => status)).toEqual([422, 200])
    })

    itInAll('hundreds of connections that never finish a request do not harm the server', async () => {
      const { url } = server()
      const silent = Promise.all(
        Array.from({ length: 300 }, () => raw(url, 'GET /health HT', { patience: 700 })),
      )
      const started = performance.now()
      expect((await fetch(`${url}/health`)).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(3000)
      await silent
    })
  })
}
