/** Clients that close their connection while their request is processed. The renderer here waits for a signal. */

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Reading } from 'cuadra-recognition/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_PATH } from '#test/conformance/harness.ts'
import { type Document, draft, imported } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { portOf } from '#test/narrow.ts'
import { until } from '#test/until.ts'
import { printed } from '../../../recognition/test/print.ts'
import { unavailable } from '../../src/errors/unavailable.ts'
import { createWork } from '../../src/work/work.ts'
import { startInProcess } from '../in-process.ts'

const folder = temporaryFolder()
const file = join(folder, 'renderer.mjs')
writeFileSync(
  file,
  `export const renderInvoice = ({ text }) => new Promise((done) => {
    const channel = new BroadcastChannel('abandoned')
    channel.onmessage = () => {
      channel.close()
      done({ value: { pdf: Buffer.from('%PDF-'), language: 'es', logoProblem: null } })
    }
    channel.postMessage(JSON.parse(text).meta.external_ref)
  })`,
)
const work = createWork(pathToFileURL(file), { threads: 1 })
/** The work that was asked for, in order. */
const asked: (() => boolean)[] = []
const rendered: unknown[] = []
const channel = new BroadcastChannel('abandoned')
channel.onmessage = ({ data }: MessageEvent) => void rendered.push(data)

/** The connection of the last request. */
let connection: Socket
/** What validation and the second reading wait for. */
let pause = async (): Promise<unknown> => undefined

/** A page that was read from pixels. */
const readingOf = (...lines: readonly string[]): Reading => {
  const { pages, ...material } = printed(lines)
  return { material: { ...material, pages: pages.map((page) => ({ ...page, source: 'ocr' })) } }
}
const read = { coarse: readingOf('FACTURA'), fine: readingOf('FACTURA', 'Número: A-17', 'Fecha: 16/03/2026') }

let running: Awaited<ReturnType<typeof startInProcess>>
let send: (method: string, path: string, more?: RequestInit) => Promise<Response>
beforeAll(async () => {
  running = await startInProcess(folder, {
    work: {
      ...work,
      renderInvoice: (rendering, client) => {
        asked.push(client.hasLeft ?? (() => false))
        return work.renderInvoice(rendering, client)
      },
      validate: async (asking, client, size) => {
        await pause()
        if (client.hasLeft?.()) throw unavailable('left')
        return work.validate(asking, client, size)
      },
    },
    recogniser: {
      available: true,
      missing: [],
      read: async () => read.coarse,
      readFine: async (_bytes, client) => {
        await pause()
        return client.hasLeft?.() ? { unavailable: 'left' } : read.fine
      },
      close: () => {},
    },
  })
  const key = await running.newKey()
  running.server.on('request', ({ socket }) => {
    connection = socket
  })
  const url = `http://127.0.0.1:${portOf(running.server)}${BASE_PATH}`
  send = (method, path, { headers, body, ...more } = {}) =>
    fetch(url + path, {
      method,
      headers: {
        'X-API-Key': key,
        ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body }),
      ...more,
    })
}, 60_000)
afterAll(async () => {
  channel.close()
  await running.close()
})

it('a PDF whose client has closed its connection is not rendered, and the next one is', async () => {
  const saved = async () => {
    const body = draft()
    const { id } = await (await send('PUT', '/drafts', { body: JSON.stringify(body) })).json()
    return { ref: body.meta.external_ref, path: `/issued-invoices/${id}/pdf` }
  }
  const [first, abandoned, next] = [await saved(), await saved(), await saved()]
  const one = send('GET', first.path)
  await until(() => rendered.length === 1, 'the first PDF is being rendered')
  const leaving = new AbortController()
  const left = send('GET', abandoned.path, { signal: leaving.signal }).catch((error: Error) => error.name)
  await until(() => asked.length === 2, 'the second request waits')
  leaving.abort()
  expect(await left).toBe('AbortError')
  await until(() => asked[1]?.(), 'the server notices that the second client has left')
  const other = send('GET', next.path)
  await until(() => asked.length === 3, 'the third request waits')
  channel.postMessage('go')
  expect((await one).status).toBe(200)
  await until(() => rendered.length === 2, 'the third PDF is being rendered')
  channel.postMessage('go')
  expect((await other).status).toBe(200)
  expect(rendered).toEqual([first.ref, next.ref])
})

