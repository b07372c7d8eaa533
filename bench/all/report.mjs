/** Options and report of a part: `node bench/all/engine.mjs --help` prints the options. */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readOptions } from '../../scripts/options.mjs'
import { problemsOf } from './form.mjs'
import { PARTS } from './parts.mjs'

const { values } = readOptions({
  about: PARTS.find(({ name }) => `${name}.mjs` === basename(process.argv[1])).about,
  options: {
    quick: { type: 'boolean', default: false, about: 'measure a sample: few rounds and small counts' },
    report: { type: 'string', value: 'FILE', about: 'write the report to this file instead of printing it' },
  },
})

/** Whether to measure only a sample, with fewer rounds and a tenth of the calls. */
export const isQuick = values.quick
export const ROUNDS = isQuick ? 3 : 9

/** Returns the count, or a tenth of it in a sample. */
export const scale = (count) => (isQuick ? Math.ceil(count / 10) : count)

/** Writes the report to the requested file, or to the terminal. */
export function hand(report) {
  const problems = problemsOf(report)
  if (problems.length > 0) throw new Error(problems.join('; '))
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (values.report) writeFileSync(values.report, text)
  else process.stdout.write(text)
}
