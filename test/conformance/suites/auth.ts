/** Authentication: key, plan, address, rate and scope, and the order of the checks. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { SCOPES } from 'cuadra-server/service/access/call.ts'
import { beforeAll, describe, expect } from 'vitest'
import { startServer, type TestServer } from '../harness.ts'
import { type Document, draft, nextRef } from '../invoices.ts'
import { requestFor, SOME_ID } from '../requests.ts'
import { ADDED, SPECIFIED } from '../specification.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const clock = createClock()
const DAY = 86_400_000
const dayFromNow = (days: number): string => createClock(() => Date.now() + days * DAY).today()

/** The id in a key, which names its row. */
const keyIdOf = (key: string): string => key.split('.')[1] ?? ''

export function authSuite(server: () => TestServer): void {
  const { call, change } = stepsOf(server)
  const it = itWithCompany(server)
  /** A second process on the same store, which trusts a proxy on this machine. */
  let second: TestServer
  beforeAll(async () => {
    const { dataDir, databaseUrl } = server()
    second = await startServer({
      store: databaseUrl ? 'postgres' : 'sqlite',
      dataDir,
      ...(databaseUrl ? { databaseUrl } : {}),
      env: { CUADRA_TRUST_PROXY: '127.0.0.0/8, ::1, 10.9.0.0/16' },
    })
  }, 60_000)

  const changeKey = (companyId: string, key: string, changes: Record<string, string | number | null>) =>
    change(companyId, 'api_keys', changes, { key_id: keyIdOf(key) })
  const changeCompany = async (companyId: string, change: (data: Document) => void) => {
    await server().transaction(async (all) => {
      const tx = all.of(companyId)
      const { data } = await tx.select('companies').select('data').executeTakeFirstOrThrow()
      const changed = JSON.parse(data)
      change(changed)
      await tx.changing('companies', { data: JSON.stringify(changed) }).execute()
    })
  }
  const refusal = async (
    key: string | undefined,
    method = 'GET',
    path = '/company',
    from = server(),
    headers: Record<string, string> = {},
  ) => {
    const { status, json } = await from.call(method, path, { ...(key === undefined ? {} : { key }), headers })
    return status < 400 ? status : `${status} ${json.detail.code}`
  }

  describe('key', () => {
    it('a request without a key is 401 on every route but /health', async () => {
      for (const route of ROUTES) {
        const { method, path, ...request } = requestFor(route)
        const { status, json } = await call(method, path, request)
        if (route.path === '/health') expect(status).toBe(200)
        else
          expect(`${route.method} ${route.path} ${status} ${json.detail.code}`).toBe(
            `${route.method} ${route.path} 401 unauthorized`,
          )
      }
    })

    it('/health needs no key, at the root and under the base path', async () => {
      expect((await call('GET', '/health')).json).toEqual({ status: 'ok' })
      expect(await (await fetch(`${server().url}/health`)).json()).toEqual({ status: 'ok' })
    })

    it('a key that is malformed, unknown, or has the secret or the company of another is 401', async () => {
      const one = await server().company()
      const other = await server().company()
      expect(await refusal(one.key)).toBe(200)
      const [company = '', id = '', secret = ''] = one.key.split('.')
      const [otherCompany = '', otherId = '', otherSecret = ''] = other.key.split('.')
      const wrong = [
        '',
        ' ',
        'cuadra_',
        'x',
        one.key.slice(0, -1),
        `${one.key}A`,
        one.key.toLowerCase(),
        `Bearer ${one.key}`,
        `${one.key}, ${one.key}`,
        `${company}.${id}.${otherSecret}`,
        `${company}.${otherId}.${otherSecret}`,
        `${otherCompany}.${id}.${secret}`,
        `${company}.${'A'.repeat(12)}.${secret}`,
        `cuadra_${'A'.repeat(22)}.${id}.${secret}`,
        `${company}.${id}.${'A'.repeat(43)}`,
        "' or 1=1 --",
        '../../etc/passwd',
        'ñ'.repeat(40),
        'A'.repeat(8000),
      ]
      for (const key of wrong) expect(`${key}: ${await refusal(key)}`).toBe(`${key}: 401 unauthorized`)
    })

    it('a revoked key is 401', async ({ key, companyId: id }) => {
      expect(await refusal(key)).toBe(200)
      await changeKey(id, key, { revoked_at: clock.stamp() })
      expect(await refusal(key)).toBe('401 unauthorized')
    })

    it('a key is refused from its day of expiry on', async ({ companyId: id }) => {
      const { key, store } = server()
      expect(await refusal(await key(id, { scopes: ['*'], expires: dayFromNow(1) }))).toBe(200)
      expect(await refusal(await key(id, { scopes: ['*'], expires: dayFromNow(0) }))).toBe('401 unauthorized')
      expect(await refusal(await key(id, { scopes: ['*'], expires: dayFromNow(-1) }))).toBe(
        '401 unauthorized',
      )
      // The stored row contains neither the secret nor anything that reveals it.
      const rows = await (await store()).of(id).select('api_keys').selectAll().execute()
      const own = await key(id, { scopes: ['*'] })
      const secret = own.split('.')[2] ?? ''
      expect(JSON.stringify(rows)).not.toContain(secret)
      const stored = await (await store())
        .of(id)
        .find('api_keys', { key_id: keyIdOf(own) })
        .select('secret_hash')
        .executeTakeFirstOrThrow()
      expect(stored.secret_hash).toBe(createHash('sha256').update(secret).digest('hex'))
    })

    it('the keys of an inactive company are 401', async ({ key, companyId: id }) => {
      expect(await refusal(key)).toBe(200)
      await changeCompany(id, (data) => {
        data.is_active = false
      })
      expect(await refusal(key)).toBe('401 unauthorized')
    })
  })

  it('a plan without the API is 402 on every route, for that company only', async () => {
    const poor = await server().company({ plan: { api: false } })
    const other = await server().company()
    for (const route of ROUTES.filter(({ authenticated }) => authenticated !== false)) {
      const { method, path, ...request } = requestFor(route)
      const { status, json } = await call(method, path, { ...request, key: poor.key })
      expect(`${route.path} ${status} ${json.detail.code}`).toBe(`${route.path} 402 feature_outside_plan`)
      expect(json.detail.feature).toBe('api')
    }
    expect(await refusal(other.key)).toBe(200)
  })

  describe('addresses', () => {
    it('a key with an address list works only from its addresses and ranges', async ({ companyId: id }) => {
      const { key } = server()
      const cases: [string[], unknown][] = [
        [['127.0.0.1'], 200],
        [['127.0.0.0/8'], 200],
        [['::ffff:127.0.0.1'], 200],
        [['2001:db8::/32', '127.0.0.1/32'], 200],
        [['0.0.0.0/0'], 200],
        [['192.0.2.7'], '403 ip_forbidden'],
        [['126.0.0.0/8', '128.0.0.0/8'], '403 ip_forbidden'],
        [['2001:db8::/32'], '403 ip_forbidden'],
        [['::1'], '403 ip_forbidden'],
      ]
      for (const [allowIps, expected] of cases)
        expect([allowIps, await refusal(await key(id, { scopes: ['*'], allowIps }))]).toEqual([
          allowIps,
          expected,
        ])
    })

    it('X-Forwarded-For is ignored unless the proxy is trusted', async ({ companyId: id }) => {
      const key = await server().key(id, { scopes: ['*'], allowIps: ['192.0.2.0/24', '2001:db8::/32'] })
      expect(await refusal(key, 'GET', '/company', server(), { 'X-Forwarded-For': '192.0.2.7' })).toBe(
        '403 ip_forbidden',
      )
      const behind = (forwarded: string) =>
        refusal(key, 'GET', '/company', second, { 'X-Forwarded-For': forwarded })
      expect(await behind('192.0.2.7')).toBe(200)
      expect(await behind('::ffff:192.0.2.7')).toBe(200)
      expect(await behind('192.0.2.7:4711')).toBe(200)
      expect(await behind('2001:db8::7')).toBe(200)
      expect(await behind('[2001:db8::7]:443')).toBe(200)
      expect(await behind('192.0.2.7, 10.9.1.1, 127.0.0.1')).toBe(200)
      // Entries of the client come before those of the proxy.
      expect(await behind('192.0.2.7, 198.51.100.1')).toBe('403 ip_forbidden')
      expect(await behind('198.51.100.1')).toBe('403 ip_forbidden')
      expect(await behind('2001:db9::7')).toBe('403 ip_forbidden')
      expect(await behind('192.0.2.7, nonsense')).toBe('403 ip_forbidden')
      expect(await refusal(key, 'GET', '/company', second)).toBe('403 ip_forbidden')
    })

    it('the response names the refused address', async ({ companyId: id }) => {
      const key = await server().key(id, { scopes: ['*'], allowIps: ['192.0.2.7'] })
      const { json } = await second.call('GET', '/company', {
        key,
        headers: { 'X-Forwarded-For': '198.51.100.1' },
      })
      expect(json.detail.address).toBe('198.51.100.1')
    })
  })

  describe('rate', () => {
    it('the RateLimit headers of the IETF draft report the remaining requests before the refusal', async () => {
      const { id } = await server().company()
      const key = await server().key(id, { scopes: ['*'], rate: 3 })
      const seen: string[] = []
      for (let i = 0; i < 4; i++) {
        const { status, headers } = await call('GET', '/company', { key })
        expect(headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
        const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
        seen.push(`${status} ${left}`)
        expect(Number(seconds)).toBeGreaterThan(0)
        expect(Number(seconds)).toBeLessThanOrEqual(60)
      }
      expect(seen).toEqual(['200 2', '200 1', '200 0', '429 0'])
      const unlimited = await server().company()
      expect((await call('GET', '/company', unlimited)).headers.get('ratelimit')).toBeNull()
    })

    it('a rate holds exactly over two processes', async ({ companyId: id }) => {
      const key = await server().key(id, { scopes: ['*'], rate: 6 })
      const started = Date.now()
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 ? second : server()).call('GET', '/company', { key })),
      )
      const refilled = Math.floor((Date.now() - started) / 10_000)
      const passed = answers.filter(({ status }) => status === 200)
      expect(passed.length).toBeGreaterThanOrEqual(6)
      expect(passed.length).toBeLessThanOrEqual(6 + refilled)
      for (const { status, json, headers } of answers) {
        if (status === 200) continue
        expect(`${status} ${json.detail.code}`).toBe('429 rate_limited')
        const seconds = Number(headers.get('retry-after'))
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 10).toBe(true)
        expect(json.detail).toMatchObject({ limit: 6, retry_after: seconds })
      }
    })

    it('after Retry-After the next request passes, and other keys of the company never wait', async () => {
      const { id, key: other } = await server().company()
      const key = await server().key(id, { scopes: ['*'], rate: 60 })
      let refused: Headers | undefined
      for (let n = 0; n < 200 && !refused; n++) {
        const { status, headers } = await call('GET', '/company', { key })
        if (status === 429) refused = headers
      }
      expect(refused?.get('retry-after')).toBe('1')
      expect(await refusal(other)).toBe(200)
      await sleep(Number(refused?.get('retry-after')) * 1000)
      expect(await refusal(key, 'GET', '/company', second)).toBe(200)
    })

    it('many concurrent requests do not use up a large rate', async ({ companyId: id }) => {
      const key = await server().key(id, { scopes: ['*'], rate: 6000 })
      const answers = await Promise.all(Array.from({ length: 150 }, () => refusal(key)))
      expect(answers.filter((one) => one !== 200)).toEqual([])
      const own = (await server().store()).of(id)
      const { tokens } = await own.select('rate_buckets').select('tokens').executeTakeFirstOrThrow()
      expect(6000 - tokens).toBeLessThanOrEqual(240)
    })
  })

  describe('scopes', () => {
    const keyed = ROUTES.filter(({ authenticated }) => authenticated !== false)
    const specified = new Map(
      [...SPECIFIED, ...ADDED].map(({ method, path, scope }) => [`${method} ${path}`, scope]),
    )

    it('every route declares the scope of the specification', () => {
      for (const { method, path, scope } of keyed)
        expect(specified.get(`${method} ${path}`), `${method} ${path}: specification.ts, ADDED`).toBe(scope)
    })

    it('every route refuses a key that has every other scope', async ({ companyId: id }) => {
      const keys = new Map<string, string>()
      for (const scope of SCOPES) {
        const others = SCOPES.filter((one) => one !== scope && one !== '*')
        keys.set(scope, await server().key(id, { scopes: others }))
      }
      for (const route of keyed) {
        if (route.scope === null) continue
        const { method, path, ...request } = requestFor(route)
        const { status, json } = await call(method, path, {
          ...request,
          key: keys.get(route.scope) ?? '',
        })
        expect(`${method} ${path} ${status} ${json?.detail?.code} ${json?.detail?.missing}`).toBe(
          `${method} ${path} 403 scope_missing ${route.scope}`,
        )
      }
    })

    it('every route accepts a key with its scope only, and one with full access', async () => {
      const { id, key: full } = await server().company()
      const keys = new Map<string | null, string>([[null, await server().key(id, { scopes: [] })]])
      for (const scope of SCOPES) keys.set(scope, await server().key(id, { scopes: [scope] }))
      for (const route of keyed) {
        const { method, path, ...request } = requestFor(route)
        for (const key of [keys.get(route.scope) ?? '', full]) {
          const { status, json } = await call(method, path, { ...request, key })
          expect([401, 402, 429], `${method} ${path}`).not.toContain(status)
          expect(json?.detail?.code, `${method} ${path}`).not.toBe('scope_missing')
          expect(status, `${method} ${path}`).toBeLessThan(500)
        }
      }
    })
  })

  it('checks run in their order, so that the first of two mistakes is reported', async () => {
    const { id, data } = await server().company({ plan: { api: false } })
    const key = await server().key(id, { scopes: ['invoices:read'], allowIps: ['192.0.2.7'], rate: 1 })
    await server().transaction((tx) =>
      tx.of(id).insert('rate_buckets', { key_id: keyIdOf(key), tokens: 0, updated_ms: Date.now() + 60_000 }),
    )
    const wrong = draft({ taxId: 'B12345674' })
    wrong.schema_version = 'json_9'
    wrong.invoice.header = { invoice_type_code: '01', is_simplified: false, invoice_number: 'X1' }
    wrong.invoice.issue_data.issue_date = '2026-01-01'
    wrong.invoice.unknown_block = {}
    let query = `?unknown=1&invoice_id=${SOME_ID}`
    let headers: Record<string, string> = { 'X-API-Key': 'cuadra_wrong', 'Content-Type': 'text/plain' }
    let body: unknown = 'x'.repeat(5 * 1024 * 1024)
    let path = '/no-such-route'
    let method = 'PATCH'
    const steps: [string, () => unknown][] = [
      ['404 not_found', () => {}],
      ['405 method_not_allowed', () => (path = '/drafts')],
      ['401 unauthorized', () => (method = 'PUT')],
      ['402 feature_outside_plan', () => (headers = { ...headers, 'X-API-Key': key })],
      ['403 ip_forbidden', () => changeCompany(id, (company) => (company.plan.api = true))],
      ['429 rate_limited', () => changeKey(id, key, { allow_ips: '[]' })],
      ['403 scope_missing', () => changeKey(id, key, { rate_per_minute: null })],
      ['422 request_validation_error unknown', () => changeKey(id, key, { scopes: '["invoices:write"]' })],
      ['415 unsupported_media_type', () => (query = `?invoice_id=${SOME_ID}`)],
      ['413 payload_too_large', () => (headers = { ...headers, 'Content-Type': 'application/json' })],
      ['422 request_validation_error', () => (body = '{')],
      ['422 unsupported_schema_version', () => (body = wrong)],
      ['422 inferred_fields_not_allowed', () => (wrong.schema_version = 'json_1_1')],
      [
        '422 missing_required_fields',
        () => (wrong.invoice.header = { invoice_type_code: '01', invoice_number: 'X1' }),
      ],
      ['422 invoice_number_not_allowed', () => (wrong.invoice.header.invoice_series_code = 'F')],
      ['422 issue_date_not_allowed', () => delete wrong.invoice.header.invoice_number],
      ['422 schema_validation_failed', () => delete wrong.invoice.issue_data.issue_date],
      ['422 issuer_tax_id_mismatch', () => delete wrong.invoice.unknown_block],
      ['404 invoice_not_found', () => (wrong.invoice.supplier.tax_id = data.tax_id)],
      ['201', () => (query = '')],
    ]
    for (const [expected, fix] of steps) {
      await fix()
      const { status, json } = await call(method, path + query, { body, headers })
      const parameter = json?.detail?.parameter ? ` ${json.detail.parameter}` : ''
      expect(status < 400 ? String(status) : `${status} ${json.detail.code}${parameter}`).toBe(expected)
    }
  })

  describe('request ids', () => {
    it('a valid request id of the client is returned in header and error, and an invalid one is replaced', async () => {
      const { key } = await server().company()
      const sane = `order-4711:${nextRef()}`
      const ok = await call('GET', '/company', { key, headers: { 'X-Request-Id': sane } })
      expect(ok.headers.get('x-request-id')).toBe(sane)
      const refused = await call('GET', '/company', { headers: { 'X-Request-Id': sane } })
      expect(refused.json.detail.request_id).toBe(sane)
      for (const insane of ['a b', 'x'.repeat(129), '"><script>', 'a,b']) {
        const { headers } = await call('GET', '/company', {
          key,
          headers: { 'X-Request-Id': insane },
        })
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      }
    })
  })
}
