/** Actions of the user on the document and its settings. */
import { useState } from 'preact/hooks'
import { spanishDay } from '#records/fiscal/index.ts'
import { readStored, storeText } from '../parts/stored.ts'
import type { Settings } from './assess/assess.ts'
import { type CompanySettings, hasFilledFields } from './company/checked-company.ts'
import { applyChanges } from './document/edit-document.ts'
import { exampleText, FIRST_EXAMPLE, firstExampleText } from './examples/example-list.ts'
import { useFiles } from './interchange/use-files.tsx'
import { messagesOf } from './messages/ui.ts'
import { useStableCallback } from './parts/hooks.ts'
import type { Shared } from './share/codec.ts'
import { useFragment } from './share/use-fragment.ts'
import { type LinkFault, settingsOf } from './start-page.ts'
import type { Workspace } from './workspace.ts'

/** Returns the content of a link to share. Includes the chosen day only if it is not the current day. */
const sharedOf = (text: string, { operation, today, check, company }: Settings): Shared => ({
  text,
  operation,
  today: today === spanishDay(Date.now()) ? null : today,
  check,
  company: hasFilledFields(company) ? company : null,
})

/** Returns the text of an empty invoice with the company as supplier. */
function withSupplier(text: string, { tax_id, legal_name }: CompanySettings): string {
  return applyChanges(text, [
    ['/invoice/supplier/tax_id', tax_id],
    ['/invoice/supplier/name', legal_name],
  ])
}

interface Loaded {
  readonly id: string
  readonly text: string
}

/** State of the example that is loaded in the editor. It survives a reload of the page. */
function useExample(text: string) {
  const [example, setExample] = useState<Loaded | null>(() => {
    const id = readStored('sessionStorage', 'example')
    if (text === firstExampleText) return { id: FIRST_EXAMPLE, text }
    // The original text is stored too, to detect whether the example was edited before the reload.
    return id ? { id, text: readStored('sessionStorage', 'example-text') ?? '' } : null
  })
  const choose = (loaded: Loaded | null) => {
    storeText('sessionStorage', 'example', loaded?.id ?? '')
    storeText('sessionStorage', 'example-text', loaded?.text ?? '')
    setExample(loaded)
  }
  return [example, choose] as const
}

/** Returns the functions that perform the user's actions. They keep their identity between renders. */
export function useActions(
  { text, settings, assessment, change, set, replaceText }: Workspace,
  setLinkFault: (fault: LinkFault | null) => void,
) {
  const [sharing, setSharing] = useState<Shared | null>(null)
  const [example, setExample] = useExample(text)
  const onFix = useStableCallback((path: string, value: unknown) => change([[path, value]]))
  /** Replaces the invoice. `loaded` is the example; null if the new invoice is not an example. */
  const replace = (another: string, loaded: Loaded | null) => {
    setExample(loaded)
    replaceText(another)
    setLinkFault(null)
  }
  const onExample = useStableCallback(async (id: string) => {
    if (id === '') return
    const example = await exampleText(id)
    const began = id === 'blank' ? withSupplier(example, settings.company) : example
    set({ operation: 'auto', check: id === 'everything-wrong' })
    replace(began, { id, text: began })
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
