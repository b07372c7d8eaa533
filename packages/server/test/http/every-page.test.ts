/** Every page of the server in a real browser: accessible, no wider than the window, light, and only from the server. */
import { expect } from 'vitest'
import { ALL } from '#test/size.ts'
import { problemsOf, VIEWS } from '#web/test/pages/axe.ts'
import { browserTest, useFixture } from '#web/test/status/fixture.ts'

const fixture = useFixture()

/** The pages, with what shows that they are complete, and their most kilobytes on the first visit. */
const PAGES = {
  '/': { complete: '.summary', most: 300 },
  '/codes': { complete: 'h1', most: 100 },
  '/es/codes': { complete: 'h1', most: 100 },
  '/codes/tax_rate_unknown': { complete: 'h1', most: 100 },
  '/es/codes/iban_invalid': { complete: 'h1', most: 100 },
  '/status': { complete: '#key', most: 100 },
  // Most of it is Scalar.
  '/docs': { complete: 'section[id$="PUT/drafts"]', most: 1100 },
} as const

for (const [index, [path, { complete, most }]] of Object.entries(PAGES).entries())
  for (const [at, [view, options]] of Object.entries(VIEWS).entries()) {
    // The sample has one view of each page.
    if (!ALL && index % 3 !== at) continue
    browserTest(
      `${path} has no violations of accessibility, fits, and weighs at most ${most} KB (${view})`,
      async () => {
        const { page, context, complaints, requests } = await fixture.openPage(
          { ...options, locale: 'en-GB' },
          '',
        )
        const network = await context.newCDPSession(page)
        await network.send('Network.enable')
        let bytes = 0
        network.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength
        })
        await page.goto(`${fixture.server.url}${path}`, { waitUntil: 'networkidle' })
        await page.locator(complete).first().waitFor()
        expect(await problemsOf(page)).toEqual([])
        expect(complaints.filter((text) => !text.includes('script-src eval'))).toEqual([])
        expect(requests.filter((url) => /^https?:/.test(url) && !url.startsWith(fixture.server.url))).toEqual(
          [],
        )
        expect(Math.round(bytes / 1024)).toBeLessThanOrEqual(most)
        await context.close()
      },
    )
  }
