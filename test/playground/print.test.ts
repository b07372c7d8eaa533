/** Printing gives the paper and nothing else, whatever is in sight. */
import { expect } from 'vitest'
import { browserTest, issuable, paste, read, useSite, visit } from './site.ts'

const given = useSite()

const VISIBLE = `[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0 && !one.children.length && one.textContent.trim() && !one.closest('.paper')).map((one) => one.textContent)`

browserTest('only the paper is printed, from the check view too', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  await paste(page, JSON.stringify(issuable()))
  // What Ctrl+P does before it prints.
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(VISIBLE)).toEqual([])
  expect(await read(page.locator('.paper'))).toContain('P26-0014')
  expect(await page.locator('.paper-qr img').isVisible()).toBe(true)
  const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBe(1)
  await context.close()
})
