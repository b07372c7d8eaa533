/** The company dialog, loaded on first use, and the storage of its settings. */
import { useState } from 'preact/hooks'
import { storeText } from '../../parts/stored.ts'
import type { Settings } from '../assess/assess.ts'
import type { ChoiceContext } from '../messages/catalog-names.ts'
import { useMessages } from '../messages/ui.ts'
import { useStableCallback } from '../parts/hooks.ts'
import { ErrorBoundary } from '../parts/playground-parts.tsx'
import { type CompanySettings, filledFieldsOf } from './checked-company.ts'

type LazyModule = typeof import('./company-dialog.tsx')

const Failure = () => <p class="note note-wrong banner">{useMessages().messages.failure}</p>

export function useCompany(
  company: CompanySettings,
  choices: ChoiceContext,
  set: (changed: Partial<Settings>) => void,
) {
  const [lazy, setLazy] = useState<LazyModule | null>(null)
  const [state, setState] = useState<'shut' | 'open' | 'failed'>('shut')
  const onOpen = useStableCallback(async () => {
    try {
      setLazy(await import('./company-dialog.tsx'))
      setState('open')
    } catch {
      setState('failed')
    }
  })
  const onChange = (changed: CompanySettings) => {
    storeText('localStorage', 'company', JSON.stringify(filledFieldsOf(changed)))
    set({ company: changed })
  }
  const view =
    state === 'failed' ? (
      <Failure />
    ) : lazy && state === 'open' ? (
      <ErrorBoundary>
        <lazy.CompanyDialog
          company={company}
          choices={choices}
          onChange={onChange}
          onClose={() => setState('shut')}
        />
      </ErrorBoundary>
    ) : null
  return { view, onOpen, name: company.legal_name.trim() || company.tax_id.trim() }
}
