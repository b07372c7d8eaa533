/** What every field of the form needs: how to write, and which values there are. */
import type { Problem } from '../assess/problems.ts'
import type { Change } from '../document/edit.ts'
import type { ChoiceContext } from '../words/catalog-names.ts'

export interface FormContext {
  readonly change: (changes: readonly Change[]) => void
  /** The same object as long as language, tax group, date and direction are the same. */
  readonly choices: ChoiceContext
}

/** Problems by path. */
export type ProblemMap = ReadonlyMap<string, readonly Problem[]>

export function problemMap(problems: readonly Problem[]): ProblemMap {
  const map = new Map<string, Problem[]>()
  for (const problem of problems) {
    const at = map.get(problem.path)
    if (at) at.push(problem)
    else map.set(problem.path, [problem])
  }
  return map
}

export const problemsAt = (map: ProblemMap, paths: readonly string[]): readonly Problem[] =>
  paths.flatMap((path) => map.get(path) ?? [])
