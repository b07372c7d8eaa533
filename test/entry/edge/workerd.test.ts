/** In workerd, the runtime of Cloudflare Workers, without network: the file alone, and the example around it. */
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { setMissing, suite } from '../../needs.ts'
import { DRAFT, read } from './ask.ts'
import { distCode } from './dist.ts'

const compatibilityDate = required(
  required(/"compatibility_date": "([\d-]+)"/.exec(read('examples/worker/wrangler.jsonc')))[1],
)

const alone = () => new Miniflare({ modules: true, script: distCode(), compatibilityDate })

/** The example imports the very file, under the name of the package. */
const example = () =>
  new Miniflare({
    modulesRoot: '/',
    modules: [
      { type: 'ESModule', path: '/worker.js', contents: read('examples/worker/worker.js') },
      { type: 'ESModule', path: '/cuadra/edge', contents: distCode() },
    ],
    compatibilityDate,
  })

const holds = (start: () => Miniflare): void => {
  let workerd: Miniflare
  let origin: URL
  beforeAll(async () => {
    workerd = start()
    origin = await workerd.ready
  })
  afterAll(() => workerd.dispose())

  const post = (path: string, body: RequestInit['body'], more: RequestInit = {}) =>
    fetch(new URL(path, origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: required(body),
      ...more,
    })

  it('validates', async () => {
    const response = await post('/validate?today=2026-03-05&locale=es', DRAFT)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(
      JSON.stringify(validate(JSON.parse(DRAFT), { today: '2026-03-05', locale: 'es' })),
    )
  })

  it('uses the clock, WebCrypto and random ids of the runtime', async () => {
    const response = await post('/validate', DRAFT)
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    const { headers } = await fetch(new URL('/catalogs/units', origin))
    expect(headers.get('etag')).toMatch(/^"[\da-f]{64}"$/)
    const again = await fetch(new URL('/catalogs/units', origin), {
      headers: { 'if-none-match': required(headers.get('etag')) },
    })
    expect(again.status).toBe(304)
  })

  it('HEAD and OPTIONS have no body', async () => {
    for (const [method, status] of [
      ['HEAD', 200],
      ['OPTIONS', 204],
    ] as const) {
      const response = await fetch(new URL('/catalogs', origin), { method })
      expect(response.status).toBe(status)
      expect(await response.text()).toBe('')
    }
  })

  it('refuses the same requests as elsewhere', async () => {
    expect((await fetch(new URL('/nowhere', origin))).status).toBe(404)
    expect((await fetch(new URL('/validate', origin))).status).toBe(405)
    expect((await post('/validate?x=1', DRAFT)).status).toBe(422)
    expect((await post('/validate', DRAFT, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await post('/validate', '{')).status).toBe(422)
    expect((await post('/validate', new Uint8Array([0x22, 0xff]))).status).toBe(422)
    expect((await post('/validate', '['.repeat(10_000))).status).toBe(422)
  })

  it('cuts off a body without a length', async () => {
    const endless = () => {
      let sent = 0
      return new ReadableStream({
        pull(controller) {
          sent += 1_000_000
          if (sent > 12_000_000) controller.close()
          else controller.enqueue(new Uint8Array(1_000_000).fill(0x20))
        },
      })
    }
    // A client that is still writing may lose the connection before it has read the answer.
    const once = () => post('/validate', endless(), { duplex: 'half' } as RequestInit).catch(() => undefined)
    let response = await once()
    for (let tries = 0; tries < 10 && !response; tries++) response = await once()
    expect(response?.status).toBe(413)
  })
}

for (const [name, start] of [
  ['dist/edge/index.js', alone],
  ['examples/worker', example],
] as const)
  suite(`${name} in workerd`, setMissing('runtimes'), () => holds(start))
