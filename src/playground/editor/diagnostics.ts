/** Problems as the editor marks them. */
import type { Diagnostic } from '@codemirror/lint'
import { fixesOf } from '../assess/fixes.ts'
import type { Problem } from '../assess/problems.ts'
import type { UiWords } from '../words/ui.ts'

/** More marks than this would only slow the editor down; the list has them all. */
const MOST = 200

export const diagnosticsOf = (
  problems: readonly Problem[],
  words: UiWords,
  onFix: (path: string, value: unknown) => void,
): Diagnostic[] =>
  problems.slice(0, MOST).map((problem) => ({
    from: problem.start,
    to: problem.end,
    severity: problem.severity,
    source: [problem.code, problem.law].filter(Boolean).join(' · '),
    message: [`${words[problem.severity]}: ${problem.what}`, problem.mend].filter(Boolean).join('\n'),
    actions: fixesOf(problem).map(({ value }) => ({
      name: value === undefined ? words.takeOut : `${words.use} ${value}`,
      apply: () => onFix(problem.path, value),
    })),
  }))
