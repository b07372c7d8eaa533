/** The page `/status` in a real browser. */

import { createClock } from 'cuadra-server/environment/clock.ts'
import { expect } from 'vitest'
import type { TestCompany } from '#test/conformance/harness.ts'
import { nextRef, received } from '#test/conformance/invoices.ts'
import { LONG } from '#test/size.ts'
import { violationsOn } from '../pages/axe.ts'
import { browserTest, read, useFixture } from './fixture.ts'

const fixture = useFixture()

const ENROLLED = {
  legal_name: 'Talleres <b>Ñandú</b> & Hijos, S.L.',
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
}
const HOSTILE = '"><img src=x onerror=document.title=1>'

interface StatusScenario {
  readonly company: TestCompany
  readonly accepted: { readonly id: string; readonly number: string }
  readonly rejected: { readonly id: string; readonly number: string }
  readonly remarked: { readonly id: string; readonly number: string }
  readonly bought: string
}

let created: Promise<StatusScenario> | undefined

/** Returns a company with records in every state, created once for all tests that only read. */
function scenario(): Promise<StatusScenario> {
  const create = async (): Promise<StatusScenario> => {
    const company = await fixture.company(ENROLLED)
    const accepted = await fixture.issue(company)
    await fixture.waitForState(company, accepted.id, 'accepted')
    await fixture.injectFault({ kind: 'reject', code: 1110, times: 1, taxpayer: company.data.tax_id })
    const rejected = await fixture.issue(company)
    await fixture.waitForState(company, rejected.id, 'rejected')
    await fixture.injectFault({
      kind: 'accept_with_errors',
      code: 2001,
      times: 1,
      taxpayer: company.data.tax_id,
    })
    const remarked = await fixture.issue(company)
    await fixture.waitForState(company, remarked.id, 'accepted_with_errors')
    const bought = `${HOSTILE}${nextRef('')}`.slice(0, 60)
    const body = received({ taxId: company.data.tax_id, number: bought })
    const saved = await fixture.server.call('PUT', '/received-invoices', { key: company.key, body })
    expect(saved.json.success).toBe(true)
    // A week after its deadline.
    await fixture.server.past((db) =>
      db
        .updateTable('sii_records')
        .set({
          deadline: new Date(Date.parse(createClock().today()) - 7 * 86_400_000).toISOString().slice(0, 10),
        })
        .where('company_id', '=', company.id)
        .where('invoice_id', '=', saved.json.id)
        .execute(),
    )
    return { company, accepted, rejected, remarked, bought }
  }
  created ??= create()
  return created
}

