/** Fixture: the built playground on a server, and a browser that records errors and requests. */

import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { Document } from '#test/conformance/invoices.ts'
import { portOf } from '#test/narrow.ts'
import { browserMissing, CHROMIUM } from '#test/needs.ts'
import { tokens } from '#test/tokens.ts'
import { until as untilHolds } from '#test/until.ts'

export const SITE = fileURLToPath(new URL('../../../../dist/playground', import.meta.url))

/** Why the browser tests cannot run; empty if they can. */
export const missing: string =
  browserMissing ??
  (existsSync(join(SITE, 'index.html')) ? '' : 'no dist/playground: run npm run build -- playground')

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

export interface Site {
  readonly url: string
  /** Requested paths, in order. */
  readonly asked: string[]
  stop(): Promise<void>
}

/** Serves `dist/playground` in a folder, since it must work in any. */
export async function serve(folder = '/some/folder/'): Promise<Site> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(required(request.url), 'http://x').pathname)
    asked.push(path)
    const name = path.startsWith(folder) ? path.slice(folder.length) || 'index.html' : ''
    const file = join(SITE, name)
    if (name === '' || name.includes('..') || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const lasting = name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache'
    response.writeHead(200, { 'content-type': CONTENT_TYPES[extname(name)] ?? '', 'cache-control': lasting })
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://127.0.0.1:${port}${folder}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Starts a browser that asks the network for nothing by itself. */
export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: tokens`
      --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
      --disable-component-update --disable-sync`,
  })

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console and violations of the Content-Security-Policy. */
  readonly complaints: string[]
  /** Requested addresses. */
  readonly requests: string[]
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** Opens an empty page in a new context. */
export async function newVisit(browser: Browser, options: ContextOptions): Promise<Visit> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(15_000)
  const complaints: string[] = []
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample))",
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints, requests }
}

/** Opens the playground and waits for the editor. */
export async function visit(browser: Browser, url: string, options: ContextOptions = {}): Promise<Visit> {
  const viewport = { width: 1440, height: 900 }
  const opened = await newVisit(browser, { locale: 'en-GB', viewport, ...options })
  await opened.page.goto(url)
  await opened.page.locator('.cm-content').waitFor({ state: 'attached' })
  return opened
}

/** Runs steps on the playground after the server has stopped, with what the first visit has stored. */
export async function offline(steps: (page: Page) => Promise<void>): Promise<void> {
  const site = await serve('/')
  const browser = await launch()
  try {
    const { page, complaints } = await visit(browser, site.url)
    await page.evaluate('navigator.serviceWorker.ready')
    await until(page, 'navigator.serviceWorker.controller !== null')
    await site.stop()
    await page.reload()
    await page.locator('.cm-content').waitFor()
    await steps(page)
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
}

/** Waits until an expression is true. `waitForFunction` needs `eval`, which the policy of the page forbids. */
export const until = (page: Page, expression: string): Promise<unknown> =>
  untilHolds(() => page.evaluate(expression), expression, { everyMs: 50 })

/** Returns the visible text. */
// biome-ignore lint/performance/useDomNodeTextContent: hidden text is not part of the page for the user.
export const read = (locator: Locator): Promise<string> => locator.innerText()

/** The title of the summary. */
export const summary = (page: Page) => page.locator('.summary-title')

/** A test that requires the browser and the built site; skipped with the reason if one is missing. */
export const browserTest = (name: string, run: () => Promise<void>): void => {
  if (missing) it.skip(`${name} (skipped: ${missing})`, () => undefined)
  else it(name, run, 60_000)
}

/** Starts one server and one browser for the tests of a file. */
export function useSite(): { readonly site: Site; readonly browser: Browser } {
  const shared = {} as { site: Site; browser: Browser }
  beforeAll(async () => {
    if (missing) return
    shared.site = await serve()
    shared.browser = await launch()
  })
  afterAll(async () => {
    await shared.browser?.close()
    await shared.site?.stop()
  })
  return shared
}

/** Opens a tab: `json`, `form`, `checks`, `paper` or `output`. */
export const show = (page: Page, tab: string): Promise<void> => page.locator(`#tab-${tab}`).click()

/** Replaces the text of the editor by pasting. */
export async function paste(page: Page, text: string): Promise<void> {
  await show(page, 'json')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+a')
  await page.locator('.cm-content').evaluate((content, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** Returns the whole text from storage: the editor renders only the visible part. */
export async function textOf(page: Page): Promise<string> {
  await page.waitForTimeout(400)
  return page.evaluate("sessionStorage.getItem('cuadra.text')")
}

/** Returns an example as a document. */
export const example = (name: string): Document =>
  JSON.parse(readFileSync(new URL(`../../../../examples/${name}.json`, import.meta.url), 'utf8'))

/** Returns the first example with number and date, so that it can be issued. */
export function issuable(): Document {
  const document = example('01-services-irpf')
  document.invoice.header.invoice_number = 'P26-0014'
  document.invoice.issue_data.issue_date = '2026-02-27'
  return document
}
