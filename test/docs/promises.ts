import { required } from '#core/errors/index.ts'

/**
 * Expected values in code: `expression // => value`, or the value in a separate comment line below the expression.
 * Other lines are statements.
 */

const BESIDE = /^(.*\S)\s+\/\/ => (.+)$/
const BELOW = /^\s*\/\/ => (.+)$/

/** Returns the code with each expected value as `check(expression, value, text)`, and their number. */
export function withChecks(code: string): { readonly code: string; readonly count: number } {
  const lines: string[] = []
  let count = 0
  const check = (expression: string, value: string) => {
    count += 1
    lines.push(`;check(${expression}, ${value}, ${JSON.stringify(expression)});`)
  }
  for (const line of code.split('\n')) {
    const below = BELOW.exec(line)
    const beside = below ? null : BESIDE.exec(line)
    if (below) check(required(lines.pop()), required(below[1]))
    else if (beside) check(required(beside[1]), required(beside[2]))
    else lines.push(line)
  }
  return { code: lines.join('\n'), count }
}
