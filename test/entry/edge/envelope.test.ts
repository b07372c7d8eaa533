/** Common parts of responses: ids, languages, CORS, headers, and errors that reveal no internals. */
import { describe, expect, it } from 'vitest'
import { createHandler, validate } from '#entry/edge/index.ts'
import { LIMITS } from '#entry/request/request-limits.ts'
import { bodyFor, DRAFT, detailOf, FIXED, fixed, get, HOST, NUMBERED, post, read, TODAY } from './ask.ts'

/** One request for each status that the handler answers. */
const EACH: readonly (readonly [number, () => Promise<Response>])[] = [
  [200, () => post('/validate')],
  [200, () => post('/explain')],
  [200, () => post('/qr', NUMBERED, { accept: 'image/svg+xml' })],
  [200, () => get('/catalogs/units')],
  [200, () => get('/health')],
  [204, () => get('/validate', {}, 'OPTIONS')],
  [304, () => get('/catalogs', { 'if-none-match': '*' })],
  [404, () => get('/nowhere')],
  [404, () => get('/catalogs/nothing')],
  [405, () => get('/validate')],
  [413, () => post('/validate', ' '.repeat(9_000_000))],
  [415, () => post('/validate', DRAFT, { 'content-type': 'text/plain' })],
  [422, () => post('/validate', '{')],
  [422, () => post('/explain', '{}')],
]

describe('every response', () => {
  it.each(EACH)('%i', async (status, ask) => {
    const response = await ask()
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toBe('made-here')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe('ETag, X-Request-Id')
    if (status >= 400) {
      await detailOf(response)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('content-language')).toBe('en')
      expect(response.headers.get('vary')).toBe('Accept-Language')
    }
  })

  it('of a POST must not be stored', async () => {
    for (const path of ['/validate', '/explain', '/reconcile', '/qr'])
      expect((await post(path, bodyFor(path))).headers.get('cache-control'), path).toBe('no-store')
  })
})

describe('request ids', () => {
  const idFor = async (sent: string) =>
    (await get('/health', { 'x-request-id': sent })).headers.get('x-request-id')

  it('are the client’s own if they are valid', async () => {
    for (const id of ['a', '0af7651916cd43dd8448eb211c80319c', 'a.b:c-d_e', 'x'.repeat(128)])
      expect(await idFor(id)).toBe(id)
    for (const id of ['', 'a b', 'a,b', 'ñ', '<script>', '{}', 'x'.repeat(129)])
      expect(await idFor(id)).toBe('made-here')
  })

  it('are new UUIDs without one', async () => {
    const { fetch } = createHandler()
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await get('/health', {}, 'GET', fetch)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
  })
})

