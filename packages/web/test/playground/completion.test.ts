/** Suggestions of the editor. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, example, paste, read, textOf, useSite, visit } from './site.ts'

const given = useSite()

/** Pastes a document, puts the cursor at `|`, and returns the suggestions. */
async function suggestions(page: Page, text: string): Promise<string[]> {
  await paste(page, text.replace('|', ''))
  const first = page.locator('.cm-tooltip-autocomplete li').first()
  // A check that finishes meanwhile closes the list: try again.
  for (let tries = 0; tries < 10 && !(await first.isVisible()); tries++) {
    await page.keyboard.press('Control+Home')
    for (const _ of text.slice(0, text.indexOf('|'))) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+ ')
    await first.waitFor({ timeout: 3000 }).catch(() => {})
  }
  await first.waitFor()
  // CodeMirror ignores Enter right after the list opens.
  await page.waitForTimeout(120)
  return page.locator('.cm-tooltip-autocomplete li').allInnerTexts()
}

browserTest('suggests the missing members of the object at the cursor, required ones first', async () => {
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
    expect.stringMatching(/^schema_version\s*Format version · required$/),
    expect.stringMatching(/^meta\s*Document · required$/),
    expect.stringMatching(/^invoice\s*Invoice · required$/),
  ])
  // The description of the selected suggestion is next to the list.
  expect(await read(page.locator('.cm-completionInfo'))).toContain('Format version')
  await page.keyboard.press('Enter')
  expect(await textOf(page)).toBe('{"schema_version": ""}')
  await context.close()
  expect(complaints).toEqual([])
})

browserTest('suggests the values of catalogs with their names, by language, tax and date', async () => {
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

browserTest('completes a name with its colon and comma', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  const document = example('01-services-irpf')
  await paste(page, JSON.stringify(document, null, 2))
  // The paste may still move the cursor.
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
