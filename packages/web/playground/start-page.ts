/** The initial state of the page: from the link, from the state before a reload, or from an example. */
import { spanishDay } from '#records/fiscal/index.ts'
import { preferredLocale } from '../parts/locale.ts'
import { readStored } from '../parts/stored.ts'
import type { Settings } from './assess/assess.ts'
import { type CompanySettings, NO_COMPANY, readCompanySettings } from './company/checked-company.ts'
import { applyChanges } from './document/edit-document.ts'
import { EXAMPLES, exampleText, FIRST_EXAMPLE, firstExampleText } from './examples/example-list.ts'
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

export interface OpenedExample {
  readonly id: string
  readonly text: string
}

/** Returns the text of an empty invoice with the company as supplier. */
function withSupplier(text: string, { tax_id, legal_name }: CompanySettings): string {
  return applyChanges(text, [
    ['/invoice/supplier/tax_id', tax_id],
    ['/invoice/supplier/name', legal_name],
  ])
}

/** Returns an example and the settings to check it with. */
export async function openExample(
  id: string,
  company: CompanySettings,
): Promise<{ readonly example: OpenedExample; readonly settings: Pick<Settings, 'operation' | 'check'> }> {
  const text = await exampleText(id)
  const example = { id, text: id === 'blank' ? withSupplier(text, company) : text }
  return { example, settings: { operation: 'auto', check: id === 'everything-wrong' } }
}

/** Returns the example of the last visit. Its text shows whether the invoice was edited before the reload. */
function storedExample(text: string): OpenedExample | null {
  if (text === firstExampleText) return { id: FIRST_EXAMPLE, text }
  const id = readStored('sessionStorage', 'example')
  return id ? { id, text: readStored('sessionStorage', 'example-text') ?? '' } : null
}

export interface StartPage extends Start {
  readonly example: OpenedExample | null
  readonly linkFault: LinkFault | null
}

/** Returns the state for the fragment and the query of the address: `#...` is a shared invoice, `?example=...` an example. */
export async function startOf(fragment: string, query: string): Promise<StartPage> {
  const locale = preferredLocale()
  const opened = await decodeShared(fragment)
  if (opened && 'shared' in opened) {
    const { text, ...shared } = opened.shared
    const settings = { ...settingsOf(shared), locale }
    return { text, settings, example: storedExample(text), linkFault: null }
  }
  const settings = { ...settingsOf({ operation: 'auto', today: null, check: false, company: null }), locale }
  const linkFault = opened ? opened.fault : null
  const named = new URLSearchParams(query).get('example') ?? ''
  if (isExample(named)) {
    const { example, settings: own } = await openExample(named, settings.company)
    return { text: example.text, settings: { ...settings, ...own }, example, linkFault }
  }
  const text = readStored('sessionStorage', 'text') ?? firstExampleText
  return { text, settings, example: storedExample(text), linkFault }
}
