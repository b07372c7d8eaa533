/** `Idempotency-Key`: a repeated request is done once and gets the same response. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { draft, imported, nextRef, wrongDraft } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const DAY = 86_400_000

export function idempotencySuite(server: () => TestServer): void {
  const { call, saved, change } = stepsOf(server)
  const it = itWithCompany(server)
  const issue = (key: string, invoice: string, idempotencyKey: string, body: unknown = {}) =>
    call('POST', `/issued-invoices/${invoice}/issue`, {
      key,
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
    })
  const numbersOf = async (companyId: string): Promise<string[]> => {
    const own = (await server().store()).of(companyId)
    const rows = await own.select('numbers').select('number').orderBy('number').execute()
    return rows.map(({ number }) => number)
  }

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
    expect(statusAndCode(await call('POST', `/issued-invoices/${invoice}/issue`, { key }))).toBe(
      '409 invalid_status_transition',
    )
  })

  it('the same key with another body, address or method is 409', async ({ key, companyId: id }) => {
    const [one, two] = [await saved(key), await saved(key)]
    const once = randomUUID()
    expect((await issue(key, one, once)).status).toBe(200)
    expect(statusAndCode(await issue(key, one, once, { invoice_number: 'F000009' }))).toBe(
      '409 idempotency_key_reused',
    )
    expect(statusAndCode(await issue(key, two, once))).toBe('409 idempotency_key_reused')
    expect(
      statusAndCode(
        await call('POST', `/issued-invoices/${one}/cancel`, { key, headers: { 'Idempotency-Key': once } }),
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
    const { json } = await call('GET', `/issued-invoices/${invoice}/events`, { key })
    expect(json.filter((event: { event_code: string }) => event.event_code === 'issued')).toHaveLength(1)
  })

  it('ten concurrent imports with one key make one invoice', async ({ key, data }) => {
    const body = imported({ taxId: data.tax_id, number: 'OLD-1' })
    const headers = { 'Idempotency-Key': randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '/issued-invoices/import', { key, body, headers })),
    )
    expect(answers.map(statusAndCode)).toEqual(Array(10).fill('201'))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { json } = await call('GET', '/issued-invoices', { key })
    expect(json.total).toBe(1)
    expect((await call('GET', `/issued-invoices/${json.items[0].id}/events`, { key })).json).toHaveLength(1)
  })

  it('a refused request is validated anew: once its cause is fixed, the same request with the same key is done and kept', async () => {
    const { key, id } = await server().company()
    const ref = nextRef()
    const invoice = await saved(key, wrongDraft({ ref }))
    const once = randomUUID()
    for (let time = 0; time < 2; time++) {
      const refused = await issue(key, invoice, once)
      expect(statusAndCode(refused)).toBe('422 validation_failed')
      expect(refused.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(await saved(key, draft({ ref }))).toBe(invoice)
    const done = await issue(key, invoice, once)
    expect([statusAndCode(done), done.headers.get('idempotent-replayed')]).toEqual(['200', null])
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
        call('POST', path, { key, body, headers: { 'Idempotency-Key': once } })
      const once = randomUUID()
      expect((await send(wrong, once)).status).toBe(422)
      const done = await send(right, once)
      expect(done.status).toBeLessThan(300)
      expect((await send(right, once)).text).toBe(done.text)
      expect(statusAndCode(await send(wrong, once))).toBe('409 idempotency_key_reused')
    }
  })

  it('a refusal before the work began is not stored', async ({ key, companyId: id }) => {
    const invoice = await saved(key)
    const once = randomUUID()
    expect(statusAndCode(await issue(key, invoice, once, { unknown: 1 }))).toBe(
      '422 request_validation_error',
    )
    const poor = await server().key(id, { scopes: ['invoices:read'] })
    expect(statusAndCode(await issue(poor, invoice, once))).toBe('403 scope_missing')
    expect((await issue(key, invoice, once)).status).toBe(200)
  })

  it('the key is forgotten after 24 hours, and not before', async ({ key, companyId: id }) => {
    const invoice = await saved(key)
    const once = randomUUID()
    const age = (by: number) =>
      change(id, 'idempotency_keys', { created_ms: Date.now() - by }, { idempotency_key: once })
    expect((await issue(key, invoice, once)).status).toBe(200)
    await age(DAY - 60_000)
    expect((await issue(key, invoice, once)).status).toBe(200)
    await age(DAY + 1000)
    expect(statusAndCode(await issue(key, invoice, once))).toBe('409 invalid_status_transition')
    expect(await numbersOf(id)).toEqual(['F000001'])
  })

  it('a key belongs to its company: another API key gets the same response, another company does its own work', async () => {
    const one = await server().company()
    const other = await server().company()
    const once = 'the-same-everywhere'
    const [a, b] = [await saved(one.key), await saved(other.key)]
    const first = await issue(one.key, a, once)
    const second = await server().key(one.id, { scopes: ['invoices:issue'] })
    const again = await issue(second, a, once)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    const theirs = await issue(other.key, b, once)
    expect([theirs.json.number, theirs.headers.get('idempotent-replayed')]).toEqual(['F000001', null])
    expect(await numbersOf(one.id)).toEqual(['F000001'])
  })

  it('a response is not repeated to an API key that may not send the request', async () => {
    const { key, id } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    expect((await issue(key, invoice, once)).status).toBe(200)
    const codes = []
    for (const options of [
      { scopes: ['invoices:read', 'invoices:write'] },
      { scopes: ['*'], allowIps: ['10.1.2.3'] },
    ] as const)
      codes.push(statusAndCode(await issue(await server().key(id, options), invoice, once)))
    expect(codes).toEqual(['403 scope_missing', '403 ip_forbidden'])
  })

  it('JSON bodies are compared by value: order of members, white space, and spelling of numbers and texts do not matter', async () => {
    const { key, data } = await server().company()
    const lines = Array.from({ length: 1500 }, () => ({
      item_description: 'Servicio',
      quantity: 1,
      unit_price_without_tax: 100,
      tax_output_rate: 21,
    }))
    const totals = {
      total_gross_amount_before_taxes: 150_000,
      total_tax_outputs: 31_500,
      invoice_total: 181_500,
    }
    const small = imported({ taxId: data.tax_id, number: 'OLD-1' })
    // More than 128 KiB: the digest is calculated in a worker thread.
    const large = imported({ taxId: data.tax_id, number: 'OLD-2', invoice: { lines, totals } })
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .map(([name, one]) => [name, reversed(one)] as const)
                .reverse(),
            )
          : value
    const spelled = (value: unknown) =>
      JSON.stringify(reversed(value), null, 1)
        .replaceAll(/: 21(?=[,\n])/g, ': 2.10e1')
        .replaceAll('Servicio', '\\u0053ervicio')
    for (const [path, body] of [
      ['/issued-invoices/import', small],
      ['/issued-invoices/import', large],
      ['/issued-invoices/import/batch', { batch_id: 'b', invoices: [small, large] }],
      ['/drafts/batch', { invoices: [draft(), draft()] }],
    ] as const) {
      const once = randomUUID()
      const send = (text: string) =>
        call('POST', path, {
          key,
          body: Buffer.from(text),
          headers: { 'Idempotency-Key': once, 'Content-Type': 'application/json' },
        })
      const first = await send(JSON.stringify(body))
      expect(first.status).toBeLessThan(300)
      const again = await send(spelled(body))
      expect([path, again.text, again.headers.get('idempotent-replayed')]).toEqual([path, first.text, 'true'])
      const other = JSON.stringify(body).replace('"quantity":1,', '"quantity":1.5,')
      expect([path, statusAndCode(await send(other))]).toEqual([path, '409 idempotency_key_reused'])
    }
  })

  it('a missing body, an empty object and another spelling of the id are the same request', async () => {
    const { key } = await server().company()
    const invoice = await saved(key)
    const once = randomUUID()
    const first = await issue(key, invoice, once)
    const again = await call('POST', `/issued-invoices/${invoice.toUpperCase()}/issue`, {
      key,
      headers: { 'Idempotency-Key': once },
    })
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
  })

  it('of two concurrent batches with one key one is done, and the other is refused or repeated', async () => {
    const { key } = await server().company()
    const body = { invoices: Array.from({ length: 30 }, () => draft()) }
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () => call('POST', '/drafts/batch', { key, body, headers })
    const answers = await Promise.all(Array.from({ length: 5 }, send))
    const done = answers.filter(({ status }) => status === 200)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(statusAndCode))).toEqual(new Set(['409 invoice_race_condition']))
    expect(refused.every((one) => one.headers.get('retry-after') === '5')).toBe(true)
    expect((await send()).text).toBe(done[0]?.text)
    for (const { id } of done[0]?.json.items ?? [])
      expect((await call('GET', `/drafts/${id}/events`, { key })).json).toHaveLength(1)
  })

  it('a batch whose process on another machine no longer renews its claim is done again', async () => {
    const { key, id } = await server().company()
    const body = { invoices: [draft()] }
    const once = randomUUID()
    const send = () => call('POST', '/drafts/batch', { key, body, headers: { 'Idempotency-Key': once } })
    expect((await send()).status).toBe(200)
    const claimed = (age: number) =>
      change(id, 'idempotency_keys', {
        status: null,
        owner: `elsewhere/1/${randomUUID()}/${randomUUID()}`,
        created_ms: Date.now() - age,
      })
    await claimed(30_000)
    expect(statusAndCode(await send())).toBe('409 invoice_race_condition')
    await claimed(61_000)
    expect((await send()).status).toBe(200)
    expect((await send()).headers.get('idempotent-replayed')).toBe('true')
  })

  it('a key that cannot be stored is 422, and is ignored where none is used', async ({ key }) => {
    const invoice = await saved(key)
    for (const wrong of ['', 'a b', 'x'.repeat(201), 'ñ'])
      expect(statusAndCode(await issue(key, invoice, wrong))).toBe('422 request_validation_error')
    const { status } = await call('PUT', '/drafts', {
      key,
      body: draft(),
      headers: { 'Idempotency-Key': 'a b' },
    })
    expect(status).toBe(201)
    expect((await issue(key, invoice, 'x'.repeat(200))).status).toBe(200)
  })
}
