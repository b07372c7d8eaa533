/** A server with a heap of 256 MB. @slowest */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { BASE_PATH, startServer, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { itInAll, sized } from '#test/size.ts'

const HEAP_MB = 256
let server: TestServer
beforeAll(async () => {
  server = await startServer({
    store: 'sqlite',
    check: false,
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  })
}, 60_000)
afterAll(() => server?.stop())

const MEGABYTE = 1024 * 1024
const PIECE = MEGABYTE / 4

/**
 * Sends a request as one of many clients in this process, which share the body and keep no large response. `json` is
 * undefined for a large one.
 */
async function send(
  method: string,
  path: string,
  { key, body = Buffer.alloc(0), isChunked = false }: { key: string; body?: Buffer; isChunked?: boolean },
): Promise<{ status: number | undefined; json: any }> {
  const sent = request(`${server.url}${BASE_PATH}${path}`, {
    method,
    agent: false,
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      ...(isChunked ? {} : { 'Content-Length': body.length }),
    },
  })
  const response = once(sent, 'response') as Promise<[IncomingMessage]>
  const pieces = Array.from({ length: Math.ceil(body.length / PIECE) }, (_, index) =>
    body.subarray(index * PIECE, (index + 1) * PIECE),
  )
  // The server may respond, and close the connection, before it has read the body.
  pipeline(Readable.from(pieces), sent).catch(() => {})
  const [incoming] = await response
  let text = ''
  for await (const piece of incoming) if (text.length < MEGABYTE) text += piece
  return { status: incoming.statusCode, json: text.length < MEGABYTE ? JSON.parse(text) : undefined }
}

/** The most memory that the server has taken since its start, where the system states it. */
const mostMegabytes = (): number => {
  const file = `/proc/${server.process.pid}/status`
  return existsSync(file) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024 : 0
}
/** Nearly an eighth of the heap. */
const FULL_MB = 30

/** A batch of invoices that have as many entries as fit, each made by `entry`. */
function batchOf(
  bytes: number,
  wrapped: (entries: string) => string,
  entry: (index: number) => string,
): string {
  const invoices: string[] = []
  let index = 0
  for (let size = 0; size < bytes; size += Buffer.byteLength(required(invoices.at(-1)))) {
    const entries: string[] = []
    for (let length = 0; length < MEGABYTE; length += Buffer.byteLength(required(entries.at(-1))) + 1)
      entries.push(entry(index++))
    invoices.push(wrapped(entries.join()))
  }
  return `{"invoices":[${invoices.join()}]}`
}

const lines = (entries: string) => `{"meta":{},"invoice":{"lines":[${entries}]}}`
/** Refused at once by the schema, after it was parsed. */
const list = (entries: string) => `[${entries}]`
const fields = (count: number) => (index: number) =>
  `{${Array.from({ length: count }, (_, field) => `"${index % 1000}${field.toString(36)}":0.1`).join()}}`

type Batch = [
  name: string,
  status: number,
  megabytes: number,
  wrapped: (entries: string) => string,
  entry: (index: number) => string,
]
/** Batches that differ most from each other. */
const SAMPLE: readonly Batch[] = [
  ['objects of one field', 422, FULL_MB, lines, fields(1)],
  ['objects of many fields', 200, sized(4, FULL_MB), list, fields(900)],
  ['texts outside of Latin-1', 200, FULL_MB, list, () => `"${'€'.repeat(1000)}"`],
]
const FURTHER: readonly Batch[] = [
  ['empty lists', 422, FULL_MB, lines, () => '[]'],
  ['empty objects', 422, FULL_MB, lines, () => '{}'],
  ['zeros', 422, FULL_MB, lines, () => '0'],
  ['lists of one zero', 422, FULL_MB, lines, () => '[0]'],
]
const answersBatches = async (...[, status, megabytes, wrapped, entry]: Batch): Promise<void> => {
  const [one, other] = await Promise.all([server.company(), server.company()])
  const body = Buffer.from(batchOf(megabytes * MEGABYTE, wrapped, entry))
  const batches = Array.from({ length: sized(1, 4, 6) }, () =>
    send('POST', '/drafts/batch', { key: one.key, body }),
  )
  const saved = await server.call('PUT', '/drafts', { key: other.key, body: draft() })
  expect(saved.status).toBe(201)
  const answers = (await Promise.all(batches)).map(({ status: answered, json }) =>
    [answered, json?.detail?.code].join(' ').trim(),
  )
  const expected = status === 200 ? '200' : `${status} request_validation_error`
  expect(answers).toContain(expected)
  // Batches that would wait behind others of their company are refused.
  expect(answers.filter((one) => one !== '503 service_unavailable' && one !== expected)).toEqual([])
}
const TITLE = 'answers batches of %s, and another company meanwhile'
it.each(SAMPLE)(TITLE, answersBatches, 300_000)
itInAll.each(FURTHER)(TITLE, answersBatches, 300_000)

