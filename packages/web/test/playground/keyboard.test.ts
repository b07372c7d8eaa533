/** Keyboard access, also out of the editor. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, example, paste, summary, useSite, visit } from './site.ts'

const given = useSite()

/** Returns the focused element, also inside the shadow root of the editor. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    '(() => { const at = document.activeElement; const inner = at.shadowRoot?.activeElement ?? at; return inner.id || inner.dataset.amount || inner.className || inner.tagName })()',
  )

async function tabUntil(page: Page, wanted: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (wanted.test(await focused(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${wanted} was not reached; the focus is at ${await focused(page)}`)
}

browserTest('reaches the result, a problem, the editor and an explanation by keyboard', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const wrong = example('01-services-irpf')
  wrong.invoice.lines[0].tax_output_rate = 20
  await paste(page, JSON.stringify(wrong, null, 2))
  await page.reload()
  await page.locator('.cm-content').waitFor()

  await page.keyboard.press('Tab')
  expect(await focused(page)).toContain('skip')
  await page.keyboard.press('Enter')
  expect(await focused(page)).toContain('summary')
  await tabUntil(page, /problem-go/)
  await page.keyboard.press('Enter')
  expect(await focused(page)).toContain('cm-content')

  await page.keyboard.type('21')
  await summary(page).getByText('It adds up').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await focused(page)).not.toContain('cm-content')

  await tabUntil(page, /tab-checks/)
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe('tab-paper')
  expect(await page.locator('.paper').isVisible()).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await tabUntil(page, /invoice_total/)
  await page.keyboard.press('Enter')
  expect(await page.locator('.explanation').isVisible()).toBe(true)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('Tab indents in the editor, and leaves it after Escape', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Tab')
  expect(await focused(page)).toContain('cm-content')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  expect(await focused(page)).not.toContain('cm-content')
  await context.close()
})

browserTest(
  'focuses everything above the invoice in the order of reading, on a wide page and on a phone',
  async () => {
    const sizes = [
      { width: 1920, height: 900 },
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]
    for (const viewport of sizes) {
      const { page, context } = await visit(given.browser, given.site.url, { viewport })
      if (viewport.width < 900) await page.locator('.top-more summary').click()
      const places = await page
        .locator('.top :is(a, button, select, input, summary)')
        .evaluateAll((elements) =>
          elements.map((element) => {
            const { left, top, bottom } = element.getBoundingClientRect()
            return { name: element.textContent || element.id, left, top, bottom }
          }),
        )
      for (const [at, { name, left, top }] of places.entries()) {
        const before = places[at - 1]
        // What follows is to the right of it, or in a lower row.
        if (before && top < before.bottom)
          expect(left, `${name} after ${before.name}`).toBeGreaterThan(before.left)
        if (before) expect(top, `${name} below ${before.name}`).toBeGreaterThan(before.top - 20)
      }
      await context.close()
    }
  },
)
