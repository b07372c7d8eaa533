/** Metrics at their own address, and with a token. */

import { createServer } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { raw } from '#test/conformance/sockets.ts'
import { portOf } from '#test/narrow.ts'

const TOKEN = 'metrics-token-0123456789'

/** A port without a listener. */
const freePort = (): Promise<number> =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const port = portOf(probe)
      probe.close(() => done(port))
    })
  })

let server: TestServer
let metrics: string
let ordinary: TestServer
beforeAll(async () => {
  metrics = `127.0.0.1:${await freePort()}`
  server = await startServer({
    store: 'sqlite',
    check: false,
    env: { CUADRA_METRICS_ADDRESS: metrics, CUADRA_METRICS_TOKEN: TOKEN },
  })
  ordinary = await startServer({ store: 'sqlite', check: false })
}, 60_000)

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
  for (const target of ['/metrics', address]) {
    const twice = `GET ${target} HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n`
    expect((await raw(address, twice)).answers[0]?.code).toBe('bad_request')
  }
})

it.each([
  ['server', () => new URL(ordinary.url).host],
  ['address of their own', () => metrics],
])('are served under no other spelling of their path (%s)', async (_, host) => {
  const ask = async (target: string, method = 'GET') => {
    const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`
    return (await raw(`http://${host()}`, request)).answers[0]
  }
  for (const target of ['/metrics', '/metrics?', '/metrics?name=x'])
    expect(await ask(target), target).toMatchObject({ status: 200 })
  for (const target of [
    '/./metrics',
    '/%6detrics',
    '/a/../metrics',
    '//metrics',
    '//x/metrics',
    '/a/%2e%2e/metrics',
    '\\metrics',
    '/\\metrics',
    '/metrics/',
    '/metrics#',
    '/Metrics',
    '/met\trics',
    `http://${host()}/metrics`,
    'http:/metrics',
  ]) {
    const answer = await ask(target)
    expect([400, 404], target).toContain(answer?.status)
    expect(answer?.text).not.toContain('cuadra_http')
  }
  for (const target of ['/./metrics', '/%6detrics', '/a/../metrics', '//x/metrics'])
    for (const method of ['GET', 'POST'])
      expect(await ask(target, method), `${method} ${target}`).toMatchObject({
        status: 404,
        code: 'not_found',
      })
})
