/** Every route and every check, in the order of the specification: of two faults, the earlier one is reported. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { createHandler } from '#entry/edge/index.ts'
import { tokens } from '../../tokens.ts'
import { bodyFor, DRAFT, detailOf, FIXED, fixed, get, HOST, JSON_TYPE, NUMBERED, post } from './ask.ts'

const POSTS = ['/validate', '/explain', '/reconcile', '/qr']
const GETS = ['/catalogs', '/catalogs/units', '/health']
const UNKNOWN = tokens`/ /validate/ //validate /drafts /catalogs/ /catalogs/units/ /catalogs/a/b /health/x`

/** Faults of a request, the earliest first, each with what it is answered. */
const FAULTS = {
  route: [404, 'not_found'],
  method: [405, 'method_not_allowed'],
  query: [422, 'request_validation_error'],
  media: [415, 'unsupported_media_type'],
  size: [413, 'payload_too_large'],
  json: [422, 'request_validation_error'],
  version: [422, 'unsupported_schema_version'],
} as const
type Fault = keyof typeof FAULTS
const ORDER = Object.keys(FAULTS) as Fault[]

const small = createHandler({ ...FIXED, maxBytes: 20_000 })

/** A request with these faults and no other. */
function broken(path: string, faults: readonly Fault[]): Request {
  const has = (fault: Fault) => faults.includes(fault)
  const version = has('version') ? DRAFT.replace('json_1_1', 'json_9') : bodyFor(path)
  const body = (has('json') ? '{"schema_version": ' : version) + (has('size') ? ' '.repeat(20_000) : '')
  return new Request(`${HOST}${has('route') ? '/nowhere' : path}${has('query') ? '?x=1' : ''}`, {
    method: has('method') ? 'PUT' : 'POST',
    headers: { 'content-type': has('media') ? 'text/plain' : 'application/json' },
    body,
  })
}

describe('order of the checks', () => {
  const pairs = ORDER.flatMap((first, at) => [[first], ...ORDER.slice(at + 1).map((later) => [first, later])])
  for (const path of POSTS)
    it.each(pairs.map((faults) => ({ faults: faults })))(`${path}: $faults`, async ({ faults }) => {
      const response = await small.fetch(broken(path, faults))
      const [status, code] = FAULTS[required(faults[0])]
      expect([response.status, (await detailOf(response)).code]).toEqual([status, code])
    })

  it('all checks fail: the first one is reported', async () => {
    for (let at = 0; at < ORDER.length; at++) {
      const response = await small.fetch(broken('/validate', ORDER.slice(at)))
      expect(response.status).toBe(FAULTS[required(ORDER[at])][0])
    }
  })

  it('no check fails', async () => {
    for (const path of POSTS) expect((await small.fetch(broken(path, []))).status, path).toBe(200)
  })
})

describe('addresses', () => {
  it.each(UNKNOWN)('%s is not found', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await fixed(new Request(HOST + path, { method }))
      expect(response.status).toBe(404)
      const detail = await detailOf(response)
      expect(detail.code).toBe('not_found')
      expect(detail.allowed).toContain('GET /catalogs/{name}')
    }
  })

  it('are decoded, but not interpreted further', async () => {
    expect((await get('/catalogs/tax%2Drates')).status).toBe(200)
    expect((await get('/c%61talogs/units')).status).toBe(200)
    for (const path of tokens`/catalogs%2Funits /catalogs/%E0 /% /catalogs/{name} /VALIDATE /__proto__`)
      expect((await get(path)).status, path).toBe(404)
    expect((await get('/catalogs%2F%7Bname%7D')).status).toBe(404)
    expect((await get('/catalogs/constructor')).status).toBe(404)
  })

  it('exist only under the base path', async () => {
    const { fetch } = createHandler({ ...FIXED, basePath: '/api/v1.1' })
    expect((await post('/api/v1.1/validate', DRAFT, {}, fetch)).status).toBe(200)
    expect((await get('/api/v1.1/health', {}, 'GET', fetch)).status).toBe(200)
    for (const path of tokens`
      /validate /api/v1.1 /api/v1x1/validate /api/v1.1validate /api/v1.1/api/v1.1/qr`) {
      const response = await post(path, DRAFT, {}, fetch)
      expect(response.status, path).toBe(404)
      expect((await detailOf(response)).allowed).toContain('POST /api/v1.1/validate')
    }
  })

  it('accept their methods and list them otherwise', async () => {
    for (const [paths, allow] of [
      [POSTS, 'POST, OPTIONS'],
      [GETS, 'GET, HEAD, OPTIONS'],
    ] as const)
      for (const path of paths)
        for (const method of tokens`GET HEAD POST PUT DELETE PATCH PROPFIND patch QUERY X-1`) {
          const allowed = allow.split(', ').includes(method)
          const body = method === 'POST' ? bodyFor(path) : null
          const response = await fixed(new Request(HOST + path, { method, headers: JSON_TYPE, body }))
          expect(response.status, `${method} ${path}`).toBe(allowed ? 200 : 405)
          if (allowed) continue
          expect(response.headers.get('allow')).toBe(allow)
          if (method === 'HEAD') expect(await response.text()).toBe('')
          else
            expect(await detailOf(response)).toMatchObject({ code: 'method_not_allowed', received: method })
        }
  })
})

