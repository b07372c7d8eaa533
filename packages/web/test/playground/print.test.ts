/** Printing. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, useSite, visit } from './site.ts'

const given = useSite()

const VISIBLE = `[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0 && !one.children.length && one.textContent.trim() && !one.closest('.paper')).map((one) => one.textContent)`

browserTest('prints only the preview, also from other tabs', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  await paste(page, JSON.stringify(issuable()))
  // Like Ctrl+P before it prints.
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(VISIBLE)).toEqual([])
  expect(await read(page.locator('.paper'))).toContain('P26-0014')
  expect(await page.locator('.paper-qr img').isVisible()).toBe(true)
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBe(1)
  await context.close()
})
