/** Malicious bodies. */
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { createHandler } from '#entry/edge/index.ts'
import { LIMITS } from '#entry/request/request-limits.ts'
import { DRAFT, detailOf, FIXED, fixed, HOST, JSON_TYPE, post, streamed } from './ask.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A body without end, and the state of its source. */
function endless(chunk: Uint8Array) {
  const state = { sent: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((next) => setImmediate(next))
      state.sent += chunk.length
      controller.enqueue(chunk)
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { state, body }
}

it('an endless body is cut off at the limit, and the rest is cancelled', async () => {
  const { fetch } = createHandler({ ...FIXED, maxBytes: 100_000 })
  const { state, body } = endless(new Uint8Array(7000).fill(0x20))
  const response = await fetch(streamed('/validate', body))
  expect(response.status).toBe(413)
  expect(await detailOf(response)).toMatchObject({ code: 'payload_too_large', max_bytes: 100_000 })
  expect(state.cancelled).toBe(true)
  expect(state.sent).toBeLessThan(100_000 + 4 * 7000)
})

it('a source whose cancellation never ends does not delay the response', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(200_000)),
    cancel: () => new Promise(() => undefined),
  })
  const { fetch } = createHandler({ ...FIXED, maxBytes: 100_000 })
  expect((await fetch(streamed('/validate', body))).status).toBe(413)
})

it('a body that declares too large a size is not read', async () => {
  const { state, body } = endless(new Uint8Array(10))
  const response = await fixed(streamed('/validate', body, { ...JSON_TYPE, 'content-length': '20000000' }))
  expect(response.status).toBe(413)
  expect((await detailOf(response)).max_bytes).toBe(LIMITS.maxBytes)
  expect(state.cancelled).toBe(true)
  expect(state.sent).toBeLessThan(100)
})

it('a false content length has no effect', async () => {
  const { fetch } = createHandler({ ...FIXED, maxBytes: 1000 })
  for (const length of ['1', 'abc', '-1', '1e1', '0x1']) {
    const { state, body } = endless(new Uint8Array(300))
    const response = await fetch(streamed('/validate', body, { ...JSON_TYPE, 'content-length': length }))
    expect(response.status, length).toBe(413)
    expect(state.cancelled).toBe(true)
  }
})

it('the limit includes its last byte', async () => {
  const exact = bytes(DRAFT)
  for (const [maxBytes, status] of [
    [exact.length, 200],
    [exact.length - 1, 413],
  ] as const) {
    const { fetch } = createHandler({ ...FIXED, maxBytes })
    expect((await post('/validate', exact, {}, fetch)).status).toBe(status)
    const whole = new ReadableStream({
      start(controller) {
        for (const byte of exact) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    expect((await fetch(streamed('/validate', whole))).status, 'byte by byte').toBe(status)
  }
})

it('20 MB are refused', async () => {
  const response = await post('/validate', `"${'x'.repeat(20_000_000)}"`)
  expect(response.status).toBe(413)
})

it('a character split between two chunks is decoded', async () => {
  const [before, after] = DRAFT.split('"external_ref"')
  const whole = bytes(
    `${before}"external_ref"${after}`.replace(/"item_description": "/, '"item_description": "€ñ😀 '),
  )
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < whole.length; at += 3) controller.enqueue(whole.slice(at, at + 3))
      controller.close()
    },
  })
  const response = await fixed(streamed('/validate', pieces))
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('€ñ😀 ')
})

it.each([
  ['a lone byte', [0x7b, 0x0a, 0x22, 0xff, 0x22], 2, 2],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1, 2],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1, 2],
  ['a letter cut off', [0x22, 0xe2, 0x82], 1, 2],
  [
    'after real replacement characters',
    [0xef, 0xbb, 0xbf, 0x22, 0xef, 0xbf, 0xbd, 0x0a, 0xef, 0xbf, 0xbd, 0xfe],
    2,
    2,
  ],
])('not UTF-8, %s: with its place', async (_, body, line, column) => {
  const response = await post('/validate', new Uint8Array(body))
  expect(response.status).toBe(422)
  expect(await detailOf(response)).toMatchObject({ code: 'request_validation_error', line, column })
})

