/** The examples of the playground. */
import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { sized } from '#test/size.ts'
import { browserTest, paste, read, show, summary, textOf, until, useSite, visit } from './site.ts'

const given = useSite()

browserTest('shows the example that the address names, in the menu too, until it is edited', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const offered = await page
    .locator('#example option')
    .evaluateAll((options: HTMLOptionElement[]) => options.map(({ value }) => value))
  await context.close()
  const names = sized(['02-shop-prices-with-tax', 'everything-wrong', 'blank'], offered.filter(Boolean))
  for (const name of names) {
    const opened = await visit(given.browser, `${given.site.url}?example=${name}`)
    const choice = opened.page.locator('#example')
    expect(await choice.inputValue()).toBe(name)
    const counts = await read(opened.page.locator('.summary-counts'))
    await choice.selectOption(name === 'blank' ? '01-services-irpf' : 'blank')
    await until(opened.page, "location.search === ''")
    await choice.selectOption(name)
    await opened.page.locator('.summary-counts').getByText(counts, { exact: true }).waitFor()
    expect([...complaints, ...opened.complaints]).toEqual([])
    await opened.context.close()
  }

  const edited = await visit(given.browser, `${given.site.url}?example=02-shop-prices-with-tax`)
  await paste(edited.page, '{}')
  await until(edited.page, "location.search === ''")
  await edited.page.reload()
  expect(await textOf(edited.page)).toBe('{}')
  await edited.context.close()
})

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
  expect(await read(page.locator('.summary-sum'))).toBe('–')
  expect(complaints).toEqual([])
  await context.close()
})

/** Parts of the heads that a line break splits without a space. */
const BROKEN_HEADS = `[...document.querySelectorAll('.paper thead th')].flatMap((head) => {
  const range = document.createRange()
  const text = head.firstChild
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ 0: part, index }) => {
    range.setStart(text, index)
    range.setEnd(text, index + part.length)
    return range.getClientRects().length > 1 ? [part] : []
  })
})`

browserTest('breaks the heads of the columns of the preview only at spaces, in either language', async () => {
  for (const locale of ['en-GB', 'es-ES'])
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const options = { locale, viewport }
      const { page, context } = await visit(
        given.browser,
        `${given.site.url}?example=02-shop-prices-with-tax`,
        options,
      )
      await show(page, 'paper')
      await page.locator('.paper thead [data-key=description]').waitFor()
      expect(await page.evaluate(BROKEN_HEADS)).toEqual([])
      await context.close()
    }
})
