/**
 * Every address of the server that the project prints: by `npm start` and the simulator, in pages and messages, and as
 * `doc_url`. Each is opened until it shows its content. Addresses of the API need a key and are called by the tests of the
 * guides.
 */
import { readdirSync } from 'node:fs'
import { CODES } from 'cuadra-server/errors/error-codes.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RULES } from '#rules/index.ts'
import { launch } from '#web/test/playground/site.ts'
import { startServer, type TestServer } from '../conformance/harness.ts'
import { ROOT, read } from '../docs/markdown.ts'
import { browserMissing } from '../needs.ts'
import { byPage, problemsOfAddresses } from './opened.ts'

const API = '/api/'

/** The addresses of a server on this machine in a text: `http://localhost:8080/docs`. */
const URLS = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1):\d+\/[^\s'"`)<>,\\]*/g

/** Paths of pages in texts: `/status`, but not `/drafts/ID` of the API or `/status` in a longer path. */
const PATHS = /(?<![\w/.{}:])\/(?:docs|status|health|metrics|openapi\.json|codes(?:\/\w+)?)(?![\w/{*])/g

/** The port that documents give the server. */
const PORT = '8080'

const filesIn = (folder: string): string[] =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:md|json)$/.test(file))
    .map((file) => `${folder}/${file}`)

/** Returns the paths that pages and messages name, with the examples that they open in the playground. */
function writtenAddresses(): Set<string> {
  const written = new Set<string>()
  for (const file of ['README.md', 'llms.txt', ...filesIn('docs'), ...filesIn('site'), ...filesIn('texts')]) {
    const text = read(file)
    for (const [address] of text.matchAll(URLS)) {
      const { port, pathname, search } = new URL(address)
      if (port === PORT && !pathname.startsWith(API)) written.add(pathname + search)
    }
    for (const [path] of text.matchAll(PATHS)) written.add(path)
    for (const [, query = ''] of text.matchAll(/\/playground\/(\?[\w=&-]+)/g)) written.add(`/${query}`)
  }
  return written
}

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startServer({ store: 'sqlite', env: { CUADRA_AEAT_SIMULATOR: 'on' } })
  if (browserMissing === undefined) browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

it.skipIf(browserMissing !== undefined)(
  `the server shows the content of every address that it, the pages and the messages print${browserMissing ? ` (${browserMissing})` : ''}`,
  async () => {
    const printed = [...server.output().matchAll(URLS)].map(([address]) => address)
    const api = printed.filter((address) => new URL(address).pathname.startsWith(API))
    for (const address of api) {
      const headers = { 'X-API-Key': server.demo?.key ?? '' }
      // The first is the address of the API itself, which has no resource.
      const status = address.endsWith('/v1.1') ? 404 : 200
      expect((await fetch(address, { headers })).status, address).toBe(status)
    }
    const opened = byPage([
      ...printed.filter((address) => !api.includes(address)),
      ...[...writtenAddresses()].sort(),
      ...['/codes', '/es/codes', '/es/codes/iban_invalid'],
    ])
    expect([...opened.keys()]).toEqual(
      expect.arrayContaining(['/status', '/docs', '/?example=02-shop-prices-with-tax']),
    )
    expect(await problemsOfAddresses(browser, server.url, opened)).toEqual([])
  },
)

it('the server has a page for every code, at its `doc_url` and in the list of codes', async () => {
  const codes = [...RULES.map(({ code }) => code), ...Object.keys(CODES)]
  for (const folder of ['/codes', '/es/codes']) {
    const list = await (await fetch(server.url + folder)).text()
    for (const code of codes) {
      const address = `${folder}/${code}`
      expect(list).toContain(`href="${address}"`)
      expect(await (await fetch(server.url + address)).text(), address).toContain(`<h1>${code}</h1>`)
    }
  }
})

it('the simulator responds at every address that it prints', async () => {
  const address = /simulator of the tax authority (http:\S+)/.exec(server.output())?.[1] ?? ''
  const { fault_kinds } = (await (await fetch(address)).json()) as { readonly fault_kinds: string }
  const paths = [...read('docs/simulator.md').matchAll(/`GET (\/[^`{]*)`/g)].map(([, path = '']) => path)
  expect(paths).toContain('/control/kinds')
  for (const one of [fault_kinds, ...paths]) {
    const response = await fetch(new URL(one, address))
    expect([one, response.status, (await response.text()).length > 1]).toEqual([one, 200, true])
  }
})
