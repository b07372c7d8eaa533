/** `Idempotency-Key`: a repeated request is done once and gets the same response. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { TestServer } from '../harness.ts'
import { draft, imported, nextRef, wrongDraft } from '../invoices.ts'

const DAY = 86_400_000

export function idempotencySuite(server: () => TestServer): void {
  const saved = async (key: string, document = draft()): Promise<string> =>
    (await server().call('PUT', '/drafts', { key, body: document })).json.id
  const issue = (key: string, invoice: string, idempotencyKey: string, body: unknown = {}) =>
    server().call('POST', `/issued-invoices/${invoice}/issue`, {
      key,
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
    })
  const numbersOf = async (companyId: string): Promise<string[]> => {
    const read = (await server().store()).acrossCompanies('a test')
    const rows = await read
      .selectFrom('numbers')
      .select('number')
      .where('company_id', '=', companyId)
      .orderBy('number')
      .execute()
    return rows.map(({ number }) => number)
  }
  const codeOf = ({ status, json }: { status: number; json: any }) =>
    status < 400 ? String(status) : `${status} ${json.detail.code}`

  it('an issue that is sent twice gets the same response and uses one number', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    const first = await issue(key, invoice, once)
    expect(first.status).toBe(200)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await issue(key, invoice, once)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await numbersOf(id)).toEqual(['F000001'])
    // Without the key the invoice is already issued.
    expect(codeOf(await server().call('POST', `/issued-invoices/${invoice}/issue`, { key }))).toBe(
      '409 invalid_status_transition',
    )
  })

  it('the same key with another body, address or method is 409', async () => {
    const { key, id } = await server().company()
    const [one, two] = [await saved(key), await saved(key)]
    const once = randomUUID()
    expect((await issue(key, one, once)).status).toBe(200)
    expect(codeOf(await issue(key, one, once, { invoice_number: 'F000009' }))).toBe(
      '409 idempotency_key_reused',
    )
    expect(codeOf(await issue(key, two, once))).toBe('409 idempotency_key_reused')
    expect(
      codeOf(
        await server().call('POST', `/issued-invoices/${one}/cancel`, {
          key,
          headers: { 'Idempotency-Key': once },
        }),
      ),
    ).toBe('409 idempotency_key_reused')
    expect(await numbersOf(id)).toEqual(['F000001'])
    // The first response still belongs to the first request.
    expect((await issue(key, one, once)).status).toBe(200)
  })

  it('ten concurrent requests with one key are done once, and get the same response', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue(key, invoice, once)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await numbersOf(id)).toEqual(['F000001'])
    const { json } = await server().call('GET', `/issued-invoices/${invoice}/events`, { key })
    expect(json.filter((event: any) => event.event_code === 'issued')).toHaveLength(1)
  })

  it('ten concurrent imports with one key make one invoice', async () => {
    const { key, data } = await server().company()
    const body = imported({ taxId: data.tax_id, number: 'OLD-1' })
    const headers = { 'Idempotency-Key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        server().call('POST', '/issued-invoices/import', { key, body, headers }),
      ),
    )
    expect(answers.map(codeOf)).toEqual(Array(10).fill('201'))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { json } = await server().call('GET', '/issued-invoices', { key })
    expect(json.total).toBe(1)
    const events = await server().call('GET', `/issued-invoices/${json.items[0].id}/events`, { key })
    expect(events.json).toHaveLength(1)
  })

  it('a refused request is validated anew: once its cause is fixed, the same request with the same key is done and kept', async () => {
    const { key, id } = await server().company()
    const ref = nextRef()
    const invoice = await saved(key, wrongDraft({ ref }))
    const once = randomUUID()
    for (let time = 0; time < 2; time++) {
      const refused = await issue(key, invoice, once)
      expect(codeOf(refused)).toBe('422 validation_failed')
      expect(refused.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(await saved(key, draft({ ref }))).toBe(invoice)
    const done = await issue(key, invoice, once)
    expect([codeOf(done), done.headers.get('idempotent-replayed')]).toEqual(['200', null])
    const again = await issue(key, invoice, once)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([done.text, 'true'])
    expect(await numbersOf(id)).toEqual(['F000001'])
  })

  it('a refused request may be corrected and sent with the same key, in batches too', async () => {
    const { key, data } = await server().company()
    for (const [path, wrong, right] of [
      [
        '/issued-invoices/import',
        imported({ taxId: 'B12345674', number: 'OLD-1' }),
        imported({ taxId: data.tax_id, number: 'OLD-1' }),
      ],
      [
        '/drafts/batch',
        { invoices: [{ ...draft(), invoice: { ...draft().invoice, header: { is_simplified: true } } }] },
        { invoices: [draft()] },
      ],
    ] as const) {
      const send = (body: unknown, once: string) =>
        server().call('POST', path, { key, body, headers: { 'Idempotency-Key': once } })
      const once = randomUUID()
      expect((await send(wrong, once)).status).toBe(422)
      const done = await send(right, once)
      expect(done.status).toBeLessThan(300)
      expect((await send(right, once)).text).toBe(done.text)
      expect(codeOf(await send(wrong, once))).toBe('409 idempotency_key_reused')
    }
  })

  it('a refusal before the work began is not stored', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    expect(codeOf(await issue(key, invoice, once, { unknown: 1 }))).toBe('422 request_validation_error')
    const poor = await server().key(id, { scopes: ['invoices:read'] })
    expect(codeOf(await issue(poor, invoice, once))).toBe('403 scope_missing')
    expect((await issue(key, invoice, once)).status).toBe(200)
  })

  it('the key is forgotten after 24 hours, and not before', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    const age = (by: number) =>
      server().past((db) =>
        db
          .updateTable('idempotency_keys')
          .set({ created_ms: Date.now() - by })
          .where('company_id', '=', id)
          .where('idempotency_key', '=', once)
          .execute(),
      )
    expect((await issue(key, invoice, once)).status).toBe(200)
    await age(DAY - 60_000)
    expect((await issue(key, invoice, once)).status).toBe(200)
    await age(DAY + 1000)
    expect(codeOf(await issue(key, invoice, once))).toBe('409 invalid_status_transition')
    expect(await numbersOf(id)).toEqual(['F000001'])
  })

  it('keys of two API keys, and of two companies, are separate', async () => {
    const one = await server().company()
    const second = await server().key(one.id, { scopes: ['*'] })
    const other = await server().company()
    const once = 'the same everywhere'.replaceAll(' ', '-')
    const [a, b, c] = [await saved(one.key), await saved(one.key), await saved(other.key)]
    const numbers = [
      (await issue(one.key, a, once)).json.number,
      (await issue(second, b, once)).json.number,
      (await issue(other.key, c, once)).json.number,
    ]
    expect(numbers).toEqual(['F000001', 'F000002', 'F000001'])
  })

  it('a key that cannot be stored is 422, and is ignored where none is used', async () => {
    const { key } = await server().company()
    const invoice = await saved(key)
    for (const wrong of ['', 'a b', 'x'.repeat(201), 'ñ'])
      expect(codeOf(await issue(key, invoice, wrong))).toBe('422 request_validation_error')
    const { status } = await server().call('PUT', '/drafts', {
      key,
      body: draft(),
      headers: { 'Idempotency-Key': 'a b' },
    })
    expect(status).toBe(201)
    expect((await issue(key, invoice, 'x'.repeat(200))).status).toBe(200)
  })
}
