/** The two halves of the page: the invoice as it is written, and what came of it. */
import type { Assessment } from './assess/assess.ts'
import { Editor } from './editor/editor.tsx'
import { Form } from './form/form.tsx'
import type { ChoiceContext } from './messages/catalog-names.ts'
import { type UiMessages, useMessages } from './messages/ui.ts'
import type { Answer, Navigation, Source } from './navigation.ts'
import { OutputTab } from './output/tab.tsx'
import { Paper } from './paper/paper.tsx'
import { useLater } from './parts/hooks.ts'
import { Boundary } from './parts/parts.tsx'
import { panelId, type Tab, Tabs, tabId } from './parts/tabs.tsx'
import { Problems, ToFillIn } from './problems.tsx'
import { Totals } from './totals/totals.tsx'
import { Verdict } from './verdict.tsx'
import type { Workspace } from './workspace.ts'

function badgeOf(messages: UiMessages, errors: number, warnings: number): Tab<string>['badge'] {
  if (errors > 0) return { count: errors, kind: 'error', label: messages.errors(errors) }
  return warnings > 0 ? { count: warnings, kind: 'warning', label: messages.warnings(warnings) } : undefined
}

interface ColumnProps {
  readonly workspace: Workspace
  readonly navigation: Navigation
  readonly wide: boolean
  readonly choices: ChoiceContext
  readonly onFix: (path: string, value: unknown) => void
}

const isSource = (id: Source | Answer): id is Source => id === 'json' || id === 'form'

const isVisible = (id: Source | Answer, { source, answer, side }: Navigation, wide: boolean): boolean =>
  (isSource(id) ? source : answer) === id && (wide || side === (isSource(id) ? 'source' : 'answer'))

const panelOf = (id: Source | Answer, navigation: Navigation, wide: boolean) => ({
  id: panelId(id),
  role: 'tabpanel' as const,
  'aria-labelledby': tabId(id),
  hidden: !isVisible(id, navigation, wide),
  class: `panel panel-${id}`,
})

const sourceTabs = (messages: UiMessages): readonly Tab<Source>[] => [
  { id: 'json', label: messages.json },
  { id: 'form', label: messages.form },
]

const answerTabs = (messages: UiMessages, { errors, warnings }: Assessment): readonly Tab<Answer>[] => [
  { id: 'checks', label: messages.checks, badge: badgeOf(messages, errors, warnings) },
  { id: 'paper', label: messages.paper },
  { id: 'output', label: messages.output },
]

/** The document; on a narrow page its tabs are those of the answers, too. */
export function SourceColumn({ workspace, navigation, wide, choices, onFix }: ColumnProps) {
  const { messages } = useMessages()
  const { text, settings, assessment, write, change, see } = workspace
  const { source, answer, side, target, show, goToProblem } = navigation
  const facts = { ...choices, operation: assessment.operation, today: settings.today }
  const sources = sourceTabs(messages)
  const onFault = () => {
    if (assessment.problems[0]) goToProblem(assessment.problems[0])
  }
  return (
    <section class="column column-source" aria-label={messages.source}>
      {wide ? (
        <Tabs name={messages.views} tabs={sources} chosen={source} onChoose={show} />
      ) : (
        <>
          <Verdict assessment={assessment} />
          <Tabs
            name={messages.views}
            tabs={[...sources, ...answerTabs(messages, assessment)]}
            chosen={side === 'source' ? source : answer}
            onChoose={show}
          />
        </>
      )}
      <div {...panelOf('json', navigation, wide)}>
        <Boundary>
          <Editor
            text={text}
            problems={assessment.problems}
            facts={facts}
            visible={isVisible('json', navigation, wide)}
            onText={write}
            onFix={onFix}
            target={target}
          />
        </Boundary>
      </div>
      <div {...panelOf('form', navigation, wide)}>
        {source === 'form' ? (
          <Boundary>
            <Form assessment={assessment} choices={choices} change={change} onFault={onFault} onSeen={see} />
          </Boundary>
        ) : null}
      </div>
    </section>
  )
}

/** What came of it: the verdict, the problems with the totals, and the printed page. */
export function AnswerColumn({ workspace, navigation, wide, onFix }: Omit<ColumnProps, 'choices'>) {
  const { messages } = useMessages()
  const { assessment, settings, change, see } = workspace
  const { answer, source, show, goTo, goToProblem } = navigation
  // Nobody reads the paper while typing; what is not even in sight can wait longer.
  const printed = useLater(assessment, answer === 'checks' ? 250 : 30)
  return (
    <section class="column column-answer" aria-label={messages.answers} id="verdict" tabIndex={-1}>
      {wide ? (
        <>
          <Verdict assessment={assessment} />
          <Tabs
            name={messages.answers}
            tabs={answerTabs(messages, assessment)}
            chosen={answer}
            onChoose={show}
          />
        </>
      ) : null}
      <div {...panelOf('checks', navigation, wide)}>
        <Boundary>
          <ToFillIn hints={assessment.hints} onGo={goToProblem} onCheck={() => see('all')} />
          <Problems
            problems={assessment.problems}
            plain={source === 'form'}
            onGo={goToProblem}
            onFix={onFix}
          />
          <Totals assessment={assessment} onField={goTo} onChange={change} />
        </Boundary>
      </div>
      {/* Scrolls, and has nothing else that could take the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div {...panelOf('paper', navigation, wide)} tabIndex={0}>
        <Boundary>
          <Paper assessment={printed} verifiable={settings.company.verifactu !== 'no'} />
        </Boundary>
      </div>
      <div {...panelOf('output', navigation, wide)}>
        {answer === 'output' ? (
          <Boundary>
            <OutputTab assessment={printed} settings={settings} plain={source === 'form'} onChange={change} />
          </Boundary>
        ) : null}
      </div>
    </section>
  )
}
