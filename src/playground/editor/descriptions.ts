/**
 * What the members of an invoice are, in words: the one place where the editor has its descriptions from. They are a
 * file of their own, loaded when the first one is wanted; where it has nothing, the schema's own words are taken.
 */
import type { Locale, Text } from '../../api/index.ts'
import { hasLabel, labelOf } from '../messages/labels.ts'
import type { Member } from './schema-walk.ts'

/** By `Line.legal_literals` where a member means something else in that object, else by its name. */
type Descriptions = Readonly<Record<string, Text & { readonly example?: unknown }>>

// A pattern, since it may find nothing: the schema's own words are left then.
const FILES = import.meta.glob<Descriptions>('../../../schemas/texts/fields.json', { import: 'default' })

let loading: Promise<Descriptions> | undefined

async function load(): Promise<Descriptions> {
  const [read] = Object.values(FILES)
  try {
    return read ? await read() : {}
  } catch {
    // Without a network and without the file: labels and the schema's words are there.
    loading = undefined
    return {}
  }
}

export interface Description {
  readonly label: string
  readonly text: string
  /** A value as JSON. */
  readonly example: string
}

/** Label, description and example of a member of an object with these titles. */
export async function describe(
  { name, description }: Pick<Member, 'name' | 'description'>,
  titles: readonly string[],
  locale: Locale,
): Promise<Description> {
  loading ??= load()
  const all = await loading
  const key = [...titles.map((title) => `${title}.${name}`), name].find((one) => Object.hasOwn(all, one))
  const found = key === undefined ? undefined : all[key]
  return {
    label: hasLabel(name) ? labelOf(name, locale) : name,
    // The schemas speak English.
    text: found?.[locale] ?? (locale === 'en' ? (description ?? '') : ''),
    example: found?.example === undefined ? '' : JSON.stringify(found.example),
  }
}

/** A description as the editor shows it. */
export function helpNode({ label, text, example }: Description): HTMLElement {
  const dom = document.createElement('div')
  dom.className = 'cm-help-text'
  const title = document.createElement('strong')
  title.textContent = label
  dom.append(title)
  for (const line of [text, example && `→ ${example}`])
    if (line) dom.append(document.createElement('br'), line)
  return dom
}
