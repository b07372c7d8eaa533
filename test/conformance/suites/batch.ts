/** Batches of drafts and of imports: each invoice is processed separately. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { itInAll } from '../../size.ts'
import type { TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, wrongDraft } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

export function batchSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, put, saved, issued, get, canonical, eventsOf, importing } = stepsOf(server)
  const DRAFTS = '/drafts/batch'
  const IMPORTS = '/issued-invoices/import/batch'
  const send = (
    key: string,
    path: string,
    invoices: unknown,
    rest: Record<string, unknown> = {},
    once?: string,
  ) =>
    call('POST', path, {
      key,
      body: { invoices, ...rest },
      ...(once ? { headers: { 'Idempotency-Key': once } } : {}),
    })
  const totalOf = async (key: string, query = '') =>
    (await call('GET', `/issued-invoices${query}`, { key })).json.total

  it('each draft is saved or refused separately', async ({ key }) => {
    const ref = nextRef()
    const existing = await saved(key, draft({ ref }))
    const bad = draft()
    bad.invoice.unknown = 1
    const { status, json } = await send(
      key,
      DRAFTS,
      [
        draft(),
        wrongDraft(),
        bad,
        draft({ ref, series: 'U' }),
        'text',
        null,
        7,
        [],
        {},
        draft({ taxId: 'B12345674' }),
      ],
      { batch_id: 'mine', file_name: 'drafts.json' },
    )
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'completed_with_errors', total: 10, accepted: 3, rejected: 7 })
    expect(json.batch_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(json.items.map(({ index, status: one, number }: Document) => [index, one, number])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => [
        index,
        [0, 1, 3].includes(index) ? 'accepted' : 'rejected',
        null,
      ]),
    )
    // Accepted items list no business errors. A schema error has its path.
    expect(json.items[1]).toMatchObject({ errors: [], id: expect.any(String) })
    expect(json.items[2]).toMatchObject({
      id: null,
      errors: [{ code: 'schema.additional_properties', path: '/invoice/unknown', severity: 'error' }],
    })
    expect(json.items[3].id).toBe(existing)
    for (const index of [4, 5, 6, 7]) expect(json.items[index].errors[0].code).toBe('schema.type')
    expect(json.items[9].errors[0]).toMatchObject({ code: 'issuer_tax_id_mismatch', received: 'B12345674' })
    expect(json.items[9].errors[0].request_id).toBeUndefined()
    expect((await call('GET', '/drafts', { key })).json.total).toBe(3)
    expect((await eventsOf(key, json.items[0].id))[0].details.batch_id).toBe(json.batch_id)
  })

  it('of meta only external_ref and source_system count, and unknown members are refused', async () => {
    const { key } = await server().company()
    const some = draft()
    some.meta = {
      source_system: 'mine',
      external_ref: some.meta.external_ref,
      direction: 'received',
      batch_id: 'x',
      batch_item_id: 7,
      original_format: 'csv',
    }
    const unknown = draft()
    unknown.meta.colour = 'red'
    const bare = draft()
    delete bare.meta.external_ref
    const { json } = await send(key, DRAFTS, [some, unknown, bare])
    expect(json).toMatchObject({ accepted: 1, rejected: 2 })
    const { meta } = await canonical(key, json.items[0].id)
    expect(meta).toEqual({ direction: 'issued', source_system: 'mine', external_ref: some.meta.external_ref })
    expect(json.items[1].errors[0].path).toBe('/meta/colour')
    expect(json.items[2].errors[0]).toMatchObject({
      code: 'missing_required_fields',
      missing: ['meta.external_ref'],
    })
  })

  it('a reference that occurs twice in a batch is one draft', async ({ key }) => {
    const ref = nextRef()
    const { json } = await send(key, DRAFTS, [draft({ ref, series: 'A' }), draft({ ref, series: 'B' })])
    expect(json).toMatchObject({ status: 'completed', accepted: 2 })
    expect(json.items[0].id).toBe(json.items[1].id)
    expect((await call('GET', '/drafts?series=B', { key })).json.total).toBe(1)
  })

  it('computed fields in any invoice refuse the whole batch, and nothing is stored', async () => {
    const { key, data } = await server().company()
    const computed = (document: Document) => {
      document.invoice.header.is_simplified = false
      document.invoice.lines[0].exempt = false
      return document
    }
    const number = nextRef('N')
    for (const [path, fine, wrong] of [
      [DRAFTS, draft(), computed(draft())],
      [
        IMPORTS,
        imported({ taxId: data.tax_id, number }),
        computed(imported({ taxId: data.tax_id, number: 'X' })),
      ],
    ] as const) {
      const answer = await send(key, path, [fine, wrong, 'text', wrong])
      expect(statusAndCode(answer)).toBe('422 inferred_fields_not_allowed')
      const fields = ['/invoice/header/is_simplified', '/invoice/lines/0/exempt']
      expect(answer.json.detail).toMatchObject({
        fields,
        items: [
          { index: 1, fields },
          { index: 3, fields },
        ],
      })
    }
    expect(await totalOf(key)).toBe(0)
  })

  it('a batch whose invoices are all refused has failed', async ({ key }) => {
    const { status, json } = await send(key, DRAFTS, [{}, 1])
    expect([status, json.status, json.accepted, json.rejected]).toEqual([200, 'failed', 0, 2])
  })

  const withLines = (count: number, line: unknown): Document =>
    draft({ invoice: { lines: new Array(count).fill(line) } })
  const LINE = { item_description: 'Cable', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 21 }

  itInAll(
    'an invoice of a batch has the limits of a single one: 20,000 lines, 4 MiB',
    async () => {
      const { key } = await server().company()
      const large = draft({ invoice: { payment_terms: 'x'.repeat(4 * 1024 * 1024) } })
      const invoices = [draft(), withLines(20_001, LINE), withLines(50_000, { a: 0 }), large, draft()]
      const { json } = await send(key, DRAFTS, invoices)
      expect(json).toMatchObject({ total: 5, accepted: 2, rejected: 3 })
      const codes = json.items.map(({ errors }: Document) => errors.map((one: Document) => one.code))
      expect(codes).toEqual([[], ['schema.max_items'], ['schema.max_items'], ['payload_too_large'], []])
      expect(json.items[1].errors[0]).toMatchObject({
        path: '/invoice/lines',
        extra: { max_items: 20_000, received: 20_001 },
      })
      expect(json.items[3].errors[0].max_bytes).toBe(4 * 1024 * 1024)
      expect(await totalOf(key)).toBe(2)
    },
    60_000,
  )

  it('an invoice of a batch reports one problem per 50 bytes, and that there are more', async ({ key }) => {
    const { json } = await send(key, DRAFTS, [withLines(1000, 0), draft()])
    expect(json).toMatchObject({ accepted: 1, rejected: 1 })
    const { errors } = json.items[0]
    const { shown, at_least } = errors.at(-1).extra
    expect(errors.at(-1).code).toBe('too_many_errors')
    expect(errors).toHaveLength(shown + 1)
    expect(shown).toBeLessThan(100)
    expect(at_least).toBeGreaterThan(shown)
  })

  it('a batch with more invoices than its size can hold is refused', async ({ key }) => {
    const { status, json } = await send(key, DRAFTS, [...new Array(5000).fill(0), draft()])
    expect([status, json.detail.code]).toEqual([422, 'request_validation_error'])
    expect(json.detail.max_invoices).toBe(1000)
    expect(await totalOf(key)).toBe(0)
  })

  it('a large batch is validated in a worker thread like a small one: computed fields, repeated keys, broken JSON', async () => {
    const { key } = await server().company()
    const filler = Array.from({ length: 150 }, () => draft())
    const text = JSON.stringify({ invoices: [...filler, withLines(1000, LINE)] })
    const raw = (body: string) => call('POST', DRAFTS, { key, body })
    const inferred = await raw(text.replace('{"item_description"', '{"taxable":true,"item_description"'))
    expect(statusAndCode(inferred)).toBe('422 inferred_fields_not_allowed')
    for (const [wrong, place] of [
      [text.replace('{"item_description"', '{"quantity":2,"item_description"'), 'line'],
      [text.slice(0, -1), 'column'],
    ] as const) {
      const answer = await raw(wrong)
      expect(statusAndCode(answer)).toBe('422 request_validation_error')
      expect(answer.json.detail[place]).toBeGreaterThan(0)
    }
    expect(await totalOf(key)).toBe(0)
    expect((await raw(text)).json).toMatchObject({ status: 'completed', accepted: 151 })
  }, 60_000)

  it('the request itself must be a batch', async ({ key }) => {
    for (const path of [DRAFTS, IMPORTS])
      for (const body of [
        {},
        { invoices: [] },
        { invoices: {} },
        { invoices: [draft()], unknown: 1 },
        [draft()],
      ])
        expect(statusAndCode(await call('POST', path, { key, body }))).toBe('422 request_validation_error')
    expect(await totalOf(key)).toBe(0)
  })

  it('imports report their numbers, and each conflict separately', async ({ company, key, data }) => {
    const own = await issued(key)
    await importing(company, { number: 'N-1' })
    const one = (number: string, rest = {}) => imported({ taxId: data.tax_id, number, ...rest })
    const late = one('N-9')
    late.invoice.issue_data.issue_date = '2999-01-01'
    const { status, json } = await send(key, IMPORTS, [
      one('N-1'),
      one('N-2'),
      one('N-1', { series: 'NEW' }),
      one(own.number, { series: 'F' }),
      late,
      { meta: 1 },
    ])
    expect(status).toBe(200)
    expect(json).toMatchObject({ total: 6, accepted: 2, rejected: 4 })
    const codes = json.items.map(({ number, errors }: Document) => [number, errors[0]?.code ?? 'accepted'])
    expect(codes).toEqual([
      ['N-1', 'accepted'],
      ['N-2', 'accepted'],
      ['N-1', 'invoice_update_not_allowed'],
      ['F000001', 'invoice_update_not_allowed'],
      ['N-9', 'future_issue_date'],
      [null, 'schema.type'],
    ])
    expect(json.items[2].errors[0].message).toMatch(/another series/)
    expect((await get(key, json.items[1].id)).number).toBe('N-2')
  })

  it('imports of one series are processed in order', async ({ key, data }) => {
    const numbers = Array.from({ length: 20 }, (_, n) => `S${String(n + 1).padStart(6, '0')}`)
    const invoices = numbers.map((number) => imported({ taxId: data.tax_id, number, series: 'S' }))
    const { json } = await send(key, IMPORTS, invoices)
    expect(json.items.map(({ number }: Document) => number)).toEqual(numbers)
    const stamps: string[] = []
    for (const { id } of json.items) stamps.push((await get(key, id)).created_at)
    expect(stamps).toEqual([...stamps].sort())
    expect((await issued(key, draft({ series: 'S' }))).number).toBe('S000021')
  })

  itInAll(
    'more than 500 invoices are processed, and the first 500 are detailed',
    async () => {
      const { key } = await server().company()
      const invoices: unknown[] = Array.from({ length: 503 }, () => draft())
      invoices[0] = {}
      invoices[502] = {}
      const { json } = await send(key, DRAFTS, invoices)
      expect(json).toMatchObject({ total: 503, accepted: 501, rejected: 2, status: 'completed_with_errors' })
      expect(json.items).toHaveLength(500)
      expect(json.items.at(-1).index).toBe(499)
      expect((await call('GET', '/drafts', { key })).json.total).toBe(501)
    },
    60_000,
  )

  it('with an Idempotency-Key the first response is repeated', async ({ key, data }) => {
    for (const [path, make] of [
      [DRAFTS, () => draft()],
      [IMPORTS, () => imported({ taxId: data.tax_id, number: nextRef('N') })],
    ] as const) {
      const once = randomUUID()
      const invoices = [make(), {}]
      const first = await send(key, path, invoices, {}, once)
      const again = await send(key, path, invoices, {}, once)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(statusAndCode(await send(key, path, [make()], {}, once))).toBe('409 idempotency_key_reused')
      expect((await eventsOf(key, first.json.items[0].id)).length).toBe(1)
      // Without the key the batch runs again, over the same invoices.
      const third = await send(key, path, invoices)
      expect(third.json.batch_id).not.toBe(first.json.batch_id)
      expect(third.json.items[0].id).toBe(first.json.items[0].id)
    }
  })

  it('other requests are served while a batch runs', async ({ key }) => {
    const running = send(
      key,
      DRAFTS,
      Array.from({ length: 300 }, () => draft()),
    )
    let done = false
    running.then(() => {
      done = true
    })
    expect([(await put(key, draft())).status, done]).toEqual([201, false])
    expect((await running).json.accepted).toBe(300)
  }, 60_000)
}
