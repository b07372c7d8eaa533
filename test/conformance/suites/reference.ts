/** What every key may read, and the responses to unknown addresses, methods and parameters. */
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { CODES } from 'cuadra-server/errors/error-codes.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

export function referenceSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  it('a refusal names the page about its code, and every code has a page in both languages', async () => {
    for (const [language, start] of [
      ['en', ''],
      ['es', '/es'],
    ] as const) {
      const { json } = await call('GET', '/company', { headers: { 'Accept-Language': language } })
      expect(json.detail.doc_url).toBe(`${start}/codes/unauthorized`)
      for (const code of Object.keys(CODES))
        expect([code, (await fetch(`${server().url}${start}/codes/${code}`)).status]).toEqual([code, 200])
    }
  })

  it('GET /company shows the company of the key, with every field of the specification', async () => {
    const { key, id, data } = await server().company({
      name: 'Pruebas',
      legal_name: 'Empresa de Pruebas, S.L.',
      contact_name: 'Ana Prueba',
      contact_email: 'ana@pruebas.example',
      contact_phone: '910000000',
      features: ['api', 'drafts'],
      plan: { name: 'basic' },
      fiscal_systems: { verifactu_in_plan: true, sii_in_plan: false },
    })
    const { status, json } = await call('GET', '/company', { key })
    expect(status).toBe(200)
    expect(json).toEqual({
      id,
      name: 'Pruebas',
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: data.tax_id,
      country: 'ES',
      currency: 'EUR',
      contact_name: 'Ana Prueba',
      contact_email: 'ana@pruebas.example',
      contact_phone: '910000000',
      address: {
        line: 'Calle Mayor, 1',
        post_code: '28013',
        town: 'Madrid',
        province_code: 'ES-M',
        province_id: 28,
      },
      is_active: true,
      person_type_code: 'J',
      default_tax_group: 'IVA',
      plan: 'basic',
      features: ['api', 'drafts'],
      fiscal_systems: { ticketbai_active: false, verifactu_in_plan: true, sii_in_plan: false },
    })
  })

  it('serves a page for every code of its rules and refusals in both languages, with the law and without scripts', async () => {
    const page = async (path: string) => {
      const answer = await fetch(`${server().url}${path}`)
      return { status: answer.status, text: await answer.text() }
    }
    const index = await page('/codes')
    expect(index.status).toBe(200)
    const codes = [...index.text.matchAll(/<li><a href="\/codes\/([\w.]+)">/g)].map(([, code]) => code)
    expect(codes).toEqual(expect.arrayContaining(['tax_rate_unknown', 'schema.required', 'unauthorized']))
    for (const code of codes) {
      const [english, spanish] = await Promise.all([page(`/codes/${code}`), page(`/es/codes/${code}`)])
      expect([code, english.status, spanish.status]).toEqual([code, 200, 200])
      expect(english.text).toContain(`<h1>${code}</h1>`)
      expect(english.text + spanish.text).not.toContain('<script')
    }
    expect((await page('/es/codes/tax_rate_unknown')).text).toContain('Base legal: ')
    expect((await page('/codes/no_such_code')).status).toBe(404)
  })

  it('GET /companies lists that company only', async () => {
    await server().company()
    const { key } = await server().company()
    const { json: one } = await call('GET', '/company', { key })
    expect((await call('GET', '/companies', { key })).json).toEqual([one])
  })

  it('an unknown address is 404 not_found, with and without a key', async ({ key }) => {
    for (const path of ['/invoices', '/drafts/x/y/z', '/catalogs', '/webhooks', '/']) {
      for (const request of [{}, { key }]) {
        const { status, json } = await call('GET', path, request)
        expect(`${path} ${status} ${json.detail.code}`).toBe(`${path} 404 not_found`)
      }
    }
    const outside = await fetch(`${server().url}/api/v1/company`, { headers: { 'X-API-Key': key } })
    expect([outside.status, (await outside.json()).detail.code]).toEqual([404, 'not_found'])
  })

  it('a method that an address does not have is 405 with Allow', async () => {
    for (const path of new Set(ROUTES.map((route) => route.path))) {
      const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method.toUpperCase())
      const address = path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
      const { status, json, headers } = await call('PATCH', address)
      expect(`${path} ${status} ${json.detail.code}`).toBe(`${path} 405 method_not_allowed`)
      const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
      expect((headers.get('allow') ?? '').split(', ').sort()).toEqual([...allowed].sort())
    }
  })

  it('HEAD responds like GET, without a body', async ({ key }) => {
    for (const path of ['/company', '/drafts', '/catalogs/units']) {
      const head = await call('HEAD', path, { key })
      expect(`${path} ${head.status} "${head.text}"`).toBe(`${path} 200 ""`)
      expect(head.headers.get('content-type')).toContain('application/json')
    }
  })

  it('unknown, repeated, out-of-range and invalid parameters are 422', async ({ key }) => {
    const wrong = [
      'unknown=1',
      'limit=0',
      'limit=501',
      'limit=-1',
      'limit=1.5',
      'limit=1e2',
      'limit=',
      'limit=x',
      'limit=1&limit=2',
      'offset=-1',
      'issue_date_from=2026-02-30',
      'issue_date_to=today',
      'series=',
      `series=${'S'.repeat(61)}`,
      '__proto__=1',
      'constructor=1',
      'toString=1',
    ]
    for (const query of wrong) {
      const { status, json } = await call('GET', `/drafts?${query}`, { key })
      expect(`${query} ${status} ${json.detail?.code}`).toBe(`${query} 422 request_validation_error`)
    }
    for (const query of [
      'limit=1',
      'limit=500',
      'offset=2000000000',
      'issue_date_from=2024-02-29',
      "series=' or 1=1 --",
      'series=A\u0007B',
    ]) {
      const { status } = await call('GET', `/drafts?${encodeURI(query)}`, { key })
      expect(`${query} ${status}`).toBe(`${query} 200`)
    }
  })

  it('refusals are in the language that the client requests', async () => {
    const { json: spanish, headers } = await call('GET', '/company', {
      headers: { 'Accept-Language': 'es-ES,es;q=0.9' },
    })
    expect(headers.get('content-language')).toBe('es')
    expect(spanish.detail.message).toMatch(/^La clave de API/)
    const { json: english } = await call('GET', '/company', { headers: { 'Accept-Language': 'fr' } })
    expect(english.detail.message).toMatch(/^The API key/)
  })

  it('problems of a body are in that language too, with the allowed values', async ({ key }) => {
    const detailOf = async (language: string, body: unknown) =>
      (
        await call('PUT', '/verifactu/config', {
          key,
          body,
          headers: { 'Accept-Language': language },
        })
      ).json.detail
    expect(await detailOf('es', { mode: 'off' })).toMatchObject({
      message: 'Petición no válida: mode es «off». Envíe «verifactu» o «no_verifactu».',
      errors: [
        {
          source: 'schema',
          code: 'schema.enum',
          message: 'mode es «off». Envíe «verifactu» o «no_verifactu».',
          path: '/mode',
          extra: { allowed: ['verifactu', 'no_verifactu'], received: 'off' },
          severity: 'error',
        },
      ],
    })
    expect((await detailOf('en', { sandbox: 'yes' })).message).toBe(
      'Invalid request: sandbox is a string. Send a boolean (true or false).',
    )
    const { errors } = await detailOf('es', { 'a/b': 1, sandbox: null })
    expect(errors.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
      '/a~1b schema.additional_properties',
      '/sandbox schema.type',
    ])
    expect(errors[0].message).toContain('Campos que existen: mode,')
    expect(errors[0].extra.allowed).toContain('sandbox')
  })

  it('all invalid parameters of a query are reported at once, as items like those of bodies', async () => {
    const { key } = await server().company()
    const { json } = await call('GET', '/drafts?limit=0&colour=red&offset=x', { key })
    const { errors, ...detail } = json.detail
    expect(detail).toMatchObject({ code: 'request_validation_error', parameter: 'limit', received: '0' })
    expect(errors.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
      '?limit schema.pattern',
      '?colour schema.additional_properties',
      '?offset schema.pattern',
    ])
    expect(errors[1]).toMatchObject({ source: 'schema', severity: 'error' })
    expect(errors[1].message).toContain('limit')
    const month = await call('GET', '/verifactu/aeat-records?period=2026', { key })
    expect(month.json.detail).toMatchObject({ allowed: 'YYYY-MM', received: '2026' })
  })

  it('the pages for people are served, and no other files of the machine', async () => {
    const get = (path: string) => fetch(`${server().url}${path}`)
    expect((await (await get('/openapi.json')).json()).openapi).toMatch(/^3\.1/)
    expect(await (await get('/docs')).text()).toContain('/pages/reference.js')
    for (const script of ['/pages/reference.js', '/docs/scalar.js'])
      expect((await get(script)).headers.get('content-type')).toContain('javascript')
    expect(await (await get('/metrics')).text()).toContain('cuadra_http_request_duration_seconds')
    const home = (await get('/')).headers
    expect(home.get('content-type')).toContain('text/html')
    for (const page of [home, (await get('/docs')).headers])
      expect(page.get('content-security-policy'), 'no page of others shows it').toContain(
        "frame-ancestors 'none'",
      )
    for (const path of [
      '/%2e%2e/main.js',
      '/assets/../../main.js',
      '/assets/..%2f..%2fpackage.json',
      '/.env',
      '/data/cuadra.db',
    ]) {
      expect(`${path} ${(await get(path)).status}`).toBe(`${path} 404`)
    }
  })

  it('texts over 1 KB are compressed as the client accepts, with tags', async ({ key }) => {
    const raw = (path: string, headers: Record<string, string>) =>
      new Promise<{ status?: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>(
        (done, fail) => {
          request(`${server().url}${path}`, { headers }, (answer) => {
            const pieces: Buffer[] = []
            answer.on('data', (chunk) => pieces.push(chunk))
            answer.on('end', () =>
              done({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) }),
            )
          })
            .on('error', fail)
            .end()
        },
      )
    const plain = await raw('/openapi.json', {})
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [coding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await raw('/openapi.json', { 'Accept-Encoding': `${coding}, identity;q=0.5` })
      expect(packed.headers['content-encoding']).toBe(coding)
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5)
      const again = await raw('/openapi.json', {
        'Accept-Encoding': coding,
        'If-None-Match': String(packed.headers.etag),
      })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
    }
    const refused = await raw('/openapi.json', { 'Accept-Encoding': 'gzip;q=0, br;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
    const pages = ['/docs', '/pages/reference.js', '/status']
    for (const path of pages) expect((await raw(path, {})).headers.etag, path).toBeTruthy()
    const list = await raw('/api/v1.1/catalogs/countries', { 'X-API-Key': key, 'Accept-Encoding': 'gzip' })
    expect(list.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(list.bytes).toString()).length).toBeGreaterThan(100)
    const short = await raw('/health', { 'Accept-Encoding': 'gzip' })
    expect(short.headers['content-encoding']).toBeUndefined()
  })

  it('the metrics name route patterns, and contain no value that a client sent', async ({ key }) => {
    await call('GET', '/drafts/6f1f1fae-3b19-4ab5-9c2a-000000000001?', { key })
    await call('GET', '/catalogs/B12345674', { key })
    const text = await (await fetch(`${server().url}/metrics`)).text()
    expect(text).toContain('/drafts/{invoice_id}')
    expect(text).not.toContain('6f1f1fae')
    expect(text).not.toContain('B12345674')
    await fetch(`${server().url}/api/v1.1/company`, { method: 'OPTIONS' })
    await fetch(`${server().url}/api/v1.1/company`, { method: 'PROPFIND' })
    const methods = new Set(
      [...(await (await fetch(`${server().url}/metrics`)).text()).matchAll(/method="(\w+)"/g)].map(
        (m) => m[1],
      ),
    )
    expect([...methods].filter((name) => !/^(?:GET|HEAD|PUT|POST|DELETE|other)$/.test(name ?? ''))).toEqual(
      [],
    )
  })
}
