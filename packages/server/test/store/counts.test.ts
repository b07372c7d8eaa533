/** The counts of lists stay correct after any operations in any order. */
import { beforeAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef, received, wrongDraft } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { itInAll, sized } from '#test/size.ts'
import { findInvoice, updateInvoice } from '../../src/store/invoices.ts'

const STEPS = sized(300, 300, 2000)
const SERIES = ['A', 'B', 'ñandú']

/** The same sequence in every run. */
let seed = 20_261_121
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
  return (seed >>> 8) % below
}
const pick = <T>(from: readonly T[]): T => required(from[random(from.length)])

const servers: TestServer[] = []
let company: TestCompany

beforeAll(async () => {
  const first = await startServer({ store: 'sqlite' })
  // Two processes note their changes, and each adds up the notes of both.
  servers.push(first, await startServer({ store: 'sqlite', dataDir: first.dataDir }))
  company = await first.company()
}, 60_000)

itInAll(`after ${STEPS} operations at random`, async () => {
  const { key, data, id } = company
  const { tax_id: taxId } = data
  const refs = Array.from({ length: 12 }, () => nextRef())
  const numbers = Array.from({ length: 8 }, (_, n) => `OLD-${n}`)
  const call = (method: string, path: string, body?: unknown) =>
    pick(servers).call(method, path, { key, body })
  const someId = async (path: string): Promise<string> => {
    const { json } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=500`)
    return json.items.length === 0
      ? '00000000-0000-4000-8000-000000000000'
      : pick<{ id: string }>(json.items).id
  }
  const setStatus = (invoice: string, from: string, to: 'queued' | 'draft' | 'sent') =>
    required(servers[0]).transaction(async (all) => {
      const tx = all.of(id)
      const row = await findInvoice(tx, invoice)
      if (row?.status === from) await updateInvoice(tx, row, { status: to })
    })
  const series = () => pick(SERIES)
  const operations: Record<string, () => Promise<unknown>> = {
    draft: () => call('PUT', '/drafts', draft({ ref: pick(refs), series: series() })),
    wrong: () => call('PUT', '/drafts', wrongDraft({ ref: pick(refs), series: series() })),
    refused: () => call('PUT', '/drafts', { schema_version: 'json_1_1' }),
    batch: () =>
      call('POST', '/drafts/batch', {
        invoices: [draft({ series: series() }), draft({ ref: pick(refs), series: series() })],
      }),
    removal: async () => call('DELETE', `/drafts/${await someId('/drafts')}`),
    issue: async () => call('POST', `/issued-invoices/${await someId('/drafts')}/issue`),
    import: () =>
      call('POST', '/issued-invoices/import', imported({ taxId, number: pick(numbers), series: 'OLD' })),
    removalOfImported: async () => call('DELETE', `/issued-invoices/${await someId('/issued-invoices')}`),
    cancel: async () => call('POST', `/issued-invoices/${await someId('/issued-invoices')}/cancel`),
    corrective: async () =>
      call('POST', `/issued-invoices/${await someId('/issued-invoices')}/corrective`, {
        correction_type: 'S',
        reason_code: '01',
        series_code: series(),
        external_ref: nextRef(),
      }),
    received: () => call('PUT', '/received-invoices', received({ taxId, number: pick(numbers) })),
    doubtful: () =>
      call(
        'PUT',
        '/received-invoices',
        received({
          taxId,
          number: pick(numbers),
          invoice: {
            lines: [{ item_description: 'x', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 20 }],
          },
        }),
      ),
    revalidation: async () =>
      call('POST', `/received-invoices/${await someId('/received-invoices')}/validate`),
    removalOfReceived: async () => call('DELETE', `/received-invoices/${await someId('/received-invoices')}`),
    // A queued invoice blocks its series until it is released, so it must not stay queued by chance.
    queue: async () => setStatus(await someId('/drafts?series=B'), 'draft', 'queued'),
    unqueue: async () => setStatus(await someId('/issued-invoices?status=queued'), 'queued', 'draft'),
    send: async () => setStatus(await someId('/issued-invoices'), 'issued', 'sent'),
  }
  const done = new Map<string, number>()
  for (let step = 0; step < STEPS; step++) {
    const name = pick(Object.keys(operations))
    const answer = (await required(operations[name])()) as { status?: number } | undefined
    if ((answer?.status ?? 200) < 300) done.set(name, (done.get(name) ?? 0) + 1)
    expect(answer?.status ?? 200, name).toBeLessThan(500)
  }
  // Every operation succeeded at least once.
  expect(Object.keys(operations).filter((name) => name !== 'refused' && !done.has(name))).toEqual([])

  const read = (await required(servers[0]).store()).acrossCompanies('a test')
  expect(await audit(read, id, required(servers[0]).dataDir)).toEqual([])
  // Lists have the total that they state, with every filter that the counts support.
  const queries = [
    '',
    ...SERIES.map((one) => `&series=${encodeURIComponent(one)}`),
    '&series=OLD',
    '&series=none',
  ]
  for (const query of queries) {
    for (const path of [
      '/drafts',
      '/received-invoices',
      '/issued-invoices',
      ...['draft', 'issued', 'sent', 'cancelled', 'queued'].map(
        (status) => `/issued-invoices?status=${status}`,
      ),
    ]) {
      const { json } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=500${query}`)
      expect(`${path} ${query} ${json.total}`).toBe(`${path} ${query} ${json.items.length}`)
    }
  }
})

