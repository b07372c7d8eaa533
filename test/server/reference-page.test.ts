/** The API reference in a real browser: one visit, in which every operation is opened and one is sent. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { tagOf } from '../../src/server/http/descriptions.ts'
import { ANSWERS, EXAMPLES } from '../../src/server/http/examples.ts'
import { ROUTES } from '../../src/server/http/routes/index.ts'
import { browserTest, useRig } from './status/rig.ts'

const rig = useRig()
const SECONDS = 90

/** The words of an operation's part of the page, once all of them are there; what is missing otherwise. */
async function opened(page: Page, id: string, wanted: readonly string[]): Promise<string> {
  const look = async ({ id, wanted }: { id: string; wanted: readonly string[] }) => {
    location.hash = id
    const end = Date.now() + 20_000
    let missing = [`section ${id}`]
    while (Date.now() < end && missing.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const text = document.querySelector(`section[id$=${JSON.stringify(id)}]`)?.textContent
      if (text) missing = wanted.filter((words) => !text.includes(words))
    }
    return missing.join(', ')
  }
  return page.evaluate(look, { id, wanted })
}

/** A name that stands in an example. */
function nameIn(value: unknown): readonly string[] {
  const one = Array.isArray(value) ? value[0] : value
  const [name] = typeof one === 'object' && one !== null ? Object.keys(one) : []
  return name === undefined ? [] : [`"${name}"`]
}

browserTest(
  'the reference opens every operation with its examples, has samples in three languages, finds, and sends',
  async () => {
    const company = await rig.server.company()
    const { page, context, complaints, requests } = await rig.visit(
      { viewport: { width: 1400, height: 900 }, colorScheme: 'dark', locale: 'en-GB' },
      '/docs',
    )
    await page.locator('h1:has-text("cuadra invoicing service")').waitFor({ timeout: SECONDS * 1000 })
    expect(await page.locator('body').getAttribute('class'), 'as the system has it').toContain('dark-mode')
    for (const words of ['Ask AI', 'Share', 'Deploy', 'MCP', 'Powered by', 'Open API Client', 'Register'])
      expect(await page.getByText(words, { exact: false }).filter({ visible: true }).count(), words).toBe(0)

    const missing: string[] = []
    for (const route of ROUTES) {
      const { method, path, summary, body } = route
      const id = `tag/${tagOf(route).toLowerCase()}/${method.toUpperCase()}${path}`
      const answers = Object.values(ANSWERS[`${method} ${path}`] ?? {}).flatMap(nameIn)
      const sent = body?.kind === 'json' ? nameIn(EXAMPLES[`${method} ${path}`]) : []
      const found = await opened(page, id, [summary, path, ...sent, ...answers])
      if (found) missing.push(`${method} ${path}: ${found}`)
    }
    expect(missing).toEqual([])

    // Where the code of the samples is chosen, there are three languages.
    const drafts = page.locator('section[id$="tag/drafts/PUT/drafts"]')
    await opened(page, 'tag/drafts/PUT/drafts', [])
    await drafts.getByRole('button', { name: 'Shell Curl' }).click()
    const offered = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
    expect(offered).toEqual(['Curl', 'Fetch', 'Requests'])
    await page.getByRole('option', { name: 'Requests' }).click()
    await drafts.getByText('requests.put(').first().waitFor()

    // A key that is entered once goes with every request of the page, and an answer is shown.
    const draft = JSON.stringify(EXAMPLES['put /drafts']).replaceAll('B77777779', company.data.tax_id)
    await page.locator('.scalar-password-input').first().fill(company.key)
    await drafts.getByRole('button', { name: 'Test Request' }).click()
    const client = page.getByRole('dialog').filter({ hasText: 'Request Body' })
    const editor = client.locator('.cm-content').filter({ hasText: 'schema_version' })
    await editor.fill(draft)
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/v1.1/drafts'))
    await client.getByRole('button', { name: /^Send/ }).first().click()
    const answer = await answered
    expect([answer.request().method(), answer.status()]).toEqual(['PUT', 201])
    expect(JSON.parse(answer.request().postData() ?? '')).toEqual(JSON.parse(draft))
    await client.getByText('201 Created').first().waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('cancel')
    await page
      .getByRole('option', { name: /Cancel an issued invoice/ })
      .first()
      .waitFor()

    expect(
      requests.filter((url) => !url.startsWith(`${rig.server.url}/`) && !/^(?:data|blob):/.test(url)),
    ).toEqual([])
    expect(complaints.filter((text) => !text.includes('/icon.svg') && !text.includes('404'))).toEqual([])
    await context.close()
  },
  2 * SECONDS,
)
