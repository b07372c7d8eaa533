/**
 * Measures the cost of an invoice PDF: the CPU time of one page and of 500 lines in each design, and the memory over
 * 1,000 PDFs.
 *
 * Run `node bench/pdf.mjs` after `npm run build`, which generates texts. The script bundles the current sources.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { readOptions } from '../scripts/options.mjs'

readOptions({
  about: 'Measures the cost of an invoice PDF: CPU time in each design, memory over 1,000 PDFs.',
})
const root = fileURLToPath(new URL('..', import.meta.url))
/** Path of the bundle. It is in the project folder, where Node finds its imports. */
const bundle = `${root}node_modules/.cuadra-bench-pdf.mjs`

await build({
  stdin: {
    contents: `export { renderPdf, TEMPLATES } from './packages/pdf/src/index.ts'
export { ordinary, full } from './packages/pdf/test/samples.ts'`,
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile: bundle,
  logLevel: 'error',
})
const { renderPdf, ordinary, full } = await import(pathToFileURL(bundle).href).finally(() => rmSync(bundle))

const timestamp = '2026-03-05T12:00:00Z'
const MB = 1024 * 1024

/** Returns the mean CPU milliseconds per call, and the size of the output. */
async function cost(work, times) {
  const before = process.cpuUsage()
  let size = 0
  for (let time = 0; time < times; time++) size = (await work()).length
  const { user, system } = process.cpuUsage(before)
  return { milliseconds: (user + system) / 1000 / times, size }
}

const row = (name, { milliseconds, size }) =>
  console.log(
    `${name.padEnd(34)} ${milliseconds.toFixed(1).padStart(8)} ms CPU ${(size / 1024).toFixed(0).padStart(6)} KB`,
  )

for (const template of ['classic-blue', 'modern-blue', 'compact-blue']) {
  const one = ordinary()
  const two = full()
  const long = ordinary({ lines: 500 })
  row(`${template}, first in its thread`, await cost(() => renderPdf(one, { template, timestamp }), 1))
  await cost(() => renderPdf(one, { template, timestamp }), 30)
  row(`${template}, one page`, await cost(() => renderPdf(one, { template, timestamp }), 50))
  row(`${template}, everything`, await cost(() => renderPdf(two, { template, timestamp }), 20))
  const xml = '<rsm:CrossIndustryInvoice/>'
  row(
    `${template}, with embedded XML`,
    await cost(() => renderPdf(one, { template, timestamp, facturx: { xml } }), 20),
  )
  row(`${template}, 500 lines`, await cost(() => renderPdf(long, { template, timestamp }), 3))
}

const memory = []
for (let render = 0; render <= 1000; render++) {
  await renderPdf(ordinary({ lines: 1 + (render % 12) }), { template: 'modern-blue', timestamp })
  if (render % 250 === 0) {
    globalThis.gc?.()
    memory.push(process.memoryUsage())
  }
}
console.log(
  `memory after 0, 250, 500, 750, 1000 renders: ${memory.map(({ rss }) => Math.round(rss / MB)).join(', ')} MB RSS;` +
    ` heap ${memory.map(({ heapUsed }) => Math.round(heapUsed / MB)).join(', ')} MB${globalThis.gc ? '' : ' (without --expose-gc)'}`,
)
