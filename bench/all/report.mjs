/** Options and report of a part: `node bench/all/engine.mjs [--quick] [--report=FILE]`. */
import { writeFileSync } from 'node:fs'
import { problemsOf } from './form.mjs'

const option = (name) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)

/** Whether to measure only a sample, with few rounds and small counts. */
export const isQuick = process.argv.includes('--quick')
export const ROUNDS = isQuick ? 3 : 9

/** Returns the count, or a tenth of it in a sample. */
export const scale = (count) => (isQuick ? Math.ceil(count / 10) : count)

/** Writes the report to the requested file, or to the terminal. */
export function hand(report) {
  const problems = problemsOf(report)
  if (problems.length > 0) throw new Error(problems.join('; '))
  const text = `${JSON.stringify(report, null, 2)}\n`
  const file = option('report')
  if (file) writeFileSync(file, text)
  else process.stdout.write(text)
}