describe('a client that disconnects while its request is processed', () => {
  /** Disconnects, and waits until the server has noticed it. */
  async function leave(leaving: AbortController, sent: Promise<unknown>): Promise<void> {
    const socket = connection
    leaving.abort()
    expect(await sent).toBe('AbortError')
    await until(() => socket.destroyed, 'the server notices that the client has left')
  }
  const nameOf = (error: Error) => error.name
  /** Sends a request, and disconnects when its work has begun. */
  async function abandon(path: string, more: RequestInit): Promise<void> {
    const leaving = new AbortController()
    const waiting: (() => void)[] = []
    pause = () => new Promise<void>((resolve) => void waiting.push(resolve))
    const sent = send('POST', path, { ...more, signal: leaving.signal }).catch(nameOf)
    await until(() => waiting.length > 0, 'the work has begun')
    await leave(leaving, sent)
    pause = async () => undefined
    for (const resume of waiting) resume()
  }
  /** Repeats a request until the first one is done. */
  const repeat = (path: string, more: RequestInit): Promise<Response> =>
    until(async () => {
      const response = await send('POST', path, more)
      return response.headers.has('retry-after') ? undefined : response
    }, 'the first request is done')
  const keyed = (body: BodyInit): RequestInit => ({ body, headers: { 'Idempotency-Key': randomUUID() } })
  const file = () => {
    const form = new FormData()
    form.set('file', new Blob([randomUUID()], { type: 'image/png' }), 'a.png')
    return form
  }
  const eventsOf = async (id: string): Promise<readonly unknown[]> =>
    (await send('GET', `/drafts/${id}/events`)).json()

  it('has the whole batch done, and once if it has a key', async () => {
    const batchOf = () => JSON.stringify({ invoices: [draft(), draft(), draft()] })
    const once = keyed(batchOf())
    await abandon('/drafts/batch', once)
    const response = await repeat('/drafts/batch', once)
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    const { items }: { items: readonly { id: string }[] } = await response.json()
    for (const { id } of items) expect(await eventsOf(id)).toHaveLength(1)
    const totalOf = async (): Promise<number> => (await (await send('GET', '/drafts')).json()).total
    const before = await totalOf()
    await abandon('/drafts/batch', { body: batchOf() })
    await until(async () => (await totalOf()) === before + 3, 'the batch without a key is stored')
  })

  it('gets the invoice that it imported, if the request has a key', async () => {
    const body = imported({ taxId: 'B12345674', number: 'OLD-1' })
    const once = keyed(JSON.stringify(body))
    await abandon('/issued-invoices/import', once)
    const response = await send('POST', '/issued-invoices/import', once)
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  })

  it('gets the better of two readings of its file, with and without a key', async () => {
    const path = '/received-invoices/recognize'
    const numberIn = (result: { readonly canonical_draft: Document }) =>
      result.canonical_draft.invoice.header.invoice_number
    const once = keyed(file())
    await abandon(path, once)
    const response = await repeat(path, once)
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(numberIn(await response.json())).toBe('A-17')
    const without = { body: file() }
    await abandon(path, without)
    const again = await repeat(path, without)
    expect(again.status).toBe(409)
    const { detail } = await again.json()
    expect([detail.code, numberIn(detail.result)]).toEqual(['recognition_already_done', 'A-17'])
  })

  it('has its mail sent once, if the request has a key', async () => {
    const saved = await send('PUT', '/drafts', { body: JSON.stringify(draft()) })
    const { id }: { id: string } = await saved.json()
    expect((await send('POST', `/issued-invoices/${id}/issue`)).status).toBe(200)
    const path = `/issued-invoices/${id}/send`
    const once = keyed(JSON.stringify({ to: ['ana@example.com'] }))
    const [count, leaving] = [asked.length, new AbortController()]
    // The thread is busy, so the PDF of the mail waits.
    const busy = send('GET', `/issued-invoices/${id}/pdf`)
    await until(() => asked.length === count + 1, 'another PDF is being rendered')
    const sent = send('POST', path, { ...once, signal: leaving.signal }).catch(nameOf)
    await until(() => asked.length === count + 2, 'the PDF of the mail waits')
    await leave(leaving, sent)
    const total = rendered.length
    channel.postMessage('go')
    expect((await busy).status).toBe(200)
    await until(() => rendered.length === total + 1, 'the PDF of the mail is being rendered')
    channel.postMessage('go')
    const mails = join(folder, 'mail')
    await until(() => existsSync(mails) && readdirSync(mails).length > 0, 'the mail is sent')
    expect((await send('POST', path, once)).status).toBe(200)
    expect(readdirSync(mails)).toHaveLength(1)
  })
})
