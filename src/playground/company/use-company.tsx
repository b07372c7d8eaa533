/** The company dialog, loaded on first use, and the storage of its settings. */
import { useState } from 'preact/hooks'
import { remember } from '../../parts/stored.ts'
import type { Settings } from '../assess/assess.ts'
import type { ChoiceContext } from '../messages/catalog-names.ts'
import { useMessages } from '../messages/ui.ts'
import { useStable } from '../parts/hooks.ts'
import { Boundary } from '../parts/parts.tsx'
import { type CompanySettings, statedOf } from './company.ts'

type LazyModule = typeof import('./dialog.tsx')

const Failure = () => <p class="note note-wrong banner">{useMessages().messages.failure}</p>

export function useCompany(
  company: CompanySettings,
  choices: ChoiceContext,
  set: (changed: Partial<Settings>) => void,
) {
  const [lazy, setLazy] = useState<LazyModule | null>(null)
  const [state, setState] = useState<'shut' | 'open' | 'failed'>('shut')
  const onOpen = useStable(async () => {
    try {
      setLazy(await import('./dialog.tsx'))
      setState('open')
    } catch {
      setState('failed')
    }
  })
  const onChange = (changed: CompanySettings) => {
    remember('localStorage', 'company', JSON.stringify(statedOf(changed)))
    set({ company: changed })
  }
  const view =
    state === 'failed' ? (
      <Failure />
    ) : lazy && state === 'open' ? (
      <Boundary>
        <lazy.CompanyDialog
          company={company}
          choices={choices}
          onChange={onChange}
          onClose={() => setState('shut')}
        />
      </Boundary>
    ) : null
  return { view, onOpen, name: company.legal_name.trim() || company.tax_id.trim() }
}
