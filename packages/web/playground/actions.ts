/** Actions of the user on the document and its settings. */
import { useEffect, useState } from 'preact/hooks'
import { spanishDay } from '#records/fiscal/index.ts'
import { storeText } from '../parts/stored.ts'
import type { Settings } from './assess/assess.ts'
import type { Fix } from './assess/assess-problems.ts'
import { hasFilledFields } from './company/checked-company.ts'
import { useFiles } from './interchange/use-files.tsx'
import { messagesOf } from './messages/ui.ts'
import { useStableCallback } from './parts/hooks.ts'
import type { Shared } from './share/codec.ts'
import { useFragment } from './share/use-fragment.ts'
import { type LinkFault, type OpenedExample, openExample, type StartPage, settingsOf } from './start-page.ts'
import type { Workspace } from './workspace.ts'

/** Returns the content of a link to share. Includes the chosen day only if it is not the current day. */
const sharedOf = (text: string, { operation, today, check, company }: Settings): Shared => ({
  text,
  operation,
  today: today === spanishDay(Date.now()) ? null : today,
  check,
  company: hasFilledFields(company) ? company : null,
})

/** State of the example that is loaded in the editor. It survives a reload of the page. */
function useExample(start: OpenedExample | null) {
  const [example, setExample] = useState(start)
  useEffect(() => {
    storeText('sessionStorage', 'example', example?.id ?? '')
    // The original text is stored too, to detect whether the example was edited before the reload.
    storeText('sessionStorage', 'example-text', example?.text ?? '')
  }, [example])
  return [example, setExample] as const
}

/** Returns the functions that perform the user's actions. They keep their identity between renders. */
export function useActions(
  { text, settings, assessment, change, move, set, replaceText }: Workspace,
  start: StartPage,
  setLinkFault: (fault: LinkFault | null) => void,
) {
  const [sharing, setSharing] = useState<Shared | null>(null)
  const [example, setExample] = useExample(start.example)
  const onFix = useStableCallback((path: string, { to, value }: Fix) =>
    to === undefined ? change([[path, value]]) : move({ from: path, to }),
  )
  /** Replaces the invoice. `loaded` is the example; null if the new invoice is not an example. */
  const replace = (another: string, loaded: OpenedExample | null) => {
    setExample(loaded)
    replaceText(another)
    setLinkFault(null)
  }
  const onExample = useStableCallback(async (id: string) => {
    if (id === '') return
    const opened = await openExample(id, settings.company)
    set(opened.settings)
    replace(opened.example.text, opened.example)
  })
  const onSet = useStableCallback((changed: Partial<Settings>) => {
    if (changed.locale) storeText('localStorage', 'locale', changed.locale)
    set(changed)
  })
  const onShare = useStableCallback(() => setSharing(sharedOf(text, settings)))
  const onShared = ({ text: shared, ...rest }: Shared) => {
    set(settingsOf(rest))
    replace(shared, null)
  }
  useFragment(text, onShared, setLinkFault)
  const files = useFiles({
    settings,
    assessment,
    messages: messagesOf(settings.locale),
    onText: (read) => {
      // An opened file states its totals, so they are compared with the calculated totals.
      set({ check: true })
      replace(read, null)
    },
  })
  return { files, sharing, example, onFix, onExample, onSet, onShare, onShareClosed: () => setSharing(null) }
}
