/** The responses equal the results of the engine, byte for byte. */
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { ExplanationRow, Options, ValidationResult } from '#engine/index.ts'
import {
  CATALOG_NAMES,
  catalog,
  createHandler,
  explain,
  invoiceQr,
  QR_LEGENDS,
  reconcile,
  validate,
} from '#entry/edge/index.ts'
import { goldenInvoices } from '../../engine/golden-invoices.ts'
import { sized } from '../../size.ts'
import { DRAFT, detailOf, FIXED, get, NUMBERED, post, ROOT, read, TODAY } from './ask.ts'

interface Sent {
  readonly name: string
  readonly document: unknown
  readonly options: Options
}

const cases: Sent[] = readdirSync(new URL('test/cases/', ROOT))
  .filter((name) => existsSync(new URL(`test/cases/${name}/input.json`, ROOT)))
  .map((name) => {
    const file = `test/cases/${name}/options.json`
    const { exchange_rate: _, ...options } = existsSync(new URL(file, ROOT)) ? JSON.parse(read(file)) : {}
    return { name, document: JSON.parse(read(`test/cases/${name}/input.json`)), options }
  })

const golden: Sent[] = goldenInvoices().map(({ name, invoice }) => ({
  name: `${name} (normalised)`,
  document: invoice,
  options: { operation: 'issue' },
}))

const isForeignVersion = (document: unknown): boolean => {
  const version = (document as { schema_version?: unknown }).schema_version
  return version !== undefined && version !== 'json_1_1'
}

/** The query of options; the company is the deployer's to say. */
const queryOf = ({ company: _, ...options }: Options): string =>
  new URLSearchParams(options as never).toString()

const fetchFor = ({ company }: Options) => createHandler({ ...FIXED, ...(company ? { company } : {}) }).fetch

describe.each(['en', 'es'] as const)('golden cases, %s', (locale) => {
  const every = sized(8, 1)
  const documents = [...cases, ...golden].filter((_, index) => index % every === 0)

  it(`${documents.length} documents: validate, explain, reconcile`, async () => {
    let equal = 0
    for (const { name, document, options } of documents) {
      const stated = { today: TODAY, ...options, locale }
      const query = queryOf({ ...options, locale })
      const fetch = fetchFor(options)
      const ask = (path: string) => post(`${path}?${query}`, JSON.stringify(document), {}, fetch)
      const validated = validate(document, stated)
      if (isForeignVersion(document)) {
        for (const path of ['/validate', '/explain', '/reconcile'])
          expect((await ask(path)).status, name).toBe(422)
        continue
      }
      const response = await ask('/validate')
      expect(response.status, name).toBe(200)
      expect(await response.text(), name).toBe(JSON.stringify(validated))
      const explained = await ask('/explain')
      const compared = await ask('/reconcile')
      if (validated.data) {
        expect(await explained.text(), name).toBe(JSON.stringify(explain(document, stated)))
        expect(await compared.text(), name).toBe(JSON.stringify(reconcile(document, stated)))
      } else
        for (const refused of [explained, compared]) {
          expect(refused.status, name).toBe(422)
          const { code, errors } = await detailOf(refused)
          expect(errors, name).toEqual(JSON.parse(JSON.stringify(validated.errors)))
          const shape = validated.errors.some((item) => item.source === 'schema')
          expect(code).toBe(shape ? 'schema_validation_failed' : 'validation_failed')
        }
      equal++
    }
    expect(equal).toBeGreaterThan(cases.length / every)
  })
})

describe('options', () => {
  it('uses the day in Madrid as today by default', async () => {
    const late = JSON.parse(NUMBERED)
    late.invoice.issue_data.issue_date = TODAY
    const codes = async (query: string) =>
      (await (await post(`/validate?operation=import${query}`, JSON.stringify(late))).json()).errors.map(
        (item: { code: string }) => item.code,
      )
    expect(await codes('')).not.toContain('future_issue_date')
    expect(await codes('&today=2026-03-04')).toContain('future_issue_date')
  })

  it('explain, totals and operation reach the engine', async () => {
    const answer: ValidationResult = await (await post('/validate?explain=true')).json()
    expect(answer.explanation?.length).toBeGreaterThan(5)
    const spanish: readonly ExplanationRow[] = await (await post('/explain?locale=es')).json()
    expect(spanish[0]?.rule).toBe('cantidad x precio, redondeado una vez')
    expect(await (await post('/validate?explain=false')).json()).not.toHaveProperty('explanation')
    const wrong = read('examples/wrong/everything-wrong.json')
    expect(await (await post('/validate?totals=check', wrong)).text()).toContain('totals_mismatch')
    expect(await (await post('/validate?operation=issue', wrong)).text()).toBe(
      JSON.stringify(validate(JSON.parse(wrong), { operation: 'issue', today: TODAY, locale: 'en' })),
    )
  })

  it('every route refuses an unsupported schema version and states the expected one', async () => {
    for (const path of ['/validate', '/explain', '/reconcile', '/qr'])
      for (const version of ['"json_2_0"', '1', 'null']) {
        const response = await post(path, `{"schema_version":${version}}`)
        expect(response.status).toBe(422)
        expect(await detailOf(response)).toMatchObject({
          code: 'unsupported_schema_version',
          expected: 'json_1_1',
        })
      }
    expect((await post('/validate', '{}')).status).toBe(200)
  })

  it('any JSON is validated', async () => {
    for (const text of ['null', '1', '"x"', '[]', '[[]]', 'true', '{"__proto__":{"is_valid":true}}']) {
      const response = await post('/validate', text)
      expect(response.status, text).toBe(200)
      expect(await response.text()).toBe(JSON.stringify(validate(JSON.parse(text), { today: TODAY })))
    }
  })
})

