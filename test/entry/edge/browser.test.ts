/** In a page whose policy forbids code generation from strings (`script-src 'self'`, without `unsafe-eval`). */

import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { launch } from '#web/test/playground/site.ts'
import { portOf } from '../../narrow.ts'
import { browserMissing, suite } from '../../needs.ts'
import { DRAFT } from './ask.ts'
import { distCode } from './dist.ts'

const PAGE = `
import worker, { validate } from '/cuadra.js'
const blocked = (make) => { try { make(); return false } catch { return true } }
const draft = ${DRAFT}
const request = () => new Request('https://cuadra.invalid/validate?today=2026-03-05', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(draft) })
window.answer = worker.fetch(request()).then((response) => response.text()).then((fetched) => ({
  fetched,
  called: JSON.stringify(validate(draft, { today: '2026-03-05' })),
  blocked: blocked(() => new Function('return 1')()) && blocked(() => (0, eval)('1')),
}))
`

const FILES: Readonly<Record<string, readonly [type: string, text: () => string]>> = {
  '/': [
    'text/html',
    () =>
      '<!doctype html><meta charset="utf-8"><title>cuadra</title><script type="module" src="/page.js"></script>',
  ],
  '/page.js': ['text/javascript', () => PAGE],
  '/cuadra.js': ['text/javascript', distCode],
}

suite('Chromium with a strict Content-Security-Policy', browserMissing, () => {
  let server: Server
  let browser: Browser
  beforeAll(async () => {
    server = createServer(({ url }, outgoing) => {
      const [type, text] = FILES[required(url)] ?? ['text/plain', () => '']
      const policy = "default-src 'none'; script-src 'self'"
      outgoing
        .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
        .end(text())
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it('the browser imports the file, validates, and responds to a request', async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`http://127.0.0.1:${portOf(server)}/`)
    await page.waitForFunction('window.answer')
    const wanted = JSON.stringify(validate(JSON.parse(DRAFT), { today: '2026-03-05' }))
    expect(await page.evaluate('window.answer')).toEqual({ fetched: wanted, called: wanted, blocked: true })
    expect(faults).toEqual([])
  })
})
