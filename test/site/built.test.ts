/**
 * The built site: every address in its HTML exists, and a browser loads nothing from other sites. Tests `dist/site`, which
 * `npm run test:long` builds first.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { ROOT } from '../docs/markdown.ts'
import { browserMissing } from '../needs.ts'
import { launch } from '../playground/site.ts'
import { LONG } from '../size.ts'
import { fileOf, type Served, serveFolder } from './server.ts'

const SITE = `${ROOT}dist/site`
const missing = !hasSet('site')
  ? howToHave('site')
  : LONG || existsSync(`${SITE}/index.html`)
    ? ''
    : 'no dist/site: npm run docs:site'

const siteTest = (name: string, needs: string, run: () => Promise<void> | void): void => {
  if (missing || needs) it.skip(`${name} (${missing || needs})`, () => undefined)
  else it(name, run, 120_000)
}

beforeAll(() => {
  if (!LONG || missing) return
  const { status, stderr } = spawnSync('node', ['scripts/site.mjs'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}, 600_000)

const htmlFiles = () =>
  (readdirSync(SITE, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.html') && !file.startsWith('playground'),
  )

const { address: base } = JSON.parse(readFileSync(`${ROOT}src/site/site.json`, 'utf8'))
const ADDRESS = /<(?:a|link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g

describe('the built site', () => {
  siteTest('has no broken links, and loads nothing from other sites', '', () => {
    const broken = new Set<string>()
    for (const file of htmlFiles()) {
      const html = readFileSync(`${SITE}/${file}`, 'utf8')
      for (const [tag, address = ''] of html.matchAll(ADDRESS)) {
        const local = base !== null && address.startsWith(`${base}/`) ? address.slice(base.length) : address
        if (/^https?:/.test(local)) {
          // Other sites may be linked to, but not loaded from.
          if (!tag.startsWith('<a')) broken.add(`${file}: ${tag}`)
        } else if (local.startsWith('/')) {
          const [path = ''] = local.split('#')
          if (fileOf(SITE, path) === null) broken.add(`${file}: ${local}`)
        }
      }
    }
    expect([...broken]).toEqual([])
  })

  siteTest('has every page as Markdown, and the files for programs', '', () => {
    for (const file of htmlFiles().filter((one) => one !== '404.html'))
      expect(existsSync(`${SITE}/${file.replace(/html$/, 'md')}`), file).toBe(true)
    // A sitemap needs the address of the site.
    const sitemap = base === null ? [] : ['sitemap.xml']
    for (const file of ['llms.txt', 'llms-full.txt', ...sitemap, 'robots.txt', 'schemas/input.json'])
      expect(existsSync(`${SITE}/${file}`), file).toBe(true)
  })
})

describe('the built site in a browser', () => {
  const needs = browserMissing ?? ''
  let served: Served
  let browser: Browser
  beforeAll(async () => {
    if (missing || needs) return
    served = await serveFolder(SITE)
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.stop()
  })

  for (const [start, button, query, wanted] of [
    ['/', 'Search', 'iban_invalid', '/codes/iban_invalid'],
    ['/es/', 'Buscar', 'ventanilla única', '/es/guides/one-stop-shop'],
  ] as const)
    siteTest(`finds "${query}" from ${start}, without requests to other sites`, needs, async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const elsewhere: string[] = []
      const complaints: string[] = []
      await context.route('**', (route) => {
        if (route.request().url().startsWith(served.url)) return route.continue()
        elsewhere.push(route.request().url())
        return route.abort()
      })
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(`${served.url}${start}`)
      await page.getByRole('button', { name: button }).first().click()
      await page.locator('#localsearch-input').fill(query)
      await page.locator(`.results a[href^="${wanted}"]`).first().click()
      await page.waitForURL((url) => url.pathname === wanted)
      await page.locator('h1').first().waitFor()
      expect(elsewhere).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    })
})
