/** Output for programs: the answer, an array of answers, or one answer a line. */
import type { Settings } from '../input/settings.ts'
import type { Reporter } from './reporter.ts'

const indented = (value: unknown): string => JSON.stringify(value, null, 2)

export function reportJson({ shape, quiet }: Settings): Reporter {
  if (shape === 'single') return { one: ({ answer }) => `${indented(answer)}\n` }
  if (shape === 'several')
    return {
      begin: '[\n',
      separator: ',\n',
      one: ({ file, answer }) => `  ${indented({ file, ...answer }).replaceAll('\n', '\n  ')}`,
      end: ({ documents }) => (documents === 0 ? ']\n' : '\n]\n'),
    }
  return {
    one: ({ file, index, line, answer }) =>
      quiet && answer.is_valid
        ? ''
        : `${JSON.stringify(index === null ? { file, ...answer } : { file, index, line, ...answer })}\n`,
  }
}