it('8 MB of almost valid UTF-8 are refused in time', async () => {
  const body = bytes(`${'\uFFFD'.repeat(2_700_000)}x`)
  body[body.length - 1] = 0xff
  const { fetch } = createHandler({ ...FIXED, maxBytes: 10_000_000 })
  const from = performance.now()
  expect(await detailOf(await post('/validate', body, {}, fetch))).toMatchObject({
    line: 1,
    column: 2_700_001,
  })
  expect(performance.now() - from).toBeLessThan(5000)
})

it('a byte order mark is ignored', async () => {
  const response = await post('/validate', new Uint8Array([0xef, 0xbb, 0xbf, ...bytes(DRAFT)]))
  expect(response.status).toBe(200)
})

it.each([
  ['', 1, 1],
  ['   ', 1, 1],
  ['{"a": 1,}', 1, 8],
  ["{\n 'a': 1}", 2, 2],
  ['{"a": NaN}', 1, 7],
  ['{} {}', 1, 4],
])('not JSON: %j', async (text, line, column) => {
  const response = await post('/validate', text)
  expect(response.status).toBe(422)
  expect(await detailOf(response)).toMatchObject({ code: 'request_validation_error', line, column })
})

it('an empty body is reported as empty JSON', async () => {
  const response = await fixed(new Request(`${HOST}/validate`, { method: 'POST', headers: JSON_TYPE }))
  expect(response.status).toBe(422)
  expect((await detailOf(response)).message).toContain('it is empty')
})

it('10,000 levels of nesting are refused before parsing', async () => {
  for (const text of [
    '['.repeat(10_000) + ']'.repeat(10_000),
    '{"a":'.repeat(10_000),
    '['.repeat(1_000_000),
  ]) {
    const response = await post('/validate', text)
    expect(response.status).toBe(422)
    expect(await detailOf(response)).toMatchObject({ code: 'request_validation_error', max_depth: 64 })
  }
})

it('an interrupted body is a response, not an exception', async () => {
  const failing = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes('{"schema'))
      controller.error(new Error('secret: connection reset by 10.0.0.1'))
    },
  })
  const detail = await detailOf(await fixed(streamed('/validate', failing)))
  expect(detail.code).toBe('request_validation_error')
  expect(JSON.stringify(detail)).not.toContain('secret')

  const aborted = new ReadableStream({
    start(controller) {
      setTimeout(() => controller.error(new DOMException('The client went away', 'AbortError')), 20)
    },
  })
  expect((await fixed(streamed('/validate', aborted))).status).toBe(422)
})

it('so is a body that was already read', async () => {
  const request = new Request(`${HOST}/validate`, { method: 'POST', headers: JSON_TYPE, body: DRAFT })
  await request.text()
  expect((await fixed(request)).status).toBe(422)
  const locked = new Request(`${HOST}/validate`, { method: 'POST', headers: JSON_TYPE, body: DRAFT })
  required(locked.body).getReader()
  expect((await fixed(locked)).status).toBe(422)
})

it('so is a locked body that declares too large a size', async () => {
  const headers = { ...JSON_TYPE, 'content-length': '20000000' }
  const locked = new Request(`${HOST}/validate`, { method: 'POST', headers, body: DRAFT })
  required(locked.body).getReader()
  expect((await fixed(locked)).status).toBe(413)
})

it('no prototype can be modified', async () => {
  const text =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"schema_version":"json_1_1"}'
  expect((await post('/validate', text)).status).toBe(200)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('one document does not affect the response to another', async () => {
  const alone = await (await post('/validate')).text()
  const wrong = DRAFT.replace(/"tax_output_rate": 21/, '"tax_output_rate": 20')
  const mixed = await Promise.all(
    [DRAFT, wrong, DRAFT, '{', DRAFT].map(async (body) => (await post('/validate', body)).text()),
  )
  for (const at of [0, 2, 4]) expect(mixed[at]).toBe(alone)
  expect(mixed[1]).not.toBe(alone)
})