describe('languages', () => {
  const languageFor = async (accepted: string, query = '') => {
    const response = await post(`/validate${query}`, '{}', { 'accept-language': accepted })
    const { errors }: ReturnType<typeof validate> = await response.json()
    const language = response.headers.get('content-language') as 'en' | 'es'
    expect(errors).toEqual(validate({}, { locale: language, today: TODAY }).errors)
    expect(response.headers.get('vary')).toBe('Accept-Language')
    return language
  }

  it.each([
    ['es', 'es'],
    ['es-MX,en;q=0.5', 'es'],
    ['ca,eu;q=0.9,es-ES;q=0.8,en;q=0.7', 'es'],
    ['en;q=0.7, es;q=0.8', 'es'],
    ['es;q=0, en', 'en'],
    ['es;q=0', 'en'],
    ['fr, de', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['EN-gb, ES', 'en'],
    ['estonian, es', 'es'],
    [';;;,,q=1,es;q=x', 'es'],
  ])('%s: %s', async (accepted, language) => {
    expect(await languageFor(accepted)).toBe(language)
  })

  it('the locale parameter overrides the header', async () => {
    expect(await languageFor('es', '?locale=en')).toBe('en')
    expect(await languageFor('en', '?locale=es')).toBe('es')
  })

  it('every refusal has a Spanish message too', async () => {
    const spanish = { 'accept-language': 'es' }
    const cases = [
      get('/nowhere', spanish),
      get('/validate', spanish),
      get('/health?x=1', spanish),
      get('/catalogs/units?x=1', spanish),
      get('/catalogs/units?on=1', spanish),
      get('/catalogs/units?on=2026-01-01&on=2026-01-01', spanish),
      get('/catalogs/nothing', spanish),
      post('/validate', DRAFT, { ...spanish, 'content-type': 'text/plain' }),
      post('/validate', DRAFT, { ...spanish, 'content-encoding': 'gzip' }),
      post('/validate', new Uint8Array([0xff]), spanish),
      post('/validate', '{', spanish),
      post('/explain', '{}', spanish),
      post('/qr', '{}', { ...spanish, accept: 'image/svg+xml' }),
      post('/validate', '{"schema_version":"x"}', spanish),
    ]
    for (const response of await Promise.all(cases)) {
      expect(response.headers.get('content-language')).toBe('es')
      expect((await detailOf(response)).message).not.toMatch(/\b(?:the|is|There|Send)\b/)
    }
  })
})

describe('CORS', () => {
  const listed = createHandler({ ...FIXED, origins: ['https://app.example', 'http://localhost:5173'] })
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }

  it('a preflight request is answered without a body', async () => {
    for (const [path, methods] of [
      ['/validate', 'POST, OPTIONS'],
      ['/catalogs/units', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await get(path, { origin: 'https://any.example', ...asked }, 'OPTIONS')
      expect(response.status).toBe(204)
      expect(await response.text()).toBe('')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-methods')).toBe(methods)
      expect(response.headers.get('access-control-allow-headers')).toMatch(
        /\bContent-Type\b.*\bX-Request-Id\b/,
      )
      expect(response.headers.get('access-control-max-age')).toBe('86400')
      expect(response.headers.get('allow')).toBe(methods)
    }
  })

  it('a listed origin sees only itself, and caches keep origins apart', async () => {
    for (const [origin, allowed] of [
      ['https://app.example', 'https://app.example'],
      ['http://localhost:5173', 'http://localhost:5173'],
      ['https://app.example.evil.example', null],
      ['http://app.example', null],
      ['null', null],
    ] as const)
      for (const method of ['GET', 'OPTIONS']) {
        const response = await get('/catalogs/units', { origin }, method, listed.fetch)
        expect(response.headers.get('access-control-allow-origin'), origin).toBe(allowed)
        expect(response.headers.get('vary')).toMatch(/\bOrigin\b/)
      }
    const without = await post('/validate', DRAFT, {}, listed.fetch)
    expect(without.status).toBe(200)
    expect(without.headers.get('vary')).toBe('Accept-Language, Origin')
  })

  it('an empty list allows no origin, and pages of a listed origin can read errors', async () => {
    const none = createHandler({ origins: [] })
    expect(
      (await get('/health', { origin: 'https://a.example' }, 'GET', none.fetch)).headers.has(
        'access-control-allow-origin',
      ),
    ).toBe(false)
    const error = await get('/nowhere', { origin: 'https://app.example' }, 'GET', listed.fetch)
    expect(error.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })
})

describe('internal failures', () => {
  it.each([
    [
      'a clock',
      {
        clock: () => {
          throw new Error('secret /home')
        },
      },
    ],
    ['a clock without sense', { clock: () => Number.NaN }],
    [
      'ids',
      {
        requestId: () => {
          throw new Error('secret /home')
        },
      },
    ],
    ['ids that no header can hold', { requestId: () => 'a\nb' }],
    ['ids that are empty', { requestId: () => '' }],
  ])('%s: 500 without a word of it', async (_, options) => {
    const { fetch } = createHandler(options)
    const response = await fetch(
      new Request(`${HOST}/validate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: DRAFT,
      }),
    )
    expect(response.status).toBe(500)
    const detail = await detailOf(response)
    expect(detail.code).toBe('internal_error')
    expect(JSON.stringify(detail)).not.toMatch(/secret|stack|at \w+|\.ts/)
  })

  it('the default handler works unbound and ignores further arguments of a worker', async () => {
    const { default: worker } = await import('#entry/edge/index.ts')
    const unbound = worker.fetch as (...all: unknown[]) => Promise<Response>
    expect((await unbound(new Request(`${HOST}/health`), { SECRET: 1 }, {})).status).toBe(200)
    expect((await fixed(new Request(`${HOST}/health`))).status).toBe(200)
  })
})

it('the page of the service states the actual limit', () => {
  const limit = `${LIMITS.maxBytes / 2 ** 20} MiB`
  for (const messageText of [`may have ${limit}`, `| \`maxBytes\` | maximum size of a body | ${limit} |`])
    expect(read('docs/edge.md')).toContain(messageText)
})
