/** Bodies that are received at the same time share a limited memory, which is 8 MiB here for large bodies. */

import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { BASE_PATH, nextTaxId } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { portOf } from '#test/narrow.ts'
import { until } from '#test/until.ts'
import { createBodyMemory } from '../../src/documents/body-memory.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { createWork } from '../../src/work/work.ts'
import { startInProcess } from '../in-process.ts'

const MEBIBYTE = 1024 * 1024
const PART = Buffer.alloc(1.5 * MEBIBYTE, ' ')
/** The bytes that bodies hold, now and at most. */
let total = 0
let peak = 0
const memory = createBodyMemory(2 * MEBIBYTE)
const holdBody: typeof memory = (company) => {
  const body = memory(company)
  let own = 0
  const count = (bytes: number) => {
    total += bytes - own
    own = bytes
    peak = Math.max(peak, total)
  }
  return {
    ...body,
    resize: (bytes) => {
      body.resize(bytes)
      count(bytes)
    },
    release: () => {
      body.release()
      count(0)
    },
  }
}

let running: Awaited<ReturnType<typeof startInProcess>>
let server: typeof running.server
let keys: { readonly A: string; readonly B: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const companyKey = () => running.newKey({ tax_id: nextTaxId(), features: ['recognition'] })

beforeAll(async () => {
  running = await startInProcess(
    temporaryFolder(),
    {
      work: createWork(pathToFileURL('unused'), { large: Number.POSITIVE_INFINITY }),
      recogniser: {
        available: true,
        missing: [],
        read: async () => ({ unreadable: 'broken' }),
        readFine: async () => ({ unreadable: 'broken' }),
        close: async () => {},
      },
    },
    holdBody,
  )
  server = running.server
  keys = { A: await companyKey(), B: await companyKey() }
}, 60_000)
afterEach(async () => {
  server.closeAllConnections()
  await until(() => total === 0, 'no body is held')
})
afterAll(async () => {
  agent.destroy()
  await running.close()
})

/** Sends the head of a request. */
function begin(
  key: string,
  path = '/drafts/batch',
  headers: object = {},
  method = 'POST',
  to = server,
): ClientRequest {
  const sent = request({
    port: portOf(to),
    host: '127.0.0.1',
    agent: false,
    path: BASE_PATH + path,
    method,
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      ...('Content-Length' in headers ? {} : { 'Transfer-Encoding': 'chunked' }),
      ...headers,
    },
  })
  sent.on('error', () => {})
  sent.flushHeaders()
  return sent
}
async function answerTo(sent: ClientRequest) {
  const answer: IncomingMessage = (await once(sent, 'response'))[0]
  const { detail = {} } = JSON.parse(await text(answer))
  return { status: answer.statusCode, after: answer.headers['retry-after'], ...detail }
}
/** Begins bodies that fill the memory of company A: half of all. Each holds 2 MiB. */
async function fill(): Promise<ClientRequest[]> {
  const bodies = [begin(keys.A), begin(keys.A, '/drafts', {}, 'PUT')]
  for (const one of bodies) one.write(PART)
  await until(() => total >= 3 * MEBIBYTE, 'both bodies are received')
  return bodies
}
const save = (key: string) => {
  const sent = begin(key, '/drafts', {}, 'PUT')
  sent.end(JSON.stringify(draft()))
  return answerTo(sent)
}
const large = (key: string) => {
  const sent = begin(key)
  sent.write(PART)
  return sent
}
const BUSY = { status: 503, code: 'service_unavailable', reason: 'busy', after: '5' }

it('a company has no memory for a third large body, but for small ones, and others for both', async () => {
  await fill()
  expect(await answerTo(large(keys.A))).toMatchObject(BUSY)
  expect(await save(keys.A)).toMatchObject({ status: 201 })
  expect(await save(keys.B)).toMatchObject({ status: 201 })
  const other = large(keys.B)
  other.end()
  expect(await answerTo(other)).toMatchObject({ status: 422 })
})

it.each([
  [
    'POST /received-invoices/import',
    '/received-invoices/import?format=facturae_3_2_2',
    'application/xml',
    '',
  ],
  [
    'POST /received-invoices/recognize',
    '/received-invoices/recognize',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
  ],
])('%s takes of the same memory', async (_, path, type, start) => {
  const first = await fill()
  const headers = { 'Content-Type': type }
  const refused = begin(keys.A, path, headers)
  refused.write(start)
  refused.write(PART)
  expect(await answerTo(refused)).toMatchObject(BUSY)
  for (const one of first) one.destroy()
  await until(() => total === 0, 'no body is held')
  begin(keys.A, path, headers).write(Buffer.concat([Buffer.from(start), PART]))
  await until(() => total > MEBIBYTE, 'the body is received')
})

it('memory is given back when a client leaves, or has its response', async () => {
  for (const one of await fill()) one.destroy()
  await until(() => total === 0, 'no body is held')
  const handled = await fill()
  for (const one of handled) one.end()
  for (const { status } of await Promise.all(handled.map(answerTo))) expect(status).toBe(422)
  expect(total).toBe(0)
})

it('memory is given back when a body does not end within the limit of time', async () => {
  const config = { ...running.app.config, requestTimeout: 1 }
  const impatient = createHttpServer({ ...running.app, config }, holdBody).listen(0, '127.0.0.1')
  await once(impatient, 'listening')
  peak = 0
  const slow = begin(keys.A, '/drafts/batch', {}, 'POST', impatient)
  slow.write(' ')
  expect(await answerTo(slow)).toMatchObject({ status: 408, code: 'request_timeout' })
  expect(peak).toBeGreaterThan(0)
  expect(total).toBe(0)
  impatient.close()
})

it('a client that states a length and sends little holds little', async () => {
  const slow = Array.from({ length: 20 }, () =>
    begin(keys.A, '/drafts/batch', { 'Content-Length': PART.length }),
  )
  for (const one of slow) one.write(' ')
  await until(() => total > 0, 'a byte is received')
  const full = large(keys.A)
  full.end()
  expect(await answerTo(full)).toMatchObject({ status: 422 })
  expect(total).toBeLessThanOrEqual(20 * 16 * 1024)
})

it.each([
  ['without a key', '', '/drafts/batch', {}, 401],
  ['to an unknown address', 'A', '/unknown', {}, 404],
  ['that states a length above the limit', 'A', '/drafts/batch', { 'Content-Length': 100 * MEBIBYTE }, 413],
  ['with another media type', 'A', '/drafts/batch', { 'Content-Type': 'text/plain' }, 415],
  ['to a route without a body', '', '/health', {}, 422],
] as const)('a request %s is refused without memory', async (_, key, path, headers, status) => {
  const before = await fill()
  const held = total
  const sent = begin(key === '' ? '' : keys.A, path, headers, path === '/health' ? 'GET' : 'POST')
  sent.write(PART)
  expect(await answerTo(sent)).toMatchObject({ status })
  expect(total).toBe(held)
  for (const one of before) one.destroy()
})

it('bodies that follow each other on one connection each give their memory back', async () => {
  for (let index = 0; index < 6; index++) {
    const sent = request({
      agent,
      port: portOf(server),
      path: `${BASE_PATH}/drafts/batch`,
      method: 'POST',
      headers: { 'X-API-Key': keys.A, 'Content-Type': 'application/json' },
    })
    sent.end(PART)
    expect(await answerTo(sent)).toMatchObject({ status: 422 })
    expect(total).toBe(0)
  }
})
