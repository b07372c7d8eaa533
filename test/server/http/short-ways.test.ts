/** Fast paths give the same responses as the general ones: addresses, bodies, keys and log lines. */
import { createConnection } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDirectRoute } from '../../../src/server/http/fast/direct.ts'
import { parseBody } from '../../../src/server/reading/body.ts'
import { createKeyCache } from '../../../src/server/service/access/key-cache.ts'
import type { Store } from '../../../src/server/store/store.ts'
import { startServer, type TestCompany, type TestServer } from '../../conformance/harness.ts'
import { itInAll } from '../../size.ts'
import { until } from '../../until.ts'

const PATH = '/api/v1.1/drafts/validate'

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  company = await server.company()
})
afterAll(() => server?.stop())

interface Raw {
  readonly status: number
  /** The response without what differs between responses. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Sends chunks of bytes on one connection with pauses between them, and reads a number of responses. */
function exchange(pieces: readonly string[], answers = 1): Promise<Raw[]> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) })
    let text = ''
    const found: Raw[] = []
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
        if (end < 0 || text.length < end + 4 + length) break
        const [line = '', ...headers] = text.slice(0, end).split('\r\n')
        found.push({
          status: Number(line.split(' ')[1]),
          headers: headers.filter((header) => !/^(?:date|x-request-id):/i.test(header)),
          body: text.slice(end + 4, end + 4 + length).replace(/"request_id":"[^"]*"/, ''),
        })
        text = text.slice(end + 4 + length)
      }
      if (found.length >= answers) socket.destroy()
    })
    socket.on('error', reject).on('close', () => resolve(found))
    const send = async () => {
      for (const chunk of pieces) {
        socket.write(chunk)
        await new Promise((next) => setTimeout(next, 30))
      }
    }
    void send()
  })
}

const requestOf = (method: string, target: string, body = '', headers: readonly string[] = []): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'host: cuadra.example',
    `x-api-key: ${company.key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

describe('an address that is found without the router', () => {
  it.each([
    ['POST', '', '{"schema_version":"json_1_1"}'],
    ['POST', '?explain=true', '{"schema_version":"json_1_1"}'],
    ['POST', '?', '{}'],
    ['POST', '?explain=yes', '{}'],
    ['POST', '?explain=true&explain=true', '{}'],
    ['POST', '?unknown', '{}'],
    ['POST', '', '{"a":1,"a":2}'],
    ['POST', '', '{"schema_version":"json_9"}'],
    ['POST', '', ''],
    ['GET', '', ''],
    ['HEAD', '', ''],
    ['DELETE', '?explain=true', ''],
  ])('gets the same response as from the router: %s %s %s', async (method, query, body) => {
    const long = PATH.replace('validate', 'valid%61te') + query
    const ask = (target: string) => exchange([requestOf(method, target, body, ['connection: close'])])
    const direct = await ask(PATH + query)
    expect(direct).toHaveLength(1)
    expect(direct).toEqual(await ask(long))
  })

  /** Parts of requests, valid and invalid. */
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE', 'PATCH'),
    path: fc.constantFrom(PATH, '/api/v1.1/company', '/api/v1.1/companies', '/api/v1.1/drafts', '/health'),
    host: fc.constantFrom('cuadra.example', 'a:8080', 'A.example', 'a:80', 'a b', 'a@b', '[::1]', ''),
    query: fc.oneof(
      fc.constantFrom('', '?', '?explain=true', '?limit=2&offset=1', '?limit=x', '?a&=b&&c=', '?limit=%31'),
      fc.stringMatching(/^\?[\w&=.,:@%+'-]{0,20}$/),
    ),
    key: fc.boolean(),
    language: fc.constantFrom('', 'es', 'en;q=0.1, es'),
    body: fc.oneof(
      fc.constantFrom('', '{}', '[', '{"a":1,"a":2}', '{"schema_version":"json_1_1"}', '"\\u0000"'),
      fc.json({ maxDepth: 2 }),
    ),
  })

  it('gets the same response as from the router, for any request', async () => {
    const property = fc.asyncProperty(
      requests,
      async ({ method, path, host, query, key, language, body }) => {
        const lines = ['connection: close', ...(language ? [`accept-language: ${language}`] : [])]
        const ask = (target: string) => {
          const request = requestOf(method, target, body, lines).replace(
            'host: cuadra.example',
            `host: ${host}`,
          )
          return exchange([key ? request : request.replace(/^x-api-key.*\r\n/m, '')])
        }
        // The router decodes `%61` to an a, and the fast path does not know it.
        expect(await ask(path + query)).toEqual(await ask(path.replace(/a(?=[^a]*$)/, '%61') + query))
      },
    )
    await fc.assert(property, { numRuns: 150 })
  })

  const address = (url: string, host: string | undefined = 'cuadra.example:8080') =>
    findDirectRoute(new Map([[PATH, async () => undefined]]), {
      url,
      headers: host === undefined ? {} : { host },
    } as Parameters<typeof findDirectRoute>[1])

  it('is parsed as by `URL`', () => {
    for (const query of ['', '?', '?explain=true', '?a=1&b=2&a=3', '?a&=b&&c=', '?from=2026-11-01']) {
      const url = new URL(`http://cuadra.example${PATH}${query}`)
      const found = address(PATH + query)?.address()
      expect({ ...found, searchParams: [...(found?.searchParams ?? [])] }).toEqual({
        pathname: url.pathname,
        search: url.search,
        searchParams: [...url.searchParams],
      })
    }
  })

  it('is left to the router if it, its query or its host is written in another way', () => {
    for (const other of [
      '/',
      `${PATH}/`,
      `/${PATH}`,
      `${PATH}#a`,
      `http://a${PATH}`,
      '/api/v1.1/./drafts/validate',
    ])
      expect(address(other), other).toBeUndefined()
    for (const query of ['?a=%41', '?a=+', '?a#b', "?a='", '?a="', '?é'])
      expect(address(PATH + query), query).toBeUndefined()
    for (const host of ['', 'a b', 'A.example', 'a:80', 'a:99999', '[::1]', 'a/b', 'a@b'])
      expect(address(PATH, host), host).toBeUndefined()
    expect(address(PATH, '')).toBeUndefined()
  })
})

