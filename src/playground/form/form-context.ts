/** What every field of the form needs: how to write, and which values there are. */
import type { Locale } from '../../api/index.ts'
import { valueAt } from '../../invoice/index.ts'
import type { Problem } from '../assess/problems.ts'
import type { Change } from '../document/edit.ts'
import type { ChoiceContext } from '../words/catalog-names.ts'
import { labelOf } from '../words/labels.ts'

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

/** A member of the document with what its field needs. */
export interface MemberProps {
  readonly label: string
  readonly path: string
  readonly value: unknown
  readonly problems: readonly Problem[]
  readonly change: FormContext['change']
}

export const problemsAt = (map: ProblemMap, paths: readonly string[]): readonly Problem[] =>
  paths.flatMap((path) => map.get(path) ?? [])

interface MembersOf {
  /** Where `node` stands in the document. */
  readonly base: string
  readonly node: unknown
  readonly problems: ProblemMap
  readonly locale: Locale
  readonly change: FormContext['change']
}

/** What the field of a member of an object needs, by the pointer from that object to it. */
export const membersOf =
  ({ base, node, problems, locale, change }: MembersOf) =>
  (pointer: string): MemberProps => {
    const path = `${base}/${pointer}`
    const label = labelOf(pointer.slice(pointer.lastIndexOf('/') + 1), locale)
    return {
      label,
      path,
      value: valueAt(node, `/${pointer}`),
      problems: problemsAt(problems, [path]),
      change,
    }
  }