describe('query', () => {
  const refused = async (path: string) => {
    const response = await (path.startsWith('/cat') || path.startsWith('/health') ? get(path) : post(path))
    expect(response.status, path).toBe(422)
    const detail = await detailOf(response)
    expect(detail.code).toBe('request_validation_error')
    return detail
  }

  it('unknown parameters are refused with the list of known ones', async () => {
    expect(await refused('/validate?opreation=issue')).toMatchObject({
      parameter: 'opreation',
      allowed: ['operation', 'today', 'locale', 'totals', 'explain'],
    })
    expect(await refused('/explain?explain=true')).toMatchObject({ parameter: 'explain' })
    expect(await refused('/catalogs/units?locale=es')).toMatchObject({ parameter: 'locale', allowed: ['on'] })
    expect(await refused('/health?x')).toMatchObject({ parameter: 'x', allowed: [] })
    for (const name of ['__proto__', 'constructor', 'toString', 'OPERATION', '', ' today'])
      expect((await refused(`/validate?${encodeURIComponent(name)}=1`)).parameter).toBe(name)
  })

  it('repeated parameters are refused, even with the same value', async () => {
    expect(await refused('/validate?today=2026-01-01&today=2026-01-01')).toMatchObject({ parameter: 'today' })
    expect(await refused('/catalogs/tax-rates?on=2026-01-01&o%6e=2026-01-01')).toMatchObject({
      parameter: 'on',
    })
  })

  it.each([
    ['/validate', 'operation', 'drafts', 'draft'],
    ['/validate', 'operation', '', 'issue'],
    ['/validate', 'today', '2026-02-29', 'YYYY-MM-DD'],
    ['/validate', 'locale', 'ES', 'es'],
    ['/validate', 'totals', 'checked', 'check'],
    ['/validate', 'explain', '1', 'true'],
    ['/qr', 'environment', 'prod', 'production'],
    ['/qr', 'verifiable', 'yes', 'true'],
    ['/qr', 'size', '29.9', '30-40'],
    ['/qr', 'size', '3e1', '30-40'],
    ['/qr', 'size', 'Infinity', '30-40'],
    ['/qr', 'quiet_zone', '4.5', '4-100'],
    ['/qr', 'legend', 'medium', 'long'],
    ['/qr', 'font_size', '13', '6-12'],
    ['/catalogs/tax-rates', 'on', '2026-13-01', 'YYYY-MM-DD'],
  ])('%s?%s=%s', async (path, parameter, received, allowed) => {
    const detail = await refused(`${path}?${parameter}=${received}`)
    expect(detail).toMatchObject({ parameter, received })
    expect(detail.allowed).toContain(allowed)
  })

  it('the bounds of the drawing are those of the engine', async () => {
    const taken = 'size=30&quiet_zone=100&legend=short&font_size=12'
    const other =
      'size=40&quiet_zone=4&legend=false&font_size=6&environment=test&verifiable=false&operation=import'
    for (const query of [taken, other]) expect((await post(`/qr?${query}`, NUMBERED)).status, query).toBe(200)
  })

  it('a long name is shown truncated', async () => {
    const detail = await refused(`/validate?${'x'.repeat(5000)}=1`)
    expect(JSON.stringify(detail).length).toBeLessThan(500)
  })
})

describe('media types', () => {
  it.each([
    ['application/json', 200],
    ['Application/JSON; Charset=UTF-8', 200],
    ['application/json;charset="utf-8"', 200],
    ['application/vnd.factura+json', 200],
    ['application/json; profile=x', 200],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json, application/json', 415],
    ['application/jsonp', 415],
    ['text/json', 415],
    ['text/plain', 415],
    ['', 415],
  ])('%s: %i', async (type, status) => {
    const headers = new Headers(type ? { 'content-type': type } : {})
    const body = new TextEncoder().encode(DRAFT)
    const response = await fixed(new Request(`${HOST}/validate`, { method: 'POST', headers, body }))
    expect(response.status).toBe(status)
    if (status === 415) expect((await detailOf(response)).expected).toBe('application/json')
  })

  it('compressed bodies are refused, with the accepted encoding', async () => {
    for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip']) {
      const response = await post('/validate', DRAFT, { 'content-encoding': coding })
      expect(response.status, coding).toBe(415)
      expect(response.headers.get('accept-encoding')).toBe('identity')
      expect(await detailOf(response)).toMatchObject({ received: coding, expected: 'identity' })
    }
    for (const coding of ['identity', 'Identity', ''])
      expect((await post('/validate', DRAFT, { 'content-encoding': coding })).status).toBe(200)
    // Blanks that HTTP does not remove, in any number.
    for (const blanks of ['\u00a0', '\u00a0'.repeat(100_000)])
      for (const rest of ['', 'x', 'identity'])
        expect((await post('/validate', DRAFT, { 'content-encoding': blanks + rest })).status).toBe(415)
  })
})

describe('options of the handler', () => {
  it.each([
    { basePath: 'api' },
    { basePath: '/api/' },
    { basePath: '/a b' },
    { basePath: 1 },
    { origins: 'https://a.example' },
    { origins: ['https://a.example/'] },
    { origins: ['a.example'] },
    { origins: [1] },
    { maxBytes: 0 },
    { maxBytes: 1.5 },
    { maxBytes: '10' },
    { company: [] },
    { company: 'B12345674' },
    { clock: 0 },
    { requestId: 'x' },
    { base_path: '/api' },
  ])('%o is refused at once', (options) => {
    expect(() => createHandler(options as never)).toThrow(TypeError)
    expect(() => createHandler(options as never)).toThrow(/^cuadra: /)
  })
})
