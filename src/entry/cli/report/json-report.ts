/** Reports JSON: one outcome, an array of outcomes, or one outcome per line. */
import type { Settings } from '../input/input-settings.ts'
import type { Reporter } from './reporter.ts'

const indented = (value: unknown): string => JSON.stringify(value, null, 2)

export function reportJson({ shape, quiet }: Settings): Reporter {
  if (shape === 'single') return { one: ({ outcome }) => `${indented(outcome)}\n` }
  if (shape === 'several')
    return {
      begin: '[\n',
      separator: ',\n',
      one: ({ file, outcome }) => `  ${indented({ file, ...outcome }).replaceAll('\n', '\n  ')}`,
      end: ({ documents }) => (documents === 0 ? ']\n' : '\n]\n'),
    }
  return {
    one: ({ file, index, line, outcome }) =>
      quiet && outcome.is_valid
        ? ''
        : `${JSON.stringify(index === null ? { file, ...outcome } : { file, index, line, ...outcome })}\n`,
  }
}
