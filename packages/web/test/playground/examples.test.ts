/** The examples of the playground. */
import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { browserTest, read, show, summary, useSite, visit } from './site.ts'

const given = useSite()

browserTest('offers every file of examples/, and all are valid but `everything-wrong`', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const files = readdirSync(new URL('../../../../examples', import.meta.url))
  const names = files.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5))
  const offered = await page
    .locator('#example option')
    .evaluateAll((options: HTMLOptionElement[]) => options.map(({ value }) => value))
  expect(offered.toSorted()).toEqual(['', 'blank', 'everything-wrong', ...names].toSorted())
  await show(page, 'paper')
  for (const name of names) {
    await page.locator('#example').selectOption(name)
    const reference = await page.evaluate(
      `new Promise((done) => setTimeout(() => done(document.querySelector('.paper .paper-name').textContent), 60))`,
    )
    expect(await read(summary(page)), name).toBe('It adds up')
    expect(reference, name).not.toBe('—')
    expect(await page.locator('#example').inputValue()).toBe(name)
  }
  await page.locator('#example').selectOption('everything-wrong')
  await summary(page).getByText('It does not add up').waitFor()
  expect(await read(page.locator('.summary-counts'))).toBe('15 errors · 5 warnings')
  await page.locator('#example').selectOption('blank')
  await summary(page).getByText('Incomplete').waitFor()
  expect(await read(page.locator('.summary-counts'))).toBe('5 fields to fill in')
  expect(complaints).toEqual([])
  await context.close()
})
