/** The list of problems: what, where, how to mend it, the law. Choosing one leads to its place. */
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import { fixesOf } from './assess/fixes.ts'
import type { Problem } from './assess/problems.ts'
import { SeverityIcon } from './parts/icons.tsx'
import { useWords } from './words/ui.ts'

const FIRST = 30

interface ProblemsProps {
  readonly problems: readonly Problem[]
  readonly onGo: (problem: Problem) => void
  readonly onFix: (path: string, value: unknown) => void
}

export const Problems = memo(function Problems({ problems, onGo, onFix }: ProblemsProps) {
  const { words } = useWords()
  const [all, showAll] = useState(false)
  if (problems.length === 0) return null
  const shown = all ? problems : problems.slice(0, FIRST)
  return (
    <section class="block" aria-labelledby="problems-title">
      <h2 id="problems-title">{words.problems}</h2>
      <ul class="problems">
        {shown.map((problem) => (
          <ProblemItem key={`${problem.code} ${problem.path}`} problem={problem} onGo={onGo} onFix={onFix} />
        ))}
      </ul>
      {shown.length < problems.length ? (
        <button type="button" class="plain" onClick={() => showAll(true)}>
          {words.more(problems.length - shown.length)}
        </button>
      ) : null}
    </section>
  )
})

interface ItemProps {
  readonly problem: Problem
  readonly onGo: ProblemsProps['onGo']
  readonly onFix: ProblemsProps['onFix']
}

const ProblemItem = memo(function ProblemItem({ problem, onGo, onFix }: ItemProps) {
  const { words } = useWords()
  const { severity, what, mend, law, code, path, line, column, missing } = problem
  const fixes = fixesOf(problem)
  return (
    <li class={`problem problem-${severity}`}>
      <button type="button" class="problem-go" onClick={() => onGo(problem)}>
        <SeverityIcon severity={severity} />
        <span class="problem-body">
          <span class="problem-what">
            <span class="unseen">{words[severity]}: </span>
            {what}
          </span>
          {mend ? <span class="problem-mend">{mend}</span> : null}
          <span class="problem-place">
            <span class="problem-line">{words.line(line)}</span>
            {code.startsWith('json.') ? (
              <span>{words.column(column)}</span>
            ) : (
              <code>{path || words.whole}</code>
            )}
            {missing.length > 0 ? <span class="tag">{words.missing(missing.join('/'))}</span> : null}
          </span>
          <span class="problem-law">
            <code>{code}</code>
            {law ? ` · ${law}` : null}
          </span>
        </span>
      </button>
      {fixes.length > 0 ? (
        <p class="fixes">
          {fixes.map(({ value }) => (
            <button type="button" class="fix" key={String(value)} onClick={() => onFix(path, value)}>
              {value === undefined ? words.takeOut : `${words.use} ${value}`}
            </button>
          ))}
        </p>
      ) : null}
    </li>
  )
})
