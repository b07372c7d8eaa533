/**
 * The built site: every address in its HTML exists, and a browser loads nothing from other sites. Tests `dist/site`, which
 * `npm run test:all` builds first.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemsOf, VIEWS } from '#web/test/pages/axe.ts'
import { launch } from '#web/test/playground/site.ts'
import { hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { ROOT } from '../docs/markdown.ts'
import { browserMissing } from '../needs.ts'
import { ALL, LONG } from '../size.ts'
import { byPage, problemsOfAddresses } from './opened.ts'
import { fileOf, type Served, serveFolder } from './server.ts'

const SITE = `${ROOT}dist/site`
const missing = !hasSet('site')
  ? howToHave('site')
  : ALL || existsSync(`${SITE}/index.html`)
    ? ''
    : 'no dist/site: npm run docs:site'

const siteTest = (name: string, needs: string, run: () => Promise<void> | void): void => {
  if (missing || needs) it.skip(`${name} (${missing || needs})`, () => undefined)
  else it(name, run, LONG ? 7_200_000 : 300_000)
}

beforeAll(() => {
  if (!ALL || missing) return
  const { status, stderr } = spawnSync('node', ['scripts/site.mjs'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}, 600_000)

const htmlFiles = () =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && !file.startsWith('playground'),
  )

const { address: base } = JSON.parse(readFileSync(`${ROOT}src/core/site/site.json`, 'utf8'))
const ADDRESS = /<(?:a|link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g

/** Returns an address in the HTML of a page without the address of the site, so that it begins with `/`. */
const localOf = (address: string): string =>
  base !== null && address.startsWith(`${base}/`) ? address.slice(base.length) : address

/**
 * Returns the addresses of the site that its pages link to; those of other sites are not opened. The fragments of the
 * playground are examples of codes, of which a test below opens some.
 */
function linkedAddresses(): Set<string> {
  const linked = new Set<string>()
  for (const file of htmlFiles()) {
    const page = `http://site/${file.replace(/(?:index)?\.html$/, '')}`
    for (const [, address = ''] of readFileSync(`${SITE}/${file}`, 'utf8').matchAll(
      /<a\b[^>]*?\bhref="([^"]+)"/g,
    )) {
      const { host, pathname, search, hash } = new URL(localOf(address.replaceAll('&amp;', '&')), page)
      if (host === 'site') linked.add(pathname + search + (hash.startsWith('#z=') ? '' : hash))
    }
  }
  return linked
}