describe('a body', () => {
  const body = '{"schema_version":"json_9"}'
  it('is the same however it arrives', async () => {
    const whole = requestOf('POST', PATH, body)
    const [at, middle] = [whole.indexOf(body), whole.indexOf(body) + 9]
    const [expected] = await exchange([whole])
    expect(expected?.body).toContain('unsupported_schema_version')
    for (const cuts of [[at], [middle], [at, middle], [10, at, middle]]) {
      const pieces = [0, ...cuts].map((from, index) => whole.slice(from, cuts[index]))
      expect(await exchange(pieces)).toEqual([expected])
    }
  })

  it('that was not read does not affect the next request of its connection', async () => {
    const refused = requestOf('POST', PATH, 'x'.repeat(30_000)).replace(company.key, 'cuadra_wrong')
    const answers = await exchange(
      [refused, requestOf('POST', PATH, body), refused + requestOf('POST', PATH, body)],
      4,
    )
    expect(answers.map(({ status }) => status)).toEqual([401, 422, 401, 422])
    expect(
      answers.flatMap(({ headers }) => headers.filter((line) => /^connection: close/i.test(line))),
    ).toEqual([])
  })
})

describe('the members of a body', () => {
  const parse = (text: string) =>
    parseBody({ bytes: Buffer.from(text), maxBytes: 4 * 1024 * 1024, locale: 'en' })
  it.each(['__proto__', 'constructor', 'toString', '0', 'a\\u0062', ''])(
    'are counted whatever their name: "%s"',
    (name) => {
      const deep = (inner: string) => `[{"x":{"${name}":1${inner},"0.5":[]}},{"${name}":null}]`
      expect(parse(deep(''))).toEqual(JSON.parse(deep('')))
      expect(() => parse(deep(`,"${name}":2`))).toThrow(/request_validation_error/)
    },
  )
})

describe('a key', () => {
  it('is trusted for one turn of the event loop without checking the version of the store again', async () => {
    let asked = 0
    const store = { version: () => `${++asked}` } as Store
    const find = createKeyCache(store, () => 0)
    await Promise.all([find('none', '2026-11-22'), find('none', '2026-11-22')])
    expect(asked).toBe(1)
    await new Promise((next) => setImmediate(next))
    await find('none', '2026-11-22')
    expect(asked).toBe(2)
  })

  it('that is revoked is refused at the next request, on a keep-alive connection', async () => {
    const key = await server.key(company.id, { scopes: ['*'] })
    const get = async () => (await server.call('GET', '/company', { key })).status
    expect([await get(), await get()]).toEqual([200, 200])
    const [, keyId] = key.split('.')
    await server.past((db) =>
      db
        .updateTable('api_keys')
        .set({ revoked_at: '2026-01-01' })
        .where('company_id', '=', company.id)
        .where('key_id', '=', keyId ?? '')
        .execute(),
    )
    expect(await get()).toBe(401)
  })
})

itInAll('the log line of a request has its usual members, and nothing that names a person', async () => {
  const logging = await startServer({ store: 'sqlite', env: { CUADRA_LOG_LEVEL: 'info' } })
  try {
    await fetch(`${logging.url}/api/v1.1/company?supplier_tax_id=B12345674`, {
      headers: { 'x-request-id': 'req-B12345674', 'x-api-key': 'cuadra_secret' },
    })
    const lineOf = (text: string) =>
      text.split('\n').find((one) => one.includes('"msg":"request"') && one.includes('/company')) ?? ''
    await until(() => lineOf(logging.output()) !== '', 'the log line of the request')
    const text = logging.output()
    const line = lineOf(text)
    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-/),
      pid: logging.process.pid,
      request_id: 'req-[redacted]',
      method: 'GET',
      route: '/api/v1.1/company',
      status: 401,
      ms: expect.any(Number),
      msg: 'request',
    })
    expect(text.slice(text.indexOf(line))).not.toMatch(/B12345674|cuadra_secret/)
  } finally {
    await logging.stop()
  }
})
