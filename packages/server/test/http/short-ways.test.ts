/** Shortcuts give the same responses as the general way: bodies, keys and log lines. */
import { createConnection } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { itInAll } from '#test/size.ts'
import { until } from '#test/until.ts'
import { parseBody } from '../../src/reading/request-body.ts'
import { createKeyCache } from '../../src/service/access/key-cache.ts'
import type { Store } from '../../src/store/store.ts'

const PATH = '/api/v1.1/drafts/validate'

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
  company = await server.company()
})

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

const requestOf = (method: string, target: string, body: string): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'host: cuadra.example',
    `x-api-key: ${company.key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

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
    await server.transaction((tx) =>
      tx.of(company.id).change('api_keys', { revoked_at: '2026-01-01' }, { key_id: keyId ?? '' }),
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
