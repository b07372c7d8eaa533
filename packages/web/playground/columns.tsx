/** The two columns of the page: the invoice and its result. */
import type { Assessment } from './assess/assess.ts'
import type { Fix } from './assess/assess-problems.ts'
import { Editor } from './editor/editor.tsx'
import { Form } from './form/form.tsx'
import type { ChoiceContext } from './messages/catalog-names.ts'
import { type UiMessages, useMessages } from './messages/ui.ts'
import type { Navigation, ResultTab, SourceTab } from './navigation.ts'
import { OutputTab } from './output/tab.tsx'
import { InvoicePreview } from './paper/paper.tsx'
import { useDelayed } from './parts/hooks.ts'
import { ErrorBoundary } from './parts/playground-parts.tsx'
import { panelId, type Tab, Tabs, tabId } from './parts/tabs.tsx'
import { MissingFields, Problems } from './problems.tsx'
import { Summary } from './summary.tsx'
import { Totals } from './totals/form-totals.tsx'
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
  readonly onFix: (path: string, fix: Fix) => void
}

const isSource = (id: SourceTab | ResultTab): id is SourceTab => id === 'json' || id === 'form'

const isVisible = (id: SourceTab | ResultTab, { source, result, side }: Navigation, wide: boolean): boolean =>
  (isSource(id) ? source : result) === id && (wide || side === (isSource(id) ? 'source' : 'answer'))

const panelOf = (id: SourceTab | ResultTab, navigation: Navigation, wide: boolean) => ({
  id: panelId(id),
  role: 'tabpanel' as const,
  'aria-labelledby': tabId(id),
  hidden: !isVisible(id, navigation, wide),
  class: `panel panel-${id}`,
})

const sourceTabs = (messages: UiMessages): readonly Tab<SourceTab>[] => [
  { id: 'json', label: messages.json },
  { id: 'form', label: messages.form },
]

const resultTabs = (messages: UiMessages, { errors, warnings }: Assessment): readonly Tab<ResultTab>[] => [
  { id: 'checks', label: messages.checks, badge: badgeOf(messages, errors, warnings) },
  { id: 'paper', label: messages.paper },
  { id: 'output', label: messages.output },
]

/** The column of the document. On a narrow page it also has the tabs of the result. */
export function SourceColumn({ workspace, navigation, wide, choices, onFix }: ColumnProps) {
  const { messages } = useMessages()
  const { text, settings, assessment, write, change, visit } = workspace
  const { source, result, side, target, show, goToProblem } = navigation
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
          <Summary assessment={assessment} />
          <Tabs
            name={messages.views}
            tabs={[...sources, ...resultTabs(messages, assessment)]}
            chosen={side === 'source' ? source : result}
            onChoose={show}
          />
        </>
      )}
      <div {...panelOf('json', navigation, wide)}>
        <ErrorBoundary>
          <Editor
            text={text}
            problems={assessment.problems}
            facts={facts}
            visible={isVisible('json', navigation, wide)}
            onText={write}
            onFix={onFix}
            target={target}
          />
        </ErrorBoundary>
      </div>
      <div {...panelOf('form', navigation, wide)}>
        {source === 'form' ? (
          <ErrorBoundary>
            <Form
              assessment={assessment}
              choices={choices}
              change={change}
              onFault={onFault}
              onVisit={visit}
            />
          </ErrorBoundary>
        ) : null}
      </div>
    </section>
  )
}

/** The column of the result: summary, problems, totals, preview and output. */
export function ResultColumn({ workspace, navigation, wide, onFix }: Omit<ColumnProps, 'choices'>) {
  const { messages } = useMessages()
  const { assessment, settings, change, visit } = workspace
  const { result, source, show, goTo, goToProblem } = navigation
  // The preview is updated after a delay while the user types. The delay is longer while the preview is hidden.
  const printed = useDelayed(assessment, result === 'checks' ? 250 : 30)
  return (
    <section class="column column-result" aria-label={messages.results} id="summary" tabIndex={-1}>
      {wide ? (
        <>
          <Summary assessment={assessment} />
          <Tabs
            name={messages.results}
            tabs={resultTabs(messages, assessment)}
            chosen={result}
            onChoose={show}
          />
        </>
      ) : null}
      <div {...panelOf('checks', navigation, wide)}>
        <ErrorBoundary>
          <MissingFields hints={assessment.hints} onGo={goToProblem} onCheck={() => visit('all')} />
          <Problems
            problems={assessment.problems}
            plain={source === 'form'}
            onGo={goToProblem}
            onFix={onFix}
          />
          <Totals assessment={assessment} onField={goTo} onChange={change} />
        </ErrorBoundary>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <div {...panelOf('paper', navigation, wide)} tabIndex={0}>
        <ErrorBoundary>
          <InvoicePreview assessment={printed} verifiable={settings.company.verifactu !== 'no'} />
        </ErrorBoundary>
      </div>
      <div {...panelOf('output', navigation, wide)}>
        {result === 'output' ? (
          <ErrorBoundary>
            <OutputTab assessment={printed} settings={settings} plain={source === 'form'} onChange={change} />
          </ErrorBoundary>
        ) : null}
      </div>
    </section>
  )
}
