/**
 * Descriptions of invoice fields for the editor, loaded on first use. For a field without a description here, the
 * editor shows the description in its schema.
 */
import type { Locale, Text } from '#engine/index.ts'
import { hasLabel, labelOf } from '../messages/field-labels.ts'
import type { Member } from './schema-walk.ts'

/** Descriptions by member name, or by `Object.member` if the member has a special meaning in that object. */
type Descriptions = Readonly<Record<string, Text & { readonly example?: unknown }>>

// The file is imported with a glob, so that the build also works if the file does not exist.
const FILES = import.meta.glob<Descriptions>('../../../../schemas/texts/fields.json', { import: 'default' })

let loading: Promise<Descriptions> | undefined

async function load(): Promise<Descriptions> {
  const [read] = Object.values(FILES)
  try {
    return read ? await read() : {}
  } catch {
    // If loading fails, for example offline, the editor uses labels and schema descriptions. The next call tries again.
    loading = undefined
    return {}
  }
}

export interface Description {
  readonly label: string
  readonly text: string
  /** An example value as JSON. */
  readonly example: string
}

/** Returns the label, description and example of a member. `titles` are the schema titles of its object. */
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
    // Descriptions of the schemas are in English.
    text: found?.[locale] ?? (locale === 'en' ? (description ?? '') : ''),
    example: found?.example === undefined ? '' : JSON.stringify(found.example),
  }
}

/** Returns the DOM of a description. */
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
