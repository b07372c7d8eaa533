/**
 * `npm run bench`: measures the cost of validation as median CPU times. The baseline in the same run is `JSON.parse` +
 * `JSON.stringify` of the same document. Writes `bench/validating.md`.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { validate } from '../dist/index.js'
import { invoiceOf } from './documents.mjs'
import { measure } from './measure.mjs'
import { recordSection } from './records.mjs'
import { wasmSection } from './wasm.mjs'
import { xmlSection } from './xml.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const SIZES = [1, 10, 100, 1000, 10_000]
const ROUNDS = 15

/** Bundles the schema stage for this measurement, because the package does not export it. */
const schemaStage = async () => {
  const outfile = `${root}dist/bench-schema.js`
  await build({
    stdin: {
      contents: `export { checkSchema } from './src/invoice/schema-check.ts'`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'silent',
  })
  return (await import(pathToFileURL(outfile).href)).checkSchema
}

const checkSchema = await schemaStage()
const rows = []
for (const lines of SIZES) {
  const document = invoiceOf(lines)
  const text = JSON.stringify(document)
  const answer = JSON.stringify(validate(document))
  const parsed = JSON.parse(text)
  const [json, schema, whole, bytes, answerJson] = measure(
    [
      () => JSON.stringify(JSON.parse(text)),
      () => checkSchema(parsed, 'draft'),
      () => validate(parsed),
      () => JSON.stringify(validate(JSON.parse(text))),
      () => JSON.stringify(JSON.parse(answer)),
    ],
    Math.max(4, Math.floor(30_000 / lines)),
    ROUNDS,
  )
  rows.push({ lines, size: text.length, answerSize: answer.length, json, schema, whole, bytes, answerJson })
}

const us = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))
const ratio = (value) => `${value.toFixed(2)}x`
const table = [
  '| lines | document | answer | parse + stringify | schema only | validate (parsed) | ratio | bytes to bytes | ratio | of the answer’s own parse + stringify | per line |',
  '|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ...rows.map(
    (row) =>
      `| ${row.lines} | ${(row.size / 1024).toFixed(1)} KB | ${(row.answerSize / 1024).toFixed(1)} KB | ${us(row.json)} us | ${us(row.schema)} us | ${us(row.whole)} us | ${ratio(row.whole / row.json)} | ${us(row.bytes)} us | ${ratio(row.bytes / row.json)} | ${ratio(row.bytes / row.answerJson)} | ${(row.whole / row.lines).toFixed(2)} us |`,
  ),
]
const perLine = (lines) => {
  const row = rows.find((found) => found.lines === lines)
  return row.whole / row.lines
}
const ten = rows.find((row) => row.lines === 10)
const summary = [
  `10 lines, parsed: ${us(ten.whole)} us of CPU (goal 10 us), ${ratio(ten.whole / ten.json)} of JSON.parse + JSON.stringify of the document (limit 1x).`,
  `Per line, 10,000 against 100 lines: ${ratio(perLine(10_000) / perLine(100))} (goal 1.15x).`,
  `Bytes to bytes, 10 lines: ${ratio(ten.bytes / ten.json)} of parse + stringify of the document (goal 2x); the answer is ${ratio(ten.answerSize / ten.size)} the document’s size.`,
]
const page = [
  '# What validating costs',
  '',
  `Created by \`npm run bench\` on Node ${process.version}, ${cpus().length} cores. CPU time, medians of ${ROUNDS} rounds. Ratios are more reliable than absolute figures.`,
  '',
  ...table,
  '',
  ...summary.map((line) => `- ${line}`),
  '',
  ...recordSection(),
  ...(await xmlSection()),
  ...wasmSection(),
].join('\n')
writeFileSync(`${root}bench/validating.md`, page)
console.log(page)
