/** Metrics at their own address, and with a token. */
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../conformance/harness.ts'

const TOKEN = 'metrics-token-0123456789'

/** A port without a listener. */
const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })

let server: TestServer
let metrics: string
beforeAll(async () => {
  metrics = `127.0.0.1:${await freePort()}`
  server = await startServer({
    store: 'sqlite',
    check: false,
    env: { CUADRA_METRICS_ADDRESS: metrics, CUADRA_METRICS_TOKEN: TOKEN },
  })
}, 60_000)
afterAll(() => server?.stop())

it('are served there only, for clients with the token', async () => {
  const get = async (url: string, token?: string) => {
    const answer = await fetch(url, token ? { headers: { Authorization: `Bearer ${token}` } } : {})
    return { status: answer.status, text: await answer.text(), asks: answer.headers.get('www-authenticate') }
  }
  const address = `http://${metrics}/metrics`
  expect(await get(address, TOKEN)).toMatchObject({
    status: 200,
    text: expect.stringContaining('cuadra_http_request_duration_seconds'),
  })
  for (const token of [undefined, 'another', `${TOKEN}x`])
    expect(await get(address, token)).toMatchObject({
      status: 401,
      asks: 'Bearer',
      text: expect.stringContaining('CUADRA_METRICS_TOKEN'),
    })
  expect((await get(`${server.url}/metrics`, TOKEN)).status).toBe(404)
  expect((await get(`http://${metrics}/api/v1.1/company`, TOKEN)).status).toBe(404)
  expect((await get(`${server.url}/health`)).status).toBe(200)
})
