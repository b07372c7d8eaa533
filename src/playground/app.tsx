/** The whole page. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { spanishDay } from '../fiscal/moment.ts'
import type { Assessment, Settings } from './assess/assess.ts'
import { choicesFor } from './choices.ts'
import { Editor } from './editor/editor.tsx'
import { exampleText } from './examples/list.ts'
import { Form } from './form/form.tsx'
import { Header } from './header.tsx'
import { useFiles } from './interchange/use-files.tsx'
import { type Answer, type Navigation, type Source, useNavigation } from './navigation.ts'
import { Paper } from './paper/paper.tsx'
import { Boundary } from './parts/boundary.tsx'
import { remember } from './parts/stored.ts'
import { panelId, type Tab, Tabs, tabId } from './parts/tabs.tsx'
import { useLater } from './parts/use-later.ts'
import { useWide } from './parts/use-wide.ts'
import { Problems } from './problems.tsx'
import type { Shared } from './share/codec.ts'
import { ShareDialog } from './share/dialog.tsx'
import { useFragment } from './share/use-fragment.ts'
import { type LinkFault, settingsOf } from './start.ts'
import { Totals } from './totals/totals.tsx'
import { Verdict } from './verdict.tsx'
import type { ChoiceContext } from './words/catalog-names.ts'
import { LocaleContext, type UiWords, useWords, wordsOf } from './words/ui.ts'
import { type Start, useWorkspace, type Workspace } from './workspace.ts'

interface AppProps {
  readonly start: Start & { readonly linkFault: LinkFault | null }
}

/** The day is part of a link only where somebody has chosen another one than today. */
const sharedOf = (text: string, { operation, today, check }: Start['settings']): Shared => ({
  text,
  operation,
  today: today === spanishDay(Date.now()) ? null : today,
  check,
})

function badgeOf(words: UiWords, errors: number, warnings: number): Tab<string>['badge'] {
  if (errors > 0) return { count: errors, kind: 'error', label: words.errors(errors) }
  return warnings > 0 ? { count: warnings, kind: 'warning', label: words.warnings(warnings) } : undefined
}

/** What the user does to the document and to how it is checked; each keeps its identity from render to render. */
function useActions(
  { text, settings, assessment, write, change, set }: Workspace,
  setLinkFault: (fault: LinkFault | null) => void,
) {
  const [sharing, setSharing] = useState<Shared | null>(null)
  const onFix = useCallback((path: string, value: unknown) => change([[path, value]]), [change])
  const onExample = useCallback(
    async (id: string) => {
      if (id === '') return
      const example = await exampleText(id)
      set({ operation: 'auto', check: id === 'everything-wrong' })
      write(example)
      setLinkFault(null)
    },
    [set, write, setLinkFault],
  )
  const onSet = useCallback(
    (changed: Partial<Settings>) => {
      if (changed.locale) remember('localStorage', 'locale', changed.locale)
      set(changed)
    },
    [set],
  )
  const latest = useRef({ text, settings })
  latest.current = { text, settings }
  const onShare = useCallback(() => setSharing(sharedOf(latest.current.text, latest.current.settings)), [])
  const onShared = ({ text: shared, ...rest }: Shared) => {
    set(settingsOf(rest))
    write(shared)
    setLinkFault(null)
  }
  useFragment(text, onShared, setLinkFault)
  const files = useFiles({
    settings,
    assessment,
    words: wordsOf(settings.locale),
    onText: (read) => {
      // The document says what it amounts to; that is compared.
      set({ check: true })
      write(read)
      setLinkFault(null)
    },
  })
  return { files, sharing, onFix, onExample, onSet, onShare, onShareClosed: () => setSharing(null) }
}

interface LinkNoteProps {
  readonly fault: LinkFault | null
  readonly onDismiss: () => void
}

