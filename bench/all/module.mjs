/** Measures the WebAssembly module: an invoice of ten lines, and the first response after the start. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { answer } from '../../dist/request/index.js'
import { engineOf } from '../../dist/wasm/node.js'
import { invoiceOf } from '../documents.mjs'
import { cpu, measure, median } from '../measure.mjs'
import { hand, isQuick, ROUNDS } from './report.mjs'

const file = new URL('../../dist/cuadra.wasm', import.meta.url)
const bytes = readFileSync(file)
const requestOf = (lines) => JSON.stringify({ op: 'validate', document: invoiceOf(lines) })
const ten = requestOf(10)

const SCHEDULE = '/proc/thread-self/schedstat'
const idle = new Int32Array(new SharedArrayBuffer(4))
/**
 * Returns the milliseconds of CPU of this thread, because the response does not wait for background compilation.
 * Returns those of the whole process if the system does not report threads. The system updates the value when the
 * thread sleeps.
 */
const own = () => {
  if (!existsSync(SCHEDULE)) return cpu() / 1000
  Atomics.wait(idle, 0, 0, 1)
  return Number(readFileSync(SCHEDULE, 'utf8').split(' ')[0]) / 1e6
}
const timed = (task) => {
  const start = own()
  const result = task()
  return [own() - start, result]
}
const starts = Array.from({ length: isQuick ? 5 : 15 }, () => {
  const [compile, module] = timed(() => new WebAssembly.Module(bytes))
  const [instantiate, engine] = timed(() => engineOf(module))
  const [first] = timed(() => engine.answer(ten))
  const [second] = timed(() => engine.answer(ten))
  return { compile, instantiate, first, second }
})
const of = (name) => median(starts.map((start) => start[name]))

/** Program that measures the first response in a new process: milliseconds of CPU of all threads, and of wall time. */
const FRESH = `
import { readFileSync } from 'node:fs'
import { engineOf } from ${JSON.stringify(new URL('../../dist/wasm/node.js', import.meta.url).href)}
const { file, ten } = JSON.parse(process.argv[1])
const bytes = readFileSync(file)
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const [from, at] = [spent(), performance.now()]
engineOf(new WebAssembly.Module(bytes)).answer(ten)
console.log(JSON.stringify({ cpu: spent() - from, wall: performance.now() - at }))`
const fresh = Array.from({ length: isQuick ? 5 : 15 }, () =>
  JSON.parse(
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', FRESH, JSON.stringify({ file: fileURLToPath(file), ten })],
      { encoding: 'utf8' },
    ),
  ),
)

const engine = engineOf(new WebAssembly.Module(bytes))
const rows = [10, 100].map((lines) => {
  const text = requestOf(lines)
  if (engine.answer(text) !== answer(text)) throw new Error('the module answers something else')
  const [module, script] = measure(
    [() => engine.answer(text), () => answer(text)],
    (isQuick ? 1000 : 4000) / lines,
    ROUNDS,
  )
  return {
    name: `${lines} lines`,
    value: module / 1000,
    unit: 'ms',
    ...(lines === 10 ? { goal: { most: 0.65 } } : {}),
    baseline: { name: 'the same engine in JavaScript', value: script / 1000 },
    ratio: { value: module / script, unit: 'x' },
  }
})

hand({
  rounds: ROUNDS,
  rows: [
    ...rows,
    {
      name: 'first answer of a new instance, ten lines',
      value: of('first'),
      unit: 'ms',
      goal: { most: 10 },
      baseline: { name: 'the second answer', value: of('second') },
      ratio: { value: of('first') / of('second'), unit: 'x' },
    },
  ],
  notes: [
    `${(bytes.length / 1024).toFixed(0)} KB. Compiling takes ${of('compile').toFixed(1)} ms, an instance ${of('instantiate').toFixed(1)} ms. A host compiles only once and can keep the module. The fastest first response: ${Math.min(...starts.map(({ first }) => first)).toFixed(1)} ms. The figures are CPU time of the calling thread.`,
    `In a new process, compiling, instantiating and the first response together take ${median(fresh.map(({ wall }) => wall)).toFixed(1)} ms of wall time, ${median(fresh.map(({ cpu }) => cpu)).toFixed(1)} ms of CPU of all threads, including background compilation.`,
  ],
})
