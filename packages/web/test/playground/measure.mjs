/**
 * Measures the speed of the playground: `node packages/web/test/playground/measure.mjs` after `npm run build -- playground`.
 *
 * First result: from navigation to the result on the page, with the files in the cache of the service worker.
 * Keystroke: from the input event to the result on the page, with 20 lines; and to the next paint.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { requireFrom } from '../../../../scripts/dev-packages.mjs'

const { chromium } = requireFrom('browser')('playwright-core')

const site = new URL('../../../../dist/playground/', import.meta.url).pathname
const types = { js: 'text/javascript', css: 'text/css', html: 'text/html', svg: 'image/svg+xml' }
const sizes = new Map()
const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://x').pathname.slice(1) || 'index.html'
  const file = join(site, name)
  if (!existsSync(file)) return response.writeHead(404).end()
  const content = readFileSync(file)
  sizes.set(name, gzipSync(content, { level: 9 }).length)
  const cache = name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache'
  response.writeHead(200, { 'content-type': types[name.split('.').at(-1)] ?? '', 'cache-control': cache })
  response.end(content)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}/`

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
const measures = (name) => page.evaluate(`performance.getEntriesByName('${name}').map((one) => one.duration)`)
const show = (name, values) =>
  console.log(
    `${name}: median ${at(values, 0.5).toFixed(1)} ms, p95 ${at(values, 0.95).toFixed(1)} ms (${values.length})`,
  )

await page.goto(url)
await page.evaluate('navigator.serviceWorker.ready')
await page.waitForTimeout(1000)
const loads = []
for (let round = 0; round < 10; round++) {
  await page.reload()
  await page.locator('.cm-content').waitFor()
  loads.push((await measures('cuadra:first-check'))[0])
}
show('load to first result, warm cache', loads)

const document = JSON.parse(
  readFileSync(new URL('../../../../examples/01-services-irpf.json', import.meta.url), 'utf8'),
)
const [line] = document.invoice.lines
document.invoice.lines = Array.from({ length: 20 }, (_, index) => ({
  ...line,
  item_description: `Línea ${index}`,
}))
await page.evaluate(
  (text) => {
    addEventListener('pagehide', () => sessionStorage.setItem('cuadra.text', text))
  },
  JSON.stringify(document, null, 2),
)
await page.reload()
await page.locator('.cm-content').waitFor()
await page.waitForTimeout(800)
// To the next paint: event timing, which browsers report from 16 ms.
await page.evaluate(`performance.clearMeasures('cuadra:check'); globalThis.paints = [];
  new PerformanceObserver((list) => paints.push(...list.getEntries().filter((one) => one.name === 'keydown').map((one) => one.duration)))
    .observe({ type: 'event', durationThreshold: 16 })`)
await page.locator('.cm-line', { hasText: '"address": "Calle' }).first().click()
await page.keyboard.press('Home')
for (let step = 0; step < 12; step++) await page.keyboard.press('ArrowRight')
for (let key = 0; key < 100; key++) {
  await page.keyboard.type('abcdefghij'[key % 10])
  await page.waitForTimeout(40)
}
const checks = await measures('cuadra:check')
show('keystroke to result, 20 lines', checks)
await page.waitForTimeout(300)
const paints = await page.evaluate('paints')
const quick = Math.max(0, checks.length - paints.length)
show('keydown to next paint (in steps of 8 ms)', [...Array(quick).fill(8), ...paints])

const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
for (const [name, size] of [...sizes].sort((a, b) => b[1] - a[1]))
  console.log(`${String(size).padStart(8)}  ${name}`)
console.log(`${String(total).padStart(8)}  together, gzip -9`)
await browser.close()
server.close()
