/** The whole page. */
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { spanishDay } from '../fiscal/moment.ts'
import type { Settings } from './assess/assess.ts'
import { choicesFor } from './choices.ts'
import { Editor } from './editor/editor.tsx'
import { exampleText } from './examples/list.ts'
import { Form } from './form/form.tsx'
import { Header } from './header.tsx'
import { useFiles } from './interchange/use-files.tsx'
import { type Answer, type Source, useNavigation } from './navigation.ts'
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
import { LocaleContext, type UiWords, wordsOf } from './words/ui.ts'
import { type Start, useWorkspace } from './workspace.ts'

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

export function App({ start }: AppProps) {
  const { text, settings, assessment, write, change, set } = useWorkspace(start)
  const { locale, today } = settings
  const words = wordsOf(locale)
  const wide = useWide()
  const { source, answer, side, target, show, goTo, goToProblem } = useNavigation(text, wide)
  const [sharing, setSharing] = useState<Shared | null>(null)
  const [linkFault, setLinkFault] = useState(start.linkFault)

  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.title = `cuadra · ${words.tagline}`
  }, [locale, words])

  const onFix = useCallback((path: string, value: unknown) => change([[path, value]]), [change])
  const onExample = useCallback(
    async (id: string) => {
      if (id === '') return
      const example = await exampleText(id)
      set({ operation: 'auto', check: id === 'everything-wrong' })
      write(example)
      setLinkFault(null)
    },
    [set, write],
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
    words,
    onText: (read) => {
      // The document says what it amounts to; that is compared.
      set({ check: true })
      write(read)
      setLinkFault(null)
    },
  })

  const choices = useMemo(() => choicesFor(assessment, locale, today), [assessment, locale, today])
  const facts = { ...choices, operation: assessment.operation, today }
  // Nobody reads the paper while typing; what is not even in sight can wait longer.
  const printed = useLater(assessment, answer === 'paper' ? 30 : 250)

  const sources: readonly Tab<Source>[] = [
    { id: 'json', label: words.json },
    { id: 'form', label: words.form },
  ]
  const answers: readonly Tab<Answer>[] = [
    { id: 'checks', label: words.checks, badge: badgeOf(words, assessment.errors, assessment.warnings) },
    { id: 'paper', label: words.paper },
  ]
  const isVisible = (id: Source | Answer): boolean => {
    const inSource = id === 'json' || id === 'form'
    return (inSource ? source : answer) === id && (wide || side === (inSource ? 'source' : 'answer'))
  }
  const panel = (id: Source | Answer) => ({
    id: panelId(id),
    role: 'tabpanel' as const,
    'aria-labelledby': tabId(id),
    hidden: !isVisible(id),
    class: `panel panel-${id}`,
  })
  const onFault = () => {
    if (assessment.problems[0]) goToProblem(assessment.problems[0])
  }
  const bothTabs = [...sources, ...answers]
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
      {linkFault ? (
        <p class="note note-wrong banner" role="alert">
          {linkFault === 'huge' ? words.shareHuge : words.shareBroken}{' '}
          <button type="button" class="plain" onClick={() => setLinkFault(null)}>
            {words.dismiss}
          </button>
        </p>
      ) : null}
      <main class={`main ${wide ? 'main-wide' : 'main-narrow'}`}>
        <section class="column column-source" aria-label={words.source}>
          {wide ? (
            <Tabs name={words.views} tabs={sources} chosen={source} onChoose={show} />
          ) : (
            <>
              <Verdict assessment={assessment} />
              <Tabs
                name={words.views}
                tabs={bothTabs}
                chosen={side === 'source' ? source : answer}
                onChoose={show}
              />
            </>
          )}
          <div {...panel('json')}>
            <Boundary>
              <Editor
                text={text}
                problems={assessment.problems}
                facts={facts}
                visible={isVisible('json')}
                onText={write}
                onFix={onFix}
                target={target}
              />
            </Boundary>
          </div>
          <div {...panel('form')}>
            {source === 'form' ? (
              <Boundary>
                <Form assessment={assessment} choices={choices} change={change} onFault={onFault} />
              </Boundary>
            ) : null}
          </div>
        </section>
        <section class="column column-answer" aria-label={words.answers} id="verdict" tabIndex={-1}>
          {wide ? (
            <>
              <Verdict assessment={assessment} />
              <Tabs name={words.answers} tabs={answers} chosen={answer} onChoose={show} />
            </>
          ) : null}
          <div {...panel('checks')}>
            <Boundary>
              <Problems problems={assessment.problems} onGo={goToProblem} onFix={onFix} />
              <Totals assessment={assessment} onField={goTo} onChange={change} />
            </Boundary>
          </div>
          {/* Scrolls, and has nothing else that could take the focus. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
          <div {...panel('paper')} tabIndex={0}>
            <Boundary>
              <Paper assessment={printed} />
            </Boundary>
          </div>
        </section>
      </main>
      <footer class="bottom">{words.privacy}</footer>
      {sharing ? <ShareDialog shared={sharing} onClose={() => setSharing(null)} /> : null}
    </LocaleContext.Provider>
  )
}

/** A button and no link, since the fragment of the address is for documents. */
function skipToVerdict(): void {
  document.querySelector<HTMLElement>('.verdict')?.focus()
}
