/** The initial state of the page: from the link, from the state before a reload, or from an example. */
import { spanishDay } from '#records/fiscal/index.ts'
import { preferredLocale } from '../parts/locale.ts'
import { readStored } from '../parts/stored.ts'
import type { Settings } from './assess/assess.ts'
import { type CompanySettings, NO_COMPANY, readCompanySettings } from './company/checked-company.ts'
import { EXAMPLES, exampleText, firstExampleText } from './examples/example-list.ts'
import { decodeShared, type Shared } from './share/codec.ts'
import type { Start } from './workspace.ts'

export type LinkFault = 'broken' | 'huge'

function storedCompany(): CompanySettings {
  try {
    return readCompanySettings(JSON.parse(readStored('localStorage', 'company') ?? '{}'))
  } catch {
    return NO_COMPANY
  }
}

/** Completes the settings of a link. If the link has no company, the stored company is used. */
export const settingsOf = ({
  operation,
  today,
  check,
  company,
}: Omit<Shared, 'text'>): Omit<Settings, 'locale'> => ({
  company: company ?? storedCompany(),
  operation,
  today: today ?? spanishDay(Date.now()),
  check,
})

const isExample = (id: string): boolean =>
  EXAMPLES.some(({ examples }) => examples.some((example) => example.id === id))

/** Returns the state for the fragment and the query of the address: `#...` is a shared invoice, `?example=...` an example. */
export async function startOf(
  fragment: string,
  query: string,
): Promise<Start & { readonly linkFault: LinkFault | null }> {
  const locale = preferredLocale()
  const opened = await decodeShared(fragment)
  const named = new URLSearchParams(query).get('example') ?? ''
  if (opened && 'shared' in opened)
    return { text: opened.shared.text, settings: { ...settingsOf(opened.shared), locale }, linkFault: null }
  const settings = { ...settingsOf({ operation: 'auto', today: null, check: false, company: null }), locale }
  const text = isExample(named)
    ? await exampleText(named)
    : (readStored('sessionStorage', 'text') ?? firstExampleText)
  return { text, settings, linkFault: opened ? opened.fault : null }
}
