/** Offline use. */
import { expect } from 'vitest'
import { browserTest, offline, read, show, summary } from './site.ts'

browserTest('works offline after the first visit, with all examples', async () => {
  await offline(async (page) => {
    expect(await read(summary(page))).toBe('It adds up')
    await page.locator('#example').selectOption('04-export')
    await show(page, 'paper')
    await page.locator('.paper', { hasText: 'Draft' }).waitFor()
  })
})