it('answers another company while fifty clients send batches of the largest size, within the memory that the page states', async () => {
  const [one, other] = await Promise.all([server.company(), server.company()])
  const body = Buffer.alloc(FULL_MB * MEGABYTE, ' ')
  let left = sized(8, 50)
  const batches = Array.from({ length: left }, async (_, index) => {
    // Every second client states no length.
    const options = { key: one.key, body, isChunked: index % 2 === 1 }
    const { status, json } = await send('POST', '/drafts/batch', options)
    left--
    return `${status} ${json.detail.code}`
  })
  while (left > 0)
    expect((await server.call('PUT', '/drafts', { key: other.key, body: draft() })).status).toBe(201)
  const answers = await Promise.all(batches)
  expect(answers).toContain('422 request_validation_error')
  expect(new Set(answers).size).toBe(2)
  expect(answers).toContain('503 service_unavailable')
  expect(mostMegabytes()).toBeLessThan(1000)
}, 300_000)

it('stores a batch of invoices that are as large as an invoice may be', async () => {
  const { key } = await server.company()
  const large = draft()
  const [line] = large.invoice.lines
  const fitting = Math.floor((4 * MEGABYTE - 8192) / (JSON.stringify(line).length + 1))
  large.invoice.lines = Array.from({ length: Math.min(20_000, fitting) }, () => line)
  const invoices = Array.from({ length: sized(2, 7) }, (_, index) => ({
    ...large,
    meta: { ...large.meta, external_ref: `large-${index}` },
  }))
  const { status, json } = await server.call('POST', '/drafts/batch', { key, body: { invoices } })
  expect([status, json.accepted]).toEqual([200, invoices.length])
}, 300_000)

it('saves and returns invoices of 15,000 lines that are sent and requested at once, and answers another company meanwhile', async () => {
  const [one, other] = await Promise.all([server.company(), server.company()])
  const large = draft()
  large.invoice.lines = Array.from({ length: 15_000 }, () => large.invoice.lines[0])
  const sent = Buffer.from(JSON.stringify(large))
  const ids: string[] = []
  let isDone = false
  const all = async () => {
    const saved = await Promise.all(
      Array.from({ length: sized(4, 20, 40) }, () => send('PUT', '/drafts', { key: one.key, body: sent })),
    )
    for (const { status, json } of saved) {
      expect([201, 503]).toContain(status)
      if (status === 201) ids.push(json.id)
    }
    expect(ids).not.toEqual([])
    const read = await Promise.all(
      Array.from({ length: sized(10, 40, 80) }, async (_, index) => {
        const id = ids[index % ids.length]
        return (await send('GET', `/drafts/${id}/canonical`, { key: one.key })).status
      }),
    )
    expect(new Set(read)).toContain(200)
    for (const status of read) expect([200, 503]).toContain(status)
    isDone = true
  }
  const done = all()
  while (!isDone) {
    expect((await server.call('PUT', '/drafts', { key: other.key, body: draft() })).status).toBe(201)
    await Promise.race([done, sleep(20)])
  }
  expect(mostMegabytes()).toBeLessThan(1000)
}, 300_000)

it('saves large invoices of another company while three clients do not read their responses', async () => {
  const [one, other] = await Promise.all([server.company(), server.company()])
  const large = draft()
  large.invoice.lines = Array.from({ length: 15_000 }, () => large.invoice.lines[0])
  const unread = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const sent = request(`${server.url}${BASE_PATH}/drafts/validate`, {
        method: 'POST',
        headers: { 'X-API-Key': one.key, 'Content-Type': 'application/json' },
      })
      sent.end(JSON.stringify(large))
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(200)
      return sent
    }),
  )
  expect((await server.call('PUT', '/drafts', { key: other.key, body: large })).status).toBe(201)
  for (const sent of unread) sent.destroy()
})

it('stores a batch of thousands of invoices', async () => {
  const { key } = await server.company()
  const body = { invoices: Array.from({ length: sized(300, 5000) }, () => draft()) }
  const { status, json } = await server.call('POST', '/drafts/batch', { key, body })
  expect([status, json.accepted]).toEqual([200, body.invoices.length])
}, 300_000)

type Single = [name: string, wrapped: (entries: string) => string, entry: (index: number) => string]
const answersSingle = async (...[, wrapped, entry]: Single): Promise<void> => {
  const { key } = await server.company()
  const batch = batchOf(3 * MEGABYTE, (entries) => entries, entry)
  const body = Buffer.from(wrapped(batch.slice('{"invoices":['.length, -2)))
  const sent = Array.from({ length: 4 }, () => send('PUT', '/drafts', { key, body }))
  for (const { status } of await Promise.all(sent)) expect(status).toBe(422)
}
const SINGLE = 'answers a single body of 4 MiB of %s'
it.each([['objects of one field', lines, fields(1)]] satisfies Single[])(SINGLE, answersSingle, 120_000)
itInAll.each([
  ['empty lists', lines, () => '[]'],
  ['objects of many fields', lines, fields(900)],
] satisfies Single[])(SINGLE, answersSingle, 120_000)

it('refuses a batch that is larger than an eighth of the heap, and states the limit', async () => {
  const { key } = await server.company()
  const body = Buffer.alloc(60 * MEGABYTE, ' ')
  const { status, json } = await server.call('POST', '/drafts/batch', { key, body })
  expect([status, json.detail.code]).toEqual([413, 'payload_too_large'])
  expect(json.detail.max_bytes).toBeGreaterThan(FULL_MB * MEGABYTE)
  expect(json.detail.max_bytes).toBeLessThan((HEAP_MB * 1.3 * MEGABYTE) / 8)
})
