/** Offline use. */
import { expect } from 'vitest'
import { browserTest, launch, read, serve, show, summary, visitOffline } from './site.ts'

browserTest('works offline after the first visit, with all examples', async () => {
  const site = await serve('/')
  const browser = await launch()
  try {
    const { page, complaints } = await visitOffline(browser, site)
    expect(await read(summary(page))).toBe('It adds up')
    await page.locator('#example').selectOption('04-export')
    await show(page, 'paper')
    await page.locator('.paper', { hasText: 'Draft' }).waitFor()
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
