import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { useActions } from './actions.ts'
import { choicesFor } from './choices.ts'
import { ResultColumn, SourceColumn } from './columns.tsx'
import { useCompany } from './company/use-company.tsx'
import { LocaleContext, messagesOf } from './messages/ui.ts'
import { useNavigation } from './navigation.ts'
import { Header } from './page-header.tsx'
import { useIsWide } from './parts/hooks.ts'
import { Banner } from './parts/playground-parts.tsx'
import { ShareDialog } from './share/share-dialog.tsx'
import type { StartPage } from './start-page.ts'
import { useWorkspace } from './workspace.ts'

interface AppProps {
  readonly start: StartPage
}

export function App({ start }: AppProps) {
  const workspace = useWorkspace(start)
  const { text, settings, assessment, set } = workspace
  const { locale, today } = settings
  const messages = messagesOf(locale)
  const wide = useIsWide()
  const navigation = useNavigation(text, wide)
  const [linkFault, setLinkFault] = useState(start.linkFault)
  const { files, sharing, example, onFix, onExample, onSet, onShare, onShareClosed } = useActions(
    workspace,
    start,
    setLinkFault,
  )

  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.title = `cuadra · ${messages.title}`
  }, [locale, messages])

  const exampleId = example?.id
  const changed = example?.text !== text
  const loaded = useMemo(() => (exampleId ? { id: exampleId, changed } : null), [exampleId, changed])
  const choices = useMemo(() => choicesFor(assessment, locale, today), [assessment, locale, today])
  const company = useCompany(settings.company, choices, set)
  const column = { workspace, navigation, wide, onFix }
  return (
    <LocaleContext.Provider value={locale}>
      <button type="button" class="skip" onClick={skipToResult}>
        {messages.skip}
      </button>
      <Header
        wide={wide}
        settings={settings}
        operation={assessment.operation}
        example={loaded}
        companyName={company.name}
        onCompany={company.onOpen}
        onExample={onExample}
        onShare={onShare}
        onSet={onSet}
        onOpen={files.onOpen}
        onDownload={files.onDownload}
      />
      {files.view}
      {company.view}
      {linkFault && (
        <Banner
          text={linkFault === 'huge' ? messages.shareHuge : messages.shareBroken}
          onDismiss={() => setLinkFault(null)}
        />
      )}
      <main class={`main ${wide ? 'main-wide' : 'main-narrow'}`}>
        <SourceColumn {...column} choices={choices} />
        <ResultColumn {...column} />
      </main>
      <footer class="bottom">{messages.privacy}</footer>
      {sharing ? <ShareDialog shared={sharing} onClose={onShareClosed} /> : null}
    </LocaleContext.Provider>
  )
}

/** Focuses the result. A link cannot do this, because the fragment of the address contains the document. */
function skipToResult(): void {
  document.querySelector<HTMLElement>('.summary')?.focus()
}