describe('the built site', () => {
  siteTest('has no broken links, and loads nothing from other sites', '', () => {
    const broken = new Set<string>()
    for (const file of htmlFiles()) {
      const html = readFileSync(`${SITE}/${file}`, 'utf8')
      for (const [tag, address = ''] of html.matchAll(ADDRESS)) {
        const local = localOf(address)
        if (/^https?:/.test(local)) {
          // Other sites may be linked to, but not loaded from.
          if (!tag.startsWith('<a')) broken.add(`${file}: ${tag}`)
        } else if (local.startsWith('/')) {
          const [path = ''] = local.split(/[?#]/)
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

  siteTest('has pages that weigh less than 100 KB beside the files that all of them share', '', () => {
    const files = htmlFiles()
    const uses = new Map<string, number>()
    const partsOf = (html: string) =>
      new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name = '']) => name))
    const pages = files.map((file) => ({ file, html: readFileSync(`${SITE}/${file}`, 'utf8') }))
    for (const { html } of pages) for (const name of partsOf(html)) uses.set(name, (uses.get(name) ?? 0) + 1)
    const packed = (bytes: Buffer | string) => gzipSync(bytes).length
    const heavy = pages.flatMap(({ file, html }) => {
      const own = [...partsOf(html)].filter((name) => uses.get(name) === 1)
      const bytes = packed(html) + own.reduce((sum, name) => sum + packed(readFileSync(SITE + name)), 0)
      return bytes > 100 * 1024 ? [`${file}: ${Math.round(bytes / 1024)} KB`] : []
    })
    expect(heavy).toEqual([])
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

  /** What readers search for, with the page that must be among the first three results: add a line for a new query. */
  const QUERIES = {
    '/': [
      ['corrective', '/guides/correctives'],
      ['credit note', '/guides/correctives'],
      ['refund', '/guides/shopify-stripe'],
      ['303', '/guides/gestoria'],
      ['cents', '/guides/price-with-tax'],
      ['recargo', '/guides/equivalence-surcharge'],
      ['equivalence surcharge', '/guides/equivalence-surcharge'],
      ['IRPF', '/guides/withholding'],
      ['iban_invalid', '/codes/iban_invalid'],
      ['tax_rate_unknown', '/codes/tax_rate_unknown'],
      ['aeat.1112', '/codes/aeat.1112'],
      ['unit_price_with_tax', '/reference/invoice'],
    ],
    '/es/': [
      ['rectificativa', '/es/guides/correctives'],
      ['abono', '/es/guides/correctives'],
      ['libro de IVA', '/es/guides/gestoria'],
      ['303', '/es/guides/gestoria'],
      ['céntimos', '/es/guides/price-with-tax'],
      ['recargo', '/es/guides/equivalence-surcharge'],
      ['IRPF', '/es/guides/withholding'],
      ['ventanilla única', '/es/guides/one-stop-shop'],
      ['iban_invalid', '/es/codes/iban_invalid'],
    ],
  } as const

  for (const [start, button] of [
    ['/', 'Search'],
    ['/es/', 'Buscar'],
  ] as const)
    siteTest(`finds the right page from ${start}, without requests to other sites`, needs, async () => {
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
      const first = page.locator('.results a.result')
      const pagesOf = async () =>
        (await first.evaluateAll((links) => links.slice(0, 3).map((link) => link.getAttribute('href')))).map(
          (href) => href?.split('#')[0],
        )
      for (const [query, wanted] of QUERIES[start].filter(([, to]) => fileOf(SITE, to) !== null)) {
        await page.locator('#localsearch-input').fill(query)
        await expect.poll(pagesOf, { message: query, timeout: 20_000 }).toContain(wanted)
        if (start === '/es/')
          expect(await pagesOf(), `${query}: only pages in Spanish`).not.toContain(wanted.slice(3))
      }
      await page.locator('.results .excerpt').first().waitFor()
      await first.first().click()
      await page.waitForURL((url) => url.pathname !== start)
      await page.locator('h1').first().waitFor()
      expect(elsewhere).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    })

  siteTest('opens the example of a code in the playground, with the problem', needs, async () => {
    const page = await browser.newPage()
    for (const code of ['tax_rate_unknown', 'totals_mismatch', 'oss_regime_not_registered']) {
      await page.goto(`${served.url}/codes/${code}`)
      await page.getByRole('link', { name: 'Open this example in the playground' }).click()
      await page.getByText(code).first().waitFor()
    }
    await page.close()
  })

  /**
   * Whether a run opens an address. The pages of codes are made alike, so only a long run opens all of them; otherwise
   * every fiftieth. The sample opens only what needs JavaScript: the playground.
   */
  const isOpened = (address: string, index: number): boolean =>
    LONG ||
    address.startsWith('/playground/') ||
    (ALL && (index % 50 === 0 || !/^\/(?:es\/)?codes\/./.test(address)))

  siteTest('shows the content of every address that its pages link to', needs, async () => {
    const opened = [...linkedAddresses()].sort().filter(isOpened)
    expect(opened).toContain('/playground/?example=02-shop-prices-with-tax')
    expect(await problemsOfAddresses(browser, served.url, byPage(opened))).toEqual([])
  })

  /** A page of each kind, in both languages. */
  const KINDS = [
    ...['/', '/guides/start', '/guides/form', '/guides/spreadsheet', '/codes/', '/codes/iban_invalid'],
    ...['/reference/invoice', '/reference/api', '/reference/bench', '/project/readme', '/404'],
    ...['/es/', '/es/guides/start', '/es/codes/', '/es/codes/iban_invalid', '/playground/'],
    ...['/es/reference/invoice', '/es/reference/api'],
  ]

  siteTest('has no violations of accessibility, and fits, in light, dark and on phones', needs, async () => {
    const views = Object.values(VIEWS)
    const everything = htmlFiles().map((file) => `/${file.replace(/(?:index)?\.html$/, '')}`)
    const wrong: string[] = []
    const look = async (options: (typeof views)[number], addresses: readonly string[]) => {
      const context = await browser.newContext({ ...options, locale: 'en-GB' })
      const page = await context.newPage()
      for (const address of addresses) {
        await page.goto(`${served.url}${address}`)
        await page.locator('h1').first().waitFor()
        for (const problem of await problemsOf(page)) wrong.push(`${address}: ${problem}`)
      }
      await context.close()
    }
    // Each kind in one view, and in long runs in all views, with every other page in one.
    for (const [at, options] of views.entries())
      await look(options, LONG ? KINDS : KINDS.filter((_, index) => index % views.length === at))
    if (LONG)
      for (const [at, options] of views.entries())
        await look(
          options,
          everything.filter((_, index) => index % views.length === at),
        )
    expect(wrong).toEqual([])
  })
})
