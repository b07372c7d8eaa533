/** Fixture: a server with the simulator, and a browser on `/status`. */

import { createClock } from 'cuadra-server/environment/clock.ts'
import { readConfig } from 'cuadra-server/environment/config.ts'
import { addCertificate, demonstrationCertificate } from 'cuadra-server/service/company/certificates.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { browserMissing } from '#test/needs.ts'
import { launch, newVisit, type Visit } from '../playground/site.ts'

const missing = browserMissing

/** A test that requires the browser; skipped with the reason without it. */
export const browserTest = (name: string, run: () => Promise<void>, seconds = 60): void => {
  if (missing) it.skip(`${name} (skipped: ${missing})`, () => undefined)
  else it(name, run, seconds * 1000)
}

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

export class Fixture {
  server!: TestServer
  browser!: Browser

  async open(): Promise<void> {
    if (missing) return
    this.server = await startServer({
      store: 'sqlite',
      env: { CUADRA_AEAT_SIMULATOR: 'on', CUADRA_AEAT_SIMULATOR_WAIT: '0' },
    })
    this.browser = await launch()
  }

  async close(): Promise<void> {
    await this.browser?.close()
    await this.server?.stop()
  }

  /** Creates a company with VeriFactu and its own certificate. */
  async company(file: Readonly<Record<string, unknown>> = {}): Promise<TestCompany> {
    const { server } = this
    const company = await server.company(file)
    const app = { config: readConfig({ CUADRA_DATA_DIR: server.dataDir }), clock: createClock() }
    const { tax_id, legal_name } = company.data
    const certificate = await demonstrationCertificate(app, tax_id, legal_name)
    await server.transaction((tx) =>
      addCertificate(tx.of(company.id), app, { ...certificate, purpose: 'verifactu' }),
    )
    const { status } = await server.call('PUT', '/verifactu/config', {
      key: company.key,
      body: { mode: 'verifactu' },
    })
    expect(status).toBe(200)
    return company
  }

  async issue({ key }: TestCompany): Promise<{ id: string; number: string }> {
    const { json } = await this.server.call('PUT', '/drafts', { key, body: draft() })
    const issued = await this.server.call('POST', `/issued-invoices/${json.id}/issue`, { key })
    expect(issued.status).toBe(200)
    return { id: json.id, number: issued.json.number }
  }

  /** Waits until the last record of an invoice has a state. */
  waitForState = ({ key }: TestCompany, id: string, state: string): Promise<void> =>
    vi.waitFor(
      async () => {
        const { json } = await this.server.call('GET', `/invoices/${id}/verifactu/records`, { key })
        expect(json.at(-1)?.estado).toBe(state)
      },
      { timeout: 20_000, interval: 50 },
    )

  /** The address of the simulator's control API. */
  get simulator(): string {
    return /simulator of the tax authority (http:\S+)/.exec(this.server.output())?.[1] ?? ''
  }

  /** Injects a fault into the simulator. */
  async injectFault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await fetch(`${this.simulator}control/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fault),
    })
    expect(response.status).toBe(201)
  }

  /** Opens a page; without a path, an empty one. */
  async openPage(options: Options = {}, path = '/status'): Promise<Visit> {
    const visit = await newVisit(this.browser, { locale: 'es-ES', ...options })
    if (path !== '') await visit.page.goto(`${this.server.url}${path}`)
    return visit
  }

  /** Opens the page, signs in and waits until it is loaded. */
  async signIn(key: string, options: Options = {}): Promise<Visit> {
    const visit = await this.openPage(options)
    await visit.page.locator('#key').fill(key)
    await visit.page.keyboard.press('Enter')
    await visit.page.locator('.overall').waitFor()
    return visit
  }
}

export function useFixture(): Fixture {
  const fixture = new Fixture()
  beforeAll(() => fixture.open(), 60_000)
  afterAll(() => fixture.close())
  return fixture
}

/** Returns the visible text. */
export const read = (page: Page, selector: string): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text is not part of the page for the user.
  page.locator(selector).innerText()
