/** The whole comparison: every case, every runtime. */
import { buildCases } from '../cases.mjs'
import { runtimes } from './adapters.mjs'
import { compare } from './compare.mjs'
import { referenceOf } from './reference.mjs'

/** Runtimes that run at the same time. */
const AT_ONCE = 2

/**
 * @param {readonly string[]} [only] Names of the runtimes to run; all without it.
 */
export async function runAll(only) {
  const began = performance.now()
  const chosen = (await runtimes()).filter(({ name }) => !only || only.includes(name))
  const cases = await buildCases()
  const reference = await referenceOf(cases)
  const reports = []
  // The slowest one starts first, so that it does not run alone at the end.
  const isLong = ({ wasm, sample }) => wasm === true && sample === undefined
  const queue = chosen.map((runtime, at) => ({ runtime, at }))
  const waiting = [
    ...queue.filter((one) => isLong(one.runtime)),
    ...queue.filter((one) => !isLong(one.runtime)),
  ]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      reports[next.at] = await compare(next.runtime, cases, reference)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return {
    golden: reference.golden(),
    kinds: reference.kinds(),
    reports,
    seconds: (performance.now() - began) / 1000,
  }
}

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0)

/** Returns the number of answers in a report. */
export const totalsOf = ({ cases, equal }) => ({ cases: sum(cases), equal: sum(equal) })

/** Everything as it should be, but for what is missing. */
export const isEqual = (report) => {
  const { cases, equal } = totalsOf(report)
  return report.failed === undefined && cases === equal
}
