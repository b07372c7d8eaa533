/** Suggestions: the right ones, in the right place. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, example, paste, read, textOf, useSite, visit } from './site.ts'

const given = useSite()

/** Pastes a document, puts the cursor where `|` is, and asks for suggestions. */
async function suggestions(page: Page, text: string): Promise<string[]> {
  await paste(page, text.replace('|', ''))
  const first = page.locator('.cm-tooltip-autocomplete li').first()
  // A verdict that arrives in the same moment closes the list; who goes there and asks again gets it.
  for (let tries = 0; tries < 10 && !(await first.isVisible()); tries++) {
    await page.keyboard.press('Control+Home')
    for (const _ of text.slice(0, text.indexOf('|'))) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+ ')
    await first.waitFor({ timeout: 3000 }).catch(() => {})
  }
  await first.waitFor()
  // Long enough for a suggestion to be taken.
  await page.waitForTimeout(120)
  return page.locator('.cm-tooltip-autocomplete li').allInnerTexts()
}

browserTest('names of the object around the cursor, required ones first, none twice', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const line = await suggestions(page, '{"invoice":{"lines":[{"quantity":1,|}]}}')
  expect(line[0]).toContain('item_description')
  expect(line[0]).toContain('required')
  expect(line.join('\n')).toContain('tax_output_rate')
  expect(line.join('\n')).not.toContain('quantity')
  expect(line.join('\n')).not.toContain('tax_category_code')
  await page.keyboard.press('Escape')

  const root = await suggestions(page, '{|}')
  expect(root).toEqual([
    expect.stringMatching(/^schema_version\s*Version of the format · required$/),
    expect.stringMatching(/^meta\s*About the document · required$/),
    expect.stringMatching(/^invoice\s*Invoice · required$/),
  ])
  // What the chosen one is stands beside the list.
  expect(await read(page.locator('.cm-completionInfo'))).toContain('Version of the format')
  await page.keyboard.press('Enter')
  expect(await textOf(page)).toBe('{"schema_version": ""}')
  await context.close()
  expect(complaints).toEqual([])
})

browserTest('values of catalogs with their names, by language, tax and date', async () => {
  const { page, context } = await visit(given.browser, given.site.url, { locale: 'es-ES' })
  const rate = await suggestions(page, '{"invoice":{"lines":[{"tax_output_rate": |}]}}')
  expect(rate[0]).toMatch(/^21\s*21 % · Tipo general$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await textOf(page)).toBe('{"invoice":{"lines":[{"tax_output_rate": 10}]}}')

  const reason = await suggestions(page, '{"invoice":{"lines":[{"exemption_reason_code": |}]}}')
  expect(reason[0]).toContain('"E1"')
  expect(reason[0]).toContain('artículo 20')
  await page.keyboard.press('Escape')
  const direction = await suggestions(page, '{"meta":{"direction": |}}')
  expect(direction).toEqual(['"issued"', '"received"'])
  await page.keyboard.press('Escape')
  const country = await suggestions(page, '{"invoice":{"customer":{"country_code": "F|"}}}')
  expect(country.join('\n')).toContain('Francia')
  await context.close()
})

browserTest('a name typed in an invoice is completed with its colon and comma', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  const document = example('01-services-irpf')
  await paste(page, JSON.stringify(document, null, 2))
  // What is pasted may move the cursor once more.
  const line = page.locator('.cm-activeLine', { hasText: '"direction"' })
  for (let tries = 0; tries < 10 && !(await line.isVisible()); tries++) {
    await page.keyboard.press('Control+Home')
    for (let down = 0; down < 3; down++) await page.keyboard.press('ArrowDown')
    await line.waitFor({ timeout: 1000 }).catch(() => {})
  }
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('"batch_i')
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'batch_id' }).waitFor()
  await page.waitForTimeout(120)
  await page.keyboard.press('Enter')
  await page.keyboard.type('L-1')
  const { meta } = JSON.parse(await textOf(page))
  expect(meta).toEqual({ ...document.meta, batch_id: 'L-1' })
  await context.close()
})