/** Concurrent requests share transactions, so a refusal may depend on the work of another request. */
async function amongNeighbours(store: 'sqlite' | 'postgres'): Promise<void> {
  const databaseUrl = store === 'postgres' ? await postgresDatabase() : undefined
  const server = await startServer({ store, ...(databaseUrl ? { databaseUrl } : {}) })
  servers.push(server)
  const { id, key } = await server.company()
  await activateVerifactu(server, id)
  const post = (path: string, once?: string, body?: unknown) =>
    server.call('POST', path, { key, body, headers: once === undefined ? {} : { 'Idempotency-Key': once } })
  const saved: string[] = []
  for (let n = 0; n < 24; n++) {
    const { json } = await server.call('PUT', '/drafts', { key, body: draft({ series: 'A' }) })
    saved.push(json.id)
  }
  const held = await post(`/issued-invoices/${saved.pop()}/issue`)
  const results = await Promise.all(
    saved.map(async (invoice, at) => {
      const once = nextRef('key')
      const issue = () => post(`/issued-invoices/${invoice}/issue`, once)
      const remove = () => server.call('DELETE', `/drafts/${invoice}`, { key })
      // Refused first, and then done with the same key.
      const refused = () =>
        post(`/issued-invoices/${invoice}/issue`, once, { invoice_number: held.json.number })
      const ways = [
        [issue, remove, issue],
        [remove, issue],
        [refused, issue],
        [issue, issue],
      ]
      return { invoice, answers: await Promise.all((ways[at % ways.length] ?? []).map((send) => send())) }
    }),
  )
  for (const { invoice, answers } of results) {
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    const { status, json } = await server.call('GET', `/issued-invoices/${invoice}`, { key })
    const issued = answers.filter((one) => one.status === 200)
    // Deleted or issued once, as the response said, and with one number.
    expect(status === 404).toBe(statuses.includes(204))
    expect(issued.length > 0).toBe(status === 200)
    for (const one of issued) expect(one.json.number).toBe(json.number)
  }
  expect(await audit((await server.store()).acrossCompanies('a test'), id, server.dataDir)).toEqual([])
  const lists = ['/drafts', '/issued-invoices', '/issued-invoices?series=A', '/issued-invoices?status=issued']
  for (const path of lists) {
    const { json } = await server.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=500`, { key })
    expect(`${path} ${json.total}`).toBe(`${path} ${json.items.length}`)
  }
}

itInAll(
  'among neighbours that delete, issue and refuse the same invoices',
  () => amongNeighbours('sqlite'),
  60_000,
)
it.skipIf(!hasPostgres())(
  'among neighbours that delete, issue and refuse the same invoices, on PostgreSQL',
  () => amongNeighbours('postgres'),
  60_000,
)
