/** The API reference in a real browser: one visit that opens every operation and sends one. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, useFixture } from '#web/test/status/fixture.ts'
import { EXAMPLES, RESPONSES } from '../../src/http/examples.ts'
import { operationTag } from '../../src/http/route-descriptions.ts'
import { ROUTES } from '../../src/http/routes/index.ts'

const fixture = useFixture()
const SECONDS = 90

interface Part {
  readonly id: string
  readonly wanted: readonly string[]
}

/**
 * Scrolls to parts of the page, and returns what is missing in them. Parts that the page rendered with the previous one
 * need no visit of their own.
 */
async function missingIn(page: Page, parts: readonly Part[]): Promise<string[]> {
  const look = async (all: readonly Part[]) => {
    const lacking = ({ id, wanted }: Part): readonly string[] => {
      const text = document.querySelector(`section[id$=${JSON.stringify(id)}]`)?.textContent
      return text ? wanted.filter((part) => !text.includes(part)) : ['section']
    }
    const found: string[] = []
    for (const part of all) {
      if (lacking(part).length > 0) location.hash = part.id
      const end = Date.now() + 20_000
      while (Date.now() < end && lacking(part).length > 0) await new Promise((done) => setTimeout(done, 20))
      if (lacking(part).length > 0) found.push(`${part.id}: ${lacking(part).join(', ')}`)
    }
    return found
  }
  return page.evaluate(look, parts)
}

/** A name in an example. */
function nameIn(value: unknown): readonly string[] {
  const one = Array.isArray(value) ? value[0] : value
  const [name] = typeof one === 'object' && one !== null ? Object.keys(one) : []
  return name === undefined ? [] : [`"${name}"`]
}

browserTest(
  'opens every operation with its examples, has samples in three languages, searches, and sends requests',
  async () => {
    const { page, context, complaints, requests } = await fixture.openPage(
      { viewport: { width: 1400, height: 900 }, colorScheme: 'dark', locale: 'en-GB' },
      '/docs',
    )
    await page.locator('h1:has-text("cuadra invoicing service")').waitFor({ timeout: SECONDS * 1000 })
    expect(await page.locator('body').getAttribute('class'), 'as the system has it').toContain('dark-mode')
    for (const text of ['Ask AI', 'Share', 'Deploy', 'MCP', 'Powered by', 'Open API Client'])
      expect(await page.getByText(text, { exact: false }).filter({ visible: true }).count(), text).toBe(0)

    const parts = ROUTES.map((route) => {
      const { method, path, summary, body } = route
      const answers = Object.values(RESPONSES[`${method} ${path}`] ?? {}).flatMap(nameIn)
      const sent = body?.kind === 'json' ? nameIn(EXAMPLES[`${method} ${path}`]) : []
      const id = `tag/${operationTag(route.path).toLowerCase()}/${method.toUpperCase()}${path}`
      return { id, wanted: [summary, path, ...sent, ...answers] }
    })
    expect(await missingIn(page, parts)).toEqual([])

    // The shapes of bodies are described with their operations, not in a list of their own.
    const shown = (text: string) => page.getByText(text, { exact: true }).filter({ visible: true }).count()
    expect(await shown('Drafts')).toBeGreaterThan(0)
    expect(await shown('Models')).toBe(0)

    // The samples are offered in three languages.
    const drafts = page.locator('section[id$="tag/drafts/PUT/drafts"]')
    await page.evaluate(() => {
      location.hash = 'tag/drafts/PUT/drafts'
    })
    await drafts.getByRole('button', { name: 'curl' }).click()
    const offered = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
    expect(offered.sort()).toEqual(['Curl', 'Fetch', 'Requests'])
    await page.getByRole('option', { name: 'Requests' }).click()
    await drafts.getByText('requests.put(').first().waitFor()

    // The example is of the demonstration company, so its key can send it as it is.
    await page
      .locator('.scalar-password-input')
      .first()
      .fill(fixture.server.demo?.key ?? '')
    await drafts.getByRole('button', { name: 'Test Request' }).click()
    const client = page.getByRole('dialog').filter({ hasText: 'Request Body' })
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/v1.1/drafts'))
    await client.getByRole('button', { name: /^Send/ }).first().click()
    const answer = await answered
    expect([answer.request().method(), answer.status()]).toEqual(['PUT', 201])
    expect(await answer.json()).toMatchObject({ success: true, errors: [] })
    await client.getByText('201 Created').first().waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('cancel')
    await page
      .getByRole('option', { name: /Cancel an issued invoice/ })
      .first()
      .waitFor()

    expect(
      requests.filter((url) => !url.startsWith(`${fixture.server.url}/`) && !/^(?:data|blob):/.test(url)),
    ).toEqual([])
    // The page tests once whether it may evaluate code, which its policy forbids. The icon is the playground's.
    const expected = (text: string) => text === 'CSP script-src eval ' || text.includes('404')
    expect(complaints.filter((text) => !expected(text))).toEqual([])
    await context.close()
  },
  3 * SECONDS,
)