browserTest('shows chain, incidents, submissions and deadlines, in Spanish and in English', async () => {
  const { company, accepted, rejected, remarked, bought } = await scenario()
  const { page, context, complaints, requests } = await fixture.signIn(company.key)
  expect(await read(page, '#company')).toBe(`${company.data.legal_name} · ${company.data.tax_id}`)
  const overall = await read(page, '#overall')
  expect(overall).toContain('3 asuntos pendientes')
  expect(overall).toContain('1 factura fuera de plazo en el SII')
  expect(overall).toContain('2 incidencias de VeriFactu')

  const incidents = await read(page, '#incidents')
  expect(incidents).toContain(rejected.number)
  expect(incidents).toContain('rechazado')
  expect(incidents).toContain('1110')
  expect(incidents).toContain(
    `cuadra-admin verifactu correct --company ${company.id} --invoice ${rejected.id} --recipient-name 'Cliente de Pruebas, S.L.' --recipient-id B12345674`,
  )
  // Only natural persons may be outside of the census.
  expect(incidents).not.toContain('--recipient-not-in-census')
  expect(incidents).toContain(remarked.number)
  expect(incidents).toContain('aceptado con errores')
  expect(incidents).not.toContain(accepted.number)

  const records = await fixture.server.call('GET', `/invoices/${remarked.id}/verifactu/records`, {
    key: company.key,
  })
  const chain = await read(page, '#chain')
  expect(chain).toContain('habilitado')
  expect(chain).toContain('pruebas')
  expect(chain).toContain(records.json[0].huella)
  for (const { number } of [accepted, rejected, remarked]) expect(chain).toContain(number)
  expect(chain.match(/encadenado con el registro anterior/g)).toHaveLength(2)
  expect(chain.match(/primero de la cadena/g)).toHaveLength(1)
  expect(chain).toMatch(/CSV\s+A-/)

  expect(await read(page, '#submissions')).toMatch(/aceptado parcialmente|rechazado/)
  const sii = await read(page, '#sii')
  expect(sii).toContain('incluida, obligatoria')
  expect(sii).toContain(bought)
  expect(sii).toContain('vencido hace 7 días')
  expect(sii).toContain(`cuadra-admin sii send-now --company ${company.id}`)

  await page.locator('#language').click()
  await page.locator('#overall').getByText('3 items need attention').waitFor()
  // The server returns its instructions in the language of the page.
  await page.locator('#incidents').getByText('Check the name and tax id of the customer').first().waitFor()
  expect(await read(page, '#sii')).toContain('7 days overdue')
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  expect(await page.title()).toBe('Tax authority status · cuadra')

  // The key is never in an address, no other server is called, and a hostile number is text.
  expect(requests.filter((url) => !url.startsWith(`${fixture.server.url}/`))).toEqual([])
  expect(requests.filter((url) => url.includes(company.key))).toEqual([])
  expect(await page.locator('img').count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('shows a corrected invoice as resolved, and finds an accepted one with its QR', async () => {
  const company = await fixture.company()
  await fixture.injectFault({ kind: 'reject', code: 1105, times: 1, taxpayer: company.data.tax_id })
  const { id, number } = await fixture.issue(company)
  await fixture.waitForState(company, id, 'rejected')
  const { page, context, complaints } = await fixture.signIn(company.key)
  expect(await read(page, '#overall')).toContain('1 incidencia de VeriFactu')
  expect(await read(page, '#incidents')).toContain(`--invoice ${id}`)
  const { administer } = await import('#test/conformance/administrator.ts')
  const corrected = await administer(fixture.server, [
    ...['verifactu', 'correct', '--company', company.id],
    ...['--invoice', id],
  ])
  expect(corrected.stderr).toBe('')
  await fixture.waitForState(company, id, 'accepted')
  await page.locator('#refresh').click()
  await page.locator('#overall').getByText('Todo está en orden').waitFor()
  expect(await read(page, '#incidents')).toContain('1 incidencia ya resuelta')

  await page.locator('#find').fill(number)
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'Cotejar con el enlace de su QR' })
  expect(await link.getAttribute('href')).toMatch(/^https:\/\/prewww2\.aeat\.es\/.*ValidarQR\?nif=/)
  await page.locator('#find').fill('NO-HAY-1')
  await page.keyboard.press('Enter')
  await page.getByText('No hay ninguna factura emitida con el número NO-HAY-1.').waitFor()

  await page.locator('#questions').getByRole('button', { name: 'Consultar' }).click()
  await page.getByText(/^1 registro de \d{4}-\d\d$/).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('shows a new company without errors', async () => {
  const { key } = await fixture.server.company()
  const { page, context, complaints } = await fixture.signIn(key, { locale: 'en-GB' })
  expect(await read(page, '#overall')).toContain('Reporting is not active')
  expect(await read(page, '#incidents')).toContain('None. Everything sent was accepted.')
  expect(await read(page, '#chain')).toContain('not activated')
  expect(await read(page, '#sii')).toContain('This company is not in the SII')
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('offers the month that it is in Madrid, wherever the browser is', async () => {
  const { key } = await fixture.server.company()
  const { page, context } = await fixture.openPage({ timezoneId: 'America/New_York' })
  await page.clock.setFixedTime(new Date('2027-01-31T23:30:00Z'))
  await page.locator('#key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('.overall').waitFor()
  expect(await page.locator('#month').inputValue()).toBe('2027-02')
  await context.close()
})

browserTest('rejects a wrong key with a message, and does not store it', async () => {
  const { page, context } = await fixture.openPage()
  await page.locator('.primary').click()
  expect(await read(page, '#key-problem')).toBe('Introduzca la clave.')
  await page.locator('#key').fill('cuadra_wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Clave no válida').waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('key')
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  await context.close()
})

browserTest('stores the key until the tab is closed or the user signs out', async () => {
  const { company } = await scenario()
  const { page, context } = await fixture.signIn(company.key)
  await page.reload()
  await page.locator('.overall').waitFor()
  const kept = 'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href, document.cookie])'
  expect(await page.evaluate(kept)).toBe(
    JSON.stringify([{ 'cuadra.status.key': company.key }, {}, `${fixture.server.url}/status`, '']),
  )
  await page.getByRole('button', { name: 'Salir' }).click()
  await page.locator('#key').waitFor()
  expect(await page.evaluate(kept)).not.toContain(company.key)
  expect(await page.content()).not.toContain(company.data.tax_id)
  await context.close()
})

browserTest('each section shows the scope that it requires', async () => {
  const { company } = await scenario()
  const key = await fixture.server.key(company.id, { scopes: ['invoices:read'] })
  const { page, context } = await fixture.signIn(key)
  for (const id of ['incidents', 'chain', 'submissions', 'sii'])
    expect(await read(page, `#${id}`), id).toContain('exige el permiso compliance:read')
  expect(await read(page, '#overall')).toContain('Sin problemas en los datos a los que accede esta clave')
  await context.close()

  const complianceKey = await fixture.server.key(company.id, { scopes: ['compliance:read'] })
  const second = await fixture.signIn(complianceKey)
  expect(await read(second.page, '#incidents')).toContain('--invoice ')
  expect(await read(second.page, '#chain')).toContain('encadenado con el registro anterior')
  expect(await read(second.page, '#sii')).toContain('vencido hace 7 días')
  await second.context.close()
})

browserTest('shows the rate limit of the key and the time until the next attempt', async () => {
  const { company } = await scenario()
  const key = await fixture.server.key(company.id, { scopes: ['*'], rate: 3 })
  const { page, context } = await fixture.openPage()
  await page.locator('#key').fill(key)
  await page.keyboard.press('Enter')
  await page.locator('.notice').waitFor()
  expect(await read(page, '.notice')).toMatch(
    /^Esta clave ha alcanzado el límite de peticiones por minuto\. Nuevo intento en \d+ s\.$/,
  )
  await context.close()
})

browserTest(
  'refreshes while it is visible, and keeps the last data while the server is unavailable',
  async () => {
    const { company } = await scenario()
    const { page, context, requests } = await fixture.openPage()
    await page.clock.install()
    await page.locator('#key').fill(company.key)
    await page.keyboard.press('Enter')
    await page.locator('.overall').waitFor()
    const asked = () => requests.filter((url) => url.endsWith('/verifactu/config')).length
    const rounds = asked()
    await page.clock.runFor(31_000)
    await expect.poll(asked).toBe(rounds + 1)

    const show = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
    await page.locator('#refresh:not([aria-busy])').waitFor()
    await show(true)
    await page.clock.runFor(300_000)
    expect(asked()).toBe(rounds + 1)
    await show(false)
    await expect.poll(asked).toBe(rounds + 2)

    await page.locator('#refresh:not([aria-busy])').waitFor()
    await page.route('**/api/**', (route) => route.abort())
    await page.locator('#refresh').click()
    await page.locator('.notice').waitFor()
    expect(await read(page, '.notice')).toMatch(
      /^El servidor no responde\. Última actualización: .+\. Nuevo intento en 5 s\.$/,
    )
    expect(await read(page, '#overall')).toContain('3 asuntos pendientes')
    await page.unroute('**/api/**')
    await page.clock.runFor(5500)
    await page.locator('.notice').waitFor({ state: 'detached' })
    await context.close()
  },
)

const OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
/** Folder for screenshots. */
const PICTURES = process.env.CUADRA_PICTURES

for (const colorScheme of ['light', 'dark'] as const)
  for (const [name, viewport] of Object.entries({
    desktop: { width: 1280, height: 900 },
    phone: { width: 360, height: 740 },
  })) {
    // One scheme for each width; all combinations in long runs.
    if (!LONG && (name === 'phone') !== (colorScheme === 'dark')) continue
    browserTest(`is readable and fits on a ${name}, ${colorScheme}`, async () => {
      const { company } = await scenario()
      const { page, context } = await fixture.openPage({
        viewport,
        colorScheme,
        locale: name === 'phone' ? 'es-ES' : 'en-GB',
      })
      const picture = async (what: string) =>
        PICTURES &&
        page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${what}.png`, fullPage: true })
      await page.locator('#key').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await picture('key')
      await page.locator('#key').fill(company.key)
      await page.keyboard.press('Enter')
      await page.locator('.overall').waitFor()
      await picture('first')
      await page.evaluate(OPEN_ALL)
      await page.locator('#find').fill((await scenario()).accepted.number)
      await page.keyboard.press('Enter')
      await page.locator('#questions a').waitFor()
      expect(await violationsOn(page)).toEqual([])
      await picture('open')
      const wide =
        "[...document.querySelectorAll('*')].filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).display !== 'inline' && !one.closest('.visually-hidden')).map((one) => one.className || one.tagName)"
      expect(await page.evaluate(wide)).toEqual([])
      await context.close()
    })
  }

browserTest('every section is reachable by keyboard, and a refresh keeps the focus', async () => {
  const { company } = await scenario()
  const { page, context } = await fixture.signIn(company.key)
  const reached: string[] = []
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(
      "((one) => one.id || one.dataset.key || one.getAttribute('href') || one.innerText)(document.activeElement)",
    )
    reached.push(String(at))
  }
  for (const one of ['refresh', '#incidents', '#sii', 'find', 'month']) expect(reached, one).toContain(one)
  const submission = reached.find((one) => one.startsWith('submission '))
  await page.locator(`[data-key="${submission}"]`).focus()
  await page.keyboard.press('Enter')
  const { id, number } = await fixture.issue(company)
  await fixture.waitForState(company, id, 'accepted')
  // A refresh without user interaction, like that of the timer.
  await page.evaluate("document.querySelector('#refresh').click()")
  await page.locator('#submissions').getByText(number).waitFor({ state: 'attached' })
  expect(await page.evaluate('document.activeElement.dataset.key')).toBe(submission)
  const details = page.locator(`[data-key="${submission?.replace(' summary', '')}"]`)
  expect(await details.getAttribute('open')).toBe('')
  await context.close()
})

browserTest('the offline playground does not replace /status and /docs', async () => {
  const { page, context } = await fixture.openPage({}, '/')
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  await page.goto(`${fixture.server.url}/status`)
  await page.locator('#key').waitFor()
  const opened = async (path: string): Promise<string> =>
    (await page.goto(`${fixture.server.url}${path}`, { waitUntil: 'commit' }))?.text() ?? ''
  expect(await opened('/docs')).toContain('<title>cuadra API</title>')
  expect(await opened('/')).toContain('<title>cuadra</title>')
  expect(await opened('/index.html')).toContain('<title>cuadra</title>')
  await context.close()
})
