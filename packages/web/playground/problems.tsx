/** The list of problems: message, fix, location and law. Selecting a problem goes to its location. */
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'
import type { Locale } from '#engine/index.ts'
import { FixButton, LinkButton, QuietButton } from '../parts/page-parts.tsx'
import type { Fix, Problem } from './assess/assess-problems.ts'
import { labelOf } from './messages/field-labels.ts'
import { fixName } from './messages/fix-name.ts'
import { fieldLocation, plainProblem, quote, valueName } from './messages/plain-language.ts'
import { useMessages } from './messages/ui.ts'
import { CodeLink, SeverityIcon, SeverityLabel } from './parts/playground-parts.tsx'

const SHOWN_AT_FIRST = 30

interface ProblemsProps {
  readonly problems: readonly Problem[]
  /** Whether to use plain language, for the form, instead of member names and codes. */
  readonly plain: boolean
  readonly onGo: (problem: Problem) => void
  readonly onFix: (path: string, fix: Fix) => void
}

export const Problems = memo(function Problems({ problems, plain, onGo, onFix }: ProblemsProps) {
  const { messages } = useMessages()
  const [all, showAll] = useState(false)
  if (problems.length === 0) return null
  const shown = all ? problems : problems.slice(0, SHOWN_AT_FIRST)
  return (
    <section class="block" aria-labelledby="problems-title">
      <h2 id="problems-title">{messages.problems}</h2>
      <ul class="problems">
        {shown.map((problem) => (
          <ProblemItem
            key={`${problem.code} ${problem.path}`}
            problem={problem}
            plain={plain && !problem.code.startsWith('json.')}
            onGo={onGo}
            onFix={onFix}
          />
        ))}
      </ul>
      {shown.length < problems.length ? (
        <LinkButton onClick={() => showAll(true)}>{messages.more(problems.length - shown.length)}</LinkButton>
      ) : null}
    </section>
  )
})

/** Whether a citation refers to the API specification. The form does not show such citations. */
const isOfApi = (law: string): boolean => /^(?:API|especificación de la API)/.test(law)

interface ItemProps extends Pick<ProblemsProps, 'plain' | 'onGo' | 'onFix'> {
  readonly problem: Problem
}

/** Line and JSON Pointer of a problem, and the missing members. */
function TextLocation({ problem }: Pick<ItemProps, 'problem'>) {
  const { messages } = useMessages()
  const { code, path, line, column, missing } = problem
  return (
    <>
      <span class="problem-line">{messages.line(line)}</span>
      {code.startsWith('json.') ? (
        <span>{messages.column(column)}</span>
      ) : (
        <code>{path || messages.whole}</code>
      )}
      {missing.length > 0 ? <span class="tag">{messages.missing(missing.join('/'))}</span> : null}
    </>
  )
}

const plainName = (value: unknown, isField: boolean, locale: Locale): string =>
  isField
    ? quote(labelOf(String(value).split('.').at(-1) ?? '', locale), locale)
    : typeof value === 'string'
      ? valueName(value, locale)
      : String(value)

const ProblemItem = memo(function ProblemItem({ problem, plain, onGo, onFix }: ItemProps) {
  const { locale, messages } = useMessages()
  const { severity, law, code, path, fixes } = problem
  const shown = (value: unknown, isField: boolean) =>
    plain ? plainName(value, isField, locale) : String(value)
  const { message, fix } = plain ? plainProblem(problem, locale) : problem
  return (
    <li class={`problem problem-${severity}`}>
      <button type="button" class="problem-go" onClick={() => onGo(problem)}>
        <SeverityIcon severity={severity} />
        <span class="problem-body">
          <span class="problem-message">
            <SeverityLabel severity={severity} />
            {message}
          </span>
          {fix ? <span class="problem-fix">{fix}</span> : null}
          <span class="problem-location">
            {plain ? (
              <span class="problem-line">{fieldLocation(path, locale)}</span>
            ) : (
              <TextLocation problem={problem} />
            )}
          </span>
        </span>
      </button>
      <p class="problem-law">
        <CodeLink code={code}>{plain ? messages.moreOnCode : <code>{code}</code>}</CodeLink>
        {law && !(plain && isOfApi(law)) ? ` · ${law}` : null}
      </p>
      {fixes.length > 0 ? (
        <p class="fixes">
          {fixes.map((fix) => (
            <FixButton key={String(fix.to ?? fix.value)} onClick={() => onFix(path, fix)}>
              {fixName(fix, messages, shown)}
            </FixButton>
          ))}
        </p>
      ) : null}
    </li>
  )
})

interface ToFillInProps {
  readonly hints: readonly Problem[]
  readonly onGo: (problem: Problem) => void
  readonly onCheck: () => void
}

/** Lists the fields that an invoice started from scratch still lacks. They are not errors yet. */
export function MissingFields({ hints, onGo, onCheck }: ToFillInProps) {
  const { locale, messages } = useMessages()
  if (hints.length === 0) return null
  return (
    <section class="block" aria-labelledby="hints-title">
      <h2 id="hints-title">{messages.toFillIn}</h2>
      <ul class="hints">
        {hints.slice(0, SHOWN_AT_FIRST).map((hint) => (
          <li key={`${hint.code} ${hint.path}`}>
            <LinkButton onClick={() => onGo(hint)}>{fieldLocation(hint.path, locale)}</LinkButton>
          </li>
        ))}
      </ul>
      <QuietButton onClick={onCheck}>{messages.checkNow}</QuietButton>
    </section>
  )
}