function LinkNote({ fault, onDismiss }: LinkNoteProps) {
  const { words } = useWords()
  if (!fault) return null
  return (
    <p class="note note-wrong banner" role="alert">
      {fault === 'huge' ? words.shareHuge : words.shareBroken}{' '}
      <button type="button" class="plain" onClick={onDismiss}>
        {words.dismiss}
      </button>
    </p>
  )
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

const sourceTabs = (words: UiWords): readonly Tab<Source>[] => [
  { id: 'json', label: words.json },
  { id: 'form', label: words.form },
]

const answerTabs = (words: UiWords, { errors, warnings }: Assessment): readonly Tab<Answer>[] => [
  { id: 'checks', label: words.checks, badge: badgeOf(words, errors, warnings) },
  { id: 'paper', label: words.paper },
]

/** The document; on a narrow page its tabs are those of the answers, too. */
function SourceColumn({ workspace, navigation, wide, choices, onFix }: ColumnProps) {
  const { words } = useWords()
  const { text, settings, assessment, write, change } = workspace
  const { source, answer, side, target, show, goToProblem } = navigation
  const facts = { ...choices, operation: assessment.operation, today: settings.today }
  const sources = sourceTabs(words)
  const onFault = () => {
    if (assessment.problems[0]) goToProblem(assessment.problems[0])
  }
  return (
    <section class="column column-source" aria-label={words.source}>
      {wide ? (
        <Tabs name={words.views} tabs={sources} chosen={source} onChoose={show} />
      ) : (
        <>
          <Verdict assessment={assessment} />
          <Tabs
            name={words.views}
            tabs={[...sources, ...answerTabs(words, assessment)]}
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
            <Form assessment={assessment} choices={choices} change={change} onFault={onFault} />
          </Boundary>
        ) : null}
      </div>
    </section>
  )
}

/** What came of it: the verdict, the problems with the totals, and the printed page. */
function AnswerColumn({ workspace, navigation, wide, onFix }: Omit<ColumnProps, 'choices'>) {
  const { words } = useWords()
  const { assessment, change } = workspace
  const { answer, show, goTo, goToProblem } = navigation
  // Nobody reads the paper while typing; what is not even in sight can wait longer.
  const printed = useLater(assessment, answer === 'paper' ? 30 : 250)
  return (
    <section class="column column-answer" aria-label={words.answers} id="verdict" tabIndex={-1}>
      {wide ? (
        <>
          <Verdict assessment={assessment} />
          <Tabs name={words.answers} tabs={answerTabs(words, assessment)} chosen={answer} onChoose={show} />
        </>
      ) : null}
      <div {...panelOf('checks', navigation, wide)}>
        <Boundary>
          <Problems problems={assessment.problems} onGo={goToProblem} onFix={onFix} />
          <Totals assessment={assessment} onField={goTo} onChange={change} />
        </Boundary>
      </div>
      {/* Scrolls, and has nothing else that could take the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div {...panelOf('paper', navigation, wide)} tabIndex={0}>
        <Boundary>
          <Paper assessment={printed} />
        </Boundary>
      </div>
    </section>
  )
}

export function App({ start }: AppProps) {
  const workspace = useWorkspace(start)
  const { text, settings, assessment } = workspace
  const { locale, today } = settings
  const words = wordsOf(locale)
  const wide = useWide()
  const navigation = useNavigation(text, wide)
  const [linkFault, setLinkFault] = useState(start.linkFault)
  const { files, sharing, onFix, onExample, onSet, onShare, onShareClosed } = useActions(
    workspace,
    setLinkFault,
  )

  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.title = `cuadra · ${words.tagline}`
  }, [locale, words])

  const choices = useMemo(() => choicesFor(assessment, locale, today), [assessment, locale, today])
  const column = { workspace, navigation, wide, onFix }
  return (
    <LocaleContext.Provider value={locale}>
      <button type="button" class="skip" onClick={skipToVerdict}>
        {words.skip}
      </button>
      <Header
        wide={wide}
        settings={settings}
        operation={assessment.operation}
        onExample={onExample}
        onShare={onShare}
        onSet={onSet}
        onOpen={files.onOpen}
        onDownload={files.onDownload}
      />
      {files.view}
      <LinkNote fault={linkFault} onDismiss={() => setLinkFault(null)} />
      <main class={`main ${wide ? 'main-wide' : 'main-narrow'}`}>
        <SourceColumn {...column} choices={choices} />
        <AnswerColumn {...column} />
      </main>
      <footer class="bottom">{words.privacy}</footer>
      {sharing ? <ShareDialog shared={sharing} onClose={onShareClosed} /> : null}
    </LocaleContext.Provider>
  )
}

/** A button and no link, since the fragment of the address is for documents. */
function skipToVerdict(): void {
  document.querySelector<HTMLElement>('.verdict')?.focus()
}
