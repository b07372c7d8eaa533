/** Compares the WebAssembly module with the same engine in JavaScript: size, start, call and memory. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { answer } from '../dist/request/index.js'
import { engineOf } from '../dist/wasm/node.js'
import { invoiceOf } from './documents.mjs'
import { measure, median } from './measure.mjs'

const ROUNDS = 9
const STARTS = 9
const CALLS = 10_000

const requestOf = (lines) => JSON.stringify({ op: 'validate', document: invoiceOf(lines) })
const timed = (task) => {
  const start = performance.now()
  const result = task()
  return [performance.now() - start, result]
}
const us = (value) => Math.round(value).toLocaleString('en')

/** Returns the Markdown lines of the results page. */
export function wasmSection() {
  const bytes = readFileSync(new URL('../dist/cuadra.wasm', import.meta.url))
  const request = requestOf(10)
  const starts = Array.from({ length: STARTS }, () => {
    const [compile, module] = timed(() => new WebAssembly.Module(bytes))
    const [instantiate, engine] = timed(() => engineOf(module))
    const [first] = timed(() => engine.answer(request))
    return { compile, instantiate, first }
  })
  const of = (name) => `${median(starts.map((start) => start[name])).toFixed(1)} ms`

  const engine = engineOf(new WebAssembly.Module(bytes))
  const rows = [1, 10, 100].map((lines) => {
    const text = requestOf(lines)
    const [wasm, esm] = measure([() => engine.answer(text), () => answer(text)], 3000 / lines, ROUNDS)
    return `| ${lines} | ${us(wasm)} us | ${us(esm)} us | ${(wasm / esm).toFixed(1)}x |`
  })
  const before = engine.memory()
  for (let i = 0; i < CALLS; i++) engine.answer(request)
  const after = engine.memory()
  return [
    '## WebAssembly',
    '',
    `${(bytes.length / 1024).toFixed(0)} KB, ${(gzipSync(bytes, { level: 9 }).length / 1024).toFixed(0)} KB gzip. Compile ${of('compile')}, instantiate ${of('instantiate')}, first answer ${of('first')} (medians of ${STARTS} starts).`,
    '',
    '| lines | WebAssembly | the same in JavaScript | ratio |',
    '|--:|--:|--:|--:|',
    ...rows,
    '',
    `- Memory before and after ${CALLS.toLocaleString('en')} calls: ${before.toLocaleString('en')} and ${after.toLocaleString('en')} bytes.`,
    '',
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(wasmSection().join('\n'))
