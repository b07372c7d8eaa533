/** Opens addresses in a browser, several tabs at once, and reports the pages that do not show what they promise. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { messageOf } from '../narrow.ts'
import { until } from '../until.ts'

const TABS = 4

/** Addresses of one page, by the page: the parts that the addresses name after `#`. */
export type Addresses = ReadonlyMap<string, ReadonlySet<string>>

/** Groups addresses by their page, so that each page opens only once. */
export function byPage(addresses: Iterable<string>): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>()
  for (const address of addresses) {
    const [page = '', anchor] = address.split('#')
    if (!pages.has(page)) pages.set(page, new Set())
    if (anchor) pages.get(page)?.add(decodeURIComponent(anchor))
  }
  return pages
}

/**
 * Returns an expression: what the page still lacks, or an empty text. A page that runs no JavaScript of the project, such as
 * JSON, needs only text. The playground shows the example that its address names.
 */
const lackOf = (anchors: ReadonlySet<string>, example: string | null): string => `(() => {
  const text = (document.querySelector('main') ?? document.body)?.innerText.trim() ?? ''
  if (text.length < 2) return 'an empty page'
  const isPage = document.doctype !== null && document.querySelector('meta[charset]') !== null
  if (isPage && !document.querySelector('h1')?.innerText.trim()) return 'no heading'
  const missing = ${JSON.stringify([...anchors])}.filter((id) => !document.getElementById(id))
  if (missing.length > 0) return 'no #' + missing.join(', #')
  const example = ${JSON.stringify(example)}
  const chosen = document.querySelector('select#example')
  if (chosen && !document.querySelector('.summary-title')?.innerText) return 'no result of the check'
  return example === null || chosen?.value === example ? '' : 'not the example ' + example
})()`

async function problemOf(page: Page, address: string, anchors: ReadonlySet<string>): Promise<string> {
  const complaints: string[] = []
  page.on('console', (message) => {
    // A browser asks for the icon of a file without HTML by itself.
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !isIcon) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const response = await page.goto(address, { waitUntil: 'domcontentloaded' })
  if ((response?.status() ?? 200) !== 200) return `status ${response?.status()}`
  const expression = lackOf(anchors, new URL(address).searchParams.get('example'))
  let lack = ''
  const isComplete = async () => {
    lack = await page.evaluate<string>(expression)
    return lack === ''
  }
  await until(isComplete, address, { seconds: 15, everyMs: 50 }).catch(() => undefined)
  return [...(lack ? [lack] : []), ...complaints].join('; ')
}

/** Opens a page in a new tab. */
async function openTab(context: BrowserContext, address: string, anchors: ReadonlySet<string>) {
  const page = await context.newPage()
  try {
    return await problemOf(page, address, anchors)
  } catch (error) {
    return messageOf(error)
  } finally {
    await page.close()
  }
}

/** Opens every page, and returns the pages with problems: `/guides/start: no #install`. */
export async function problemsOfAddresses(
  browser: Browser,
  base: string,
  pages: Addresses,
): Promise<string[]> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  const queue = [...pages]
  const problems: string[] = []
  const openNext = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [path, anchors] = next
      const problem = await openTab(context, new URL(path, base).href, anchors)
      if (problem) problems.push(`${path}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: TABS }, openNext))
  await context.close()
  return problems.sort()
}