type Qr = ReturnType<typeof invoiceQr> & Pick<ValidationResult, 'errors'>

describe('QR code', () => {
  const wanted = required(invoiceQr(validate(JSON.parse(NUMBERED), { operation: 'issue', today: TODAY })).qr)

  it('has address, drawing and legends', async () => {
    const answer: Qr = await (await post('/qr', NUMBERED)).json()
    expect(answer).toEqual({ is_valid: true, errors: [], qr: JSON.parse(JSON.stringify(wanted)) })
    expect(answer.qr?.legends).toEqual(QR_LEGENDS)
  })

  it('is drawn with the requested options', async () => {
    const query = 'environment=test&verifiable=false&size=40&quiet_zone=8&legend=short&font_size=10'
    const { qr }: Qr = await (await post(`/qr?${query}`, NUMBERED)).json()
    const drawing = { size: 40, quietZone: 8, legend: 'short', fontSize: 10 } as const
    const options = { environment: 'test', verifiable: false, ...drawing } as const
    const answer = validate(JSON.parse(NUMBERED), { operation: 'issue', today: TODAY })
    expect(qr).toEqual(JSON.parse(JSON.stringify(invoiceQr(answer, options).qr)))
    expect(qr?.legends.below).toBeNull()
  })

  it.each([
    ['image/svg+xml', true],
    ['image/*', true],
    ['image/svg+xml, application/json;q=0.9', true],
    ['application/json, image/svg+xml;q=0.9', false],
    ['*/*', false],
    ['image/svg+xml, */*', false],
    ['text/html', false],
    ['image/svg+xml;q=0', false],
  ])('Accept: %s', async (accept, drawn) => {
    const response = await post('/qr', NUMBERED, { accept })
    expect(response.headers.get('content-type')).toBe(drawn ? 'image/svg+xml' : 'application/json')
    expect(response.headers.get('vary')).toBe('Accept, Accept-Language')
    const text = await response.text()
    if (drawn) expect(text).toBe(wanted.svg)
    else expect(JSON.parse(text).qr.svg).toBe(wanted.svg)
  })

  it('without a number there is no code: JSON with status 200 and errors, or 422 for a drawing', async () => {
    const answer: Qr = await (await post('/qr', DRAFT)).json()
    expect(answer).toMatchObject({ is_valid: false, qr: null })
    const response = await post('/qr', DRAFT, { accept: 'image/svg+xml' })
    expect(response.status).toBe(422)
    expect(response.headers.get('content-type')).toBe('application/json')
    const { code, errors } = await detailOf(response)
    expect(code).toBe('validation_failed')
    expect(errors).toEqual(answer.errors)
  })
})

describe('catalogs', () => {
  it('are arrays, with the rows of the engine', async () => {
    expect(await (await get('/catalogs')).json()).toEqual(CATALOG_NAMES)
    for (const name of CATALOG_NAMES)
      for (const on of [undefined, '2023-05-02']) {
        const response = await get(`/catalogs/${name}${on ? `?on=${on}` : ''}`)
        expect(await response.text(), name).toBe(JSON.stringify(catalog(name, on ? { on } : {})))
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
      }
  })

  it('have a strong ETag, the SHA-256 of the body', async () => {
    const response = await get('/catalogs/units')
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(await response.text()))
    expect(response.headers.get('etag')).toBe(`"${Buffer.from(hash).toString('hex')}"`)
    const etagOf = async (query: string) => (await get(`/catalogs/tax-rates${query}`)).headers.get('etag')
    expect(await etagOf('?on=2023-05-02')).not.toBe(await etagOf(''))
    expect(await etagOf('?on=2023-05-02')).toBe(await etagOf('?on=2023-05-03'))
  })

  it('are not sent again to a client that has them', async () => {
    const tag = required((await get('/catalogs/units')).headers.get('etag'))
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, `"a,b",W/${tag} , "c"`, '*', ' * '])
      for (const method of ['GET', 'HEAD']) {
        const response = await get('/catalogs/units', { 'if-none-match': known }, method)
        expect(response.status, known).toBe(304)
        expect(await response.text()).toBe('')
        expect(response.headers.get('etag')).toBe(tag)
        expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
      }
    for (const other of ['"x"', tag.slice(1, -1), `"${tag.slice(1, 20)}"`, '', '"*"'])
      expect((await get('/catalogs/units', { 'if-none-match': other })).status, other).toBe(200)
  })

  it('HEAD returns the same without a body', async () => {
    for (const path of ['/catalogs', '/catalogs/units', '/health']) {
      const whole = await get(path)
      const head = await get(path, {}, 'HEAD')
      expect(await head.text()).toBe('')
      expect(head.status).toBe(200)
      expect([...head.headers]).toEqual([...whole.headers])
    }
  })

  it('an unknown catalog is 404 with the names', async () => {
    const response = await get('/catalogs/currencies')
    expect(response.status).toBe(404)
    expect(await detailOf(response)).toMatchObject({
      code: 'not_found',
      received: 'currencies',
      allowed: [...CATALOG_NAMES],
    })
  })
})

it('health returns the version of the package', async () => {
  const { version } = JSON.parse(read('package.json'))
  expect(await (await get('/health')).json()).toEqual({ status: 'ok', version })
})
