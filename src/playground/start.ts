/** What the page begins with: the link it was opened by, the text before the last reload, or an example. */
import { spanishDay } from '../fiscal/timestamp.ts'
import { preferredLocale } from '../parts/locale.ts'
import { recall } from '../parts/stored.ts'
import type { Settings } from './assess/assess.ts'
import { type CompanySettings, companyFrom, NO_COMPANY } from './company/company.ts'
import { firstText } from './examples/list.ts'
import { decodeShared, type Shared } from './share/codec.ts'
import type { Start } from './workspace.ts'

export type LinkFault = 'broken' | 'huge'

/** What the browser keeps of the company. */
function keptCompany(): CompanySettings {
  try {
    return companyFrom(JSON.parse(recall('localStorage', 'company') ?? '{}'))
  } catch {
    return NO_COMPANY
  }
}

/** A link that says nothing of a company is looked at for one's own. */
export const settingsOf = ({
  operation,
  today,
  check,
  company,
}: Omit<Shared, 'text'>): Omit<Settings, 'locale'> => ({
  company: company ?? keptCompany(),
  operation,
  today: today ?? spanishDay(Date.now()),
  check,
})

export async function startOf(fragment: string): Promise<Start & { readonly linkFault: LinkFault | null }> {
  const locale = preferredLocale()
  const opened = await decodeShared(fragment)
  if (opened && 'shared' in opened)
    return { text: opened.shared.text, settings: { ...settingsOf(opened.shared), locale }, linkFault: null }
  const settings = { ...settingsOf({ operation: 'auto', today: null, check: false, company: null }), locale }
  const text = recall('sessionStorage', 'text') ?? firstText
  return { text, settings, linkFault: opened ? opened.fault : null }
}
