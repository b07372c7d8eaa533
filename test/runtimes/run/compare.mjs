/** One runtime against the reference, byte for byte. */
import { OPERATIONS, sampleOf } from '../cases.mjs'
import { asUtf8 } from './reference.mjs'

/** Requests that are sent together: so many, of so many characters at most, unless one alone has more. */
const TOGETHER = 50
const CHARACTERS = 300_000
const START_LIMIT = 90_000
const ANSWER_LIMIT = 120_000
const EXCERPT = 40

/** What runs now. */
const open = new Set()

/** Stops whatever runs: for the end of the program before its time. */
export const stopAll = () => Promise.allSettled([...open].map((running) => running.stop()))

/** A promise that does not wait for ever. */
function within(limit, what, promise) {
  let timer
  const late = new Promise((_, failed) => {
    timer = setTimeout(() => failed(new Error(`${what} after ${limit / 1000} s`)), limit)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The cases in portions that are sent together. */
function* portions(cases) {
  let portion = []
  let length = 0
  for (const one of cases) {
    const own = typeof one.text === 'string' ? one.text.length : 0
    if (portion.length === TOGETHER || (portion.length > 0 && length + own > CHARACTERS)) {
      yield portion
      portion = []
      length = 0
    }
    portion.push(one)
    length += own
  }
  if (portion.length > 0) yield portion
}

/** Where two answers part, with what stands there in both. Positions are bytes of UTF-8. */
export function differenceOf(expected, actual) {
  const [wanted, given] = [expected, actual].map((text) => Buffer.from(String(text), 'utf8'))
  if (wanted.equals(given)) return undefined
  let position = 0
  while (position < wanted.length && wanted[position] === given[position]) position++
  const excerpt = (bytes) => {
    const from = Math.max(0, position - EXCERPT)
    const text = bytes.subarray(from, position + EXCERPT).toString('utf8')
    return `${from > 0 ? '…' : ''}${text}${position + EXCERPT < bytes.length ? '…' : ''}`
  }
  return { position, expected: excerpt(wanted), actual: excerpt(given) }
}

/** Every case through a runtime that was started. */
async function ask(running, runtime, cases, reference, report) {
  for (const portion of portions(cases)) {
    const requests = portion.map(({ text }) => (runtime.wasm ? asUtf8(text) : text))
    const answers = await within(ANSWER_LIMIT, 'no answer', running.answers(requests))
    portion.forEach((one, at) => {
      const difference = differenceOf(reference.of(one, runtime.wasm), answers[at])
      if (!difference) report.equal[one.operation]++
      else report.differences.push({ name: one.name, operation: one.operation, ...difference })
    })
  }
}

/** A sample, and the golden cases where the runtime wants them. */
const chosen = (all, { sample, golden }) => {
  const some = sampleOf(all, sample)
  return golden ? [...new Set([...all.filter((one) => one.golden), ...some])] : some
}

/**
 * What a runtime made of the cases. Never throws: what went wrong is in `failed`, and then no case after it counts.
 *
 * @param {import('./adapters.mjs').Runtime} runtime
 */
export async function compare(runtime, all, reference) {
  const began = performance.now()
  const cases = runtime.sample ? chosen(all, runtime) : all
  const counts = () => Object.fromEntries(OPERATIONS.map((operation) => [operation, 0]))
  const report = {
    name: runtime.name,
    version: '',
    missing: runtime.missing(),
    failed: undefined,
    cases: counts(),
    equal: counts(),
    differences: [],
    seconds: 0,
  }
  if (report.missing) return report
  for (const { operation } of cases) report.cases[operation]++
  try {
    const starting = runtime.start()
    const running = await within(START_LIMIT, 'not started', starting).catch((error) => {
      // Should it start after all, it is stopped.
      starting.then(({ stop }) => stop()).catch(() => {})
      throw error
    })
    report.version = running.version
    open.add(running)
    try {
      await ask(running, runtime, cases, reference, report)
    } finally {
      open.delete(running)
      await running.stop()
    }
  } catch (error) {
    report.failed = error instanceof Error ? error.message : String(error)
  }
  report.seconds = (performance.now() - began) / 1000
  return report
}
