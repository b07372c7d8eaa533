/** What axe-core finds on a page, and whether the page fits. Needs `dev-packages/browser`. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { requireFrom } from '../../../../scripts/dev-packages.mjs'

let source: string | undefined

const scanOf = (
  part: string,
) => `axe.run(${JSON.stringify(part)}, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap((one) => one.nodes.map((node) => one.id + ' ' + node.target.join(' ') + ' ' + node.failureSummary)))`

const WIDER =
  "document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['wider than the window: ' + document.documentElement.scrollWidth] : []"

/** Returns the violations of WCAG 2.2 AA and of the best practices of axe, on the page or the part with a selector. */
export async function violationsOn(page: Page, part = 'html'): Promise<string[]> {
  source ??= readFileSync(requireFrom('browser').resolve('axe-core/axe.min.js'), 'utf8')
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source)
  return page.evaluate<string[]>(scanOf(part))
}

/** Returns the violations, and whether the page scrolls sideways. */
export const problemsOf = async (page: Page): Promise<string[]> => [
  ...(await violationsOn(page)),
  ...(await page.evaluate<string[]>(WIDER)),
]

/** The views in which every page is checked. */
export const VIEWS = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const
