/** The journey of a new user: type an invoice, see a problem, fix it, see the result. */
import { expect } from 'vitest'
import { browserTest, paste, read, show, summary, until, useSite, visit } from './site.ts'

const given = useSite()

const FRAME = `{
  "schema_version": "json_1_1",
  "meta": { "direction": "issued", "source_system": "teclado" },
  "invoice": {
    "supplier": { "person_type_code": "J", "tax_id": "B23456783", "name": "Papel, S.L." },
    "customer": { "person_type_code": "F", "tax_id": "23456789D", "name": "Ana" },
    "header": { "invoice_type_code": "01", "invoice_series_code": "A", "invoice_number": "A-7" },
    "issue_data": { "issue_date": "2026-03-05" },
    "totals": { "total_gross_amount_before_taxes": 0, "total_tax_outputs": 0, "invoice_total": 0 }
  }
}`

/** Typed key by key, over the closing brackets and quotes that the editor adds. The rate is wrong. */
const TYPED = [
  ',',
  '"lines": [',
  '{ "item_description": "Cuaderno", "quantity": 3, "unit_price_without_tax": 9.99,',
  '"tax_output_rate": 20 }',
]

browserTest('a wrong rate is marked and explained, and once it is fixed the QR appears', async () => {
  const { page, context, complaints, requests } = await visit(given.browser, given.site.url)
  await page.evaluate('navigator.serviceWorker.ready')
  await until(page, 'navigator.serviceWorker.controller !== null')
  const before = { requests: requests.length, asked: given.site.asked.length }

  await paste(page, FRAME)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('End')
  for (const [index, line] of TYPED.entries()) {
    if (index > 0) await page.keyboard.press('Enter')
    await page.keyboard.type(line)
  }

  const problem = page.locator('.problem')
  await problem.getByText('There is no IVA rate of 20 %').waitFor()
  expect(await problem.count()).toBe(1)
  expect(await read(problem)).toContain('arts. 90-91 Ley 37/1992')
  expect(await read(summary(page))).toBe('It does not add up')
  expect(await read(page.locator('.cm-lintRange-error'))).toBe('20')
  expect(await page.locator('.cm-gutter-lint .cm-lint-marker-error').count()).toBe(1)
  const total = page.locator('.summary-total strong')
  expect(await read(total)).toBe('35.96 €')

  await page.locator('.problem-go').click()
  await until(page, "document.querySelector('.editor-host').shadowRoot.getSelection().toString() === '20'")
  await page.keyboard.type('21')
  await summary(page).getByText('It adds up').waitFor()
  expect(await read(total)).toBe('36.26 €')
  expect(await page.locator('.cm-lintRange-error').count()).toBe(0)

  await show(page, 'paper')
  const qr = page.locator('.paper-qr img')
  await qr.waitFor()
  expect(await qr.getAttribute('data-url')).toBe(
    'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B23456783&numserie=A-7&fecha=05-03-2026&importe=36.26',
  )
  expect(await read(page.locator('.paper-qr'))).toContain('VERI*FACTU')

  await page.getByRole('button', { name: 'Español' }).click()
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  expect(await read(summary(page))).toBe('Cuadra')
  expect(await read(total)).toBe('36,26 €')
  await page
    .locator('[role=status]', { hasText: 'Cuadra: 0 errores, 0 avisos.' })
    .waitFor({ state: 'attached' })

  expect(given.site.asked.slice(before.asked)).toEqual([])
  // Code loaded on demand comes from the cache of the service worker.
  const own = `${given.site.url}assets/`
  const others = requests.slice(before.requests).filter((url) => !/^data:/.test(url) && !url.startsWith(own))
  expect(others).toEqual([])
  expect(requests.filter((url) => !url.startsWith(given.site.url) && !url.startsWith('data:'))).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('applies the fix of a problem with one click, and explains every amount', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  await page.locator('#example').selectOption('everything-wrong')
  await page
    .locator('.problem', { hasText: 'no IVA rate of 20 %' })
    .getByRole('button', { name: 'Use 21', exact: true })
    .click()
  await page.locator('.problem', { hasText: 'no IVA rate of 20 %' }).waitFor({ state: 'detached' })

  await page.locator('#example').selectOption('02-shop-prices-with-tax')
  await summary(page).getByText('It adds up').waitFor()
  await page.locator('[data-amount="/invoice/taxes_outputs/0/taxable_base"]').click()
  const why = page.locator('.explanation')
  expect(await read(why)).toContain('sum of 3 lines with tax × 100 / (100 + 21)')
  expect(await read(why)).toContain('24.76859504132231404958')
  expect(await read(why.locator('.explanation-cent'))).toContain('24.78: 1 cent more')
  await why.locator('.input-link').first().click()
  const inner = page.locator('[data-amount="/invoice/lines/0/gross_amount_with_tax"]')
  expect(await inner.evaluate((button) => button === globalThis.document.activeElement)).toBe(true)
  expect(complaints).toEqual([])
  await context.close()
})
