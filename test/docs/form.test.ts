/** The form of the guide, as a page and as a component, in a browser. */
import { readFileSync } from 'node:fs'
import { buildSync } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { violationsOn } from '#web/test/pages/axe.ts'
import { launch } from '#web/test/playground/site.ts'
import { folderOf, hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { browserMissing } from '../needs.ts'
import { type Served, serveFolder } from '../site/server.ts'
import { blocksOf, ROOT } from './markdown.ts'

const missing = browserMissing ?? ''
const block = (page: string, language: string): string => {
  const found = blocksOf(page).find((one) => one.language === language)
  if (!found) throw new Error(`${page} has no ${language} block`)
  return found.text
}

/** Returns the component as a script of its own page, with React or Preact. */
function component(library: 'react' | 'preact', page = 'site/guides/form.md'): string {
  const root = library === 'react' ? folderOf('guides') : ROOT
  const draw =
    library === 'react'
      ? "import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\ncreateRoot(document.body).render(createElement(InvoiceForm))"
      : "import { createElement, render } from 'preact'\nrender(createElement(InvoiceForm, null), document.body)"
  const source = block(page, 'tsx')
  const { outputFiles } = buildSync({
    stdin: {
      contents: `${library === 'react' ? source : source.replace("from 'react'", "from 'preact/hooks'")}\n${draw}`,
      loader: 'tsx',
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: library,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { cuadra: `${ROOT}dist/index.js` },
    write: false,
    logLevel: 'silent',
  })
  return required(outputFiles[0]).text
}

const PAGES = {
  'plain HTML, in English': ['/en.html', /is not a valid tax id/, ''],
  'plain HTML, in Spanish': ['/es.html', /no es un identificador fiscal válido/, ''],
  'the component in Preact': ['/preact.html', /is not a valid tax id/, ''],
  'the component in Preact, in Spanish': ['/preact-es.html', /no es un identificador fiscal válido/, ''],
  'the component in React': [
    '/react.html',
    /is not a valid tax id/,
    hasSet('guides') ? '' : howToHave('guides'),
  ],
} as const

const shell = (script: string) =>
  `<!doctype html><meta charset="utf-8"><title>x</title><body><script type="module">${script.replaceAll('</script', '<\\/script')}</script>`

describe('the form of the guide', () => {
  let served: Served
  let browser: Browser
  beforeAll(async () => {
    if (missing) return
    served = await serveFolder('/nowhere', {
      '/en.html': block('site/guides/form.md', 'html'),
      '/es.html': block('site/es/guides/form.md', 'html'),
      '/preact.html': shell(component('preact')),
      '/preact-es.html': shell(component('preact', 'site/es/guides/form.md')),
      '/react.html': hasSet('guides') ? shell(component('react')) : '',
      '/cuadra.js': readFileSync(`${ROOT}dist/edge/index.js`, 'utf8'),
    })
    browser = await launch()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await served?.stop()
  })

  for (const [name, [address, message, needs]] of Object.entries(PAGES)) {
    const why = missing || needs
    if (why) it.skip(`${name} (${why})`, () => undefined)
    else
      it(`shows each problem beside its field, also while another field is empty, until it is fixed: ${name}`, async () => {
        const page = await browser.newPage()
        const complaints: string[] = []
        page.on('pageerror', (error) => complaints.push(String(error)))
        await page.goto(`${served.url}${address}`)
        const field = page.locator('[name="/invoice/customer/tax_id"]')
        const said = field.locator('xpath=following-sibling::small')
        await page.locator('[name="/invoice/customer/tax_id"][aria-invalid="true"]').waitFor()
        expect(await said.textContent()).toMatch(message)
        expect(await violationsOn(page, name.startsWith('plain') ? 'html' : 'form')).toEqual([])
        expect(await page.locator('output').textContent()).toBe('54.45')
        const description = page.locator('[name="/invoice/lines/0/item_description"]')
        await description.fill('')
        await page.locator('[name="/invoice/lines/0/item_description"][aria-invalid="true"]').waitFor()
        expect(await said.textContent()).toMatch(message)
        expect(await page.locator('output').textContent()).toBe('–')
        await description.fill('Paper A4')
        await page.getByText('54.45').waitFor()
        await field.fill('B33333337')
        await page.locator('[name="/invoice/customer/tax_id"][aria-invalid="false"]').waitFor()
        expect(await said.textContent()).toBe('')
        await page.locator('[name="/invoice/lines/0/quantity"]').fill('')
        await page.locator('[name="/invoice/lines/0/quantity"][aria-invalid="true"]').waitFor()
        await page.locator('[name="/invoice/lines/0/quantity"]').fill('20')
        await page.getByText('108.90').waitFor()
        expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
        expect(complaints).toEqual([])
        await page.close()
      })
  }
})
