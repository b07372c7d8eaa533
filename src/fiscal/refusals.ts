/** Why no record was made, in the shape of the engine's validation items. */
import { type Extra, fill, type Locale, type Text, type ValidationItem } from '../invoice/index.ts'

/** The words of a refusal; `{placeholders}` are `field`, `path` and the members of `extra`. */
export interface RefusalWords {
  readonly message: Text
  readonly mend: Text
  readonly law: string
}

/** At most this many items are listed. */
export const MAX_REFUSALS = 1000

export interface Refusals<Code extends string> {
  readonly items: ValidationItem[]
  readonly refuse: (code: Code, path: string, extra?: Extra) => void
}

/** Collects items in the language asked for. */
export function refusalsOf<Code extends string>(
  codes: Readonly<Record<Code, RefusalWords>>,
  locale: Locale,
): Refusals<Code> {
  const items: ValidationItem[] = []
  const refuse = (code: Code, path: string, extra?: Extra): void => {
    if (items.length >= MAX_REFUSALS) return
    const { message, mend, law } = codes[code]
    const values = { ...extra, path, field: path.slice(path.lastIndexOf('/') + 1) || '/' }
    items.push({
      source: 'business',
      code,
      message: fill(`${message[locale]} ${mend[locale]} (${law})`, values),
      path,
      extra: extra ?? null,
      severity: 'error',
    })
  }
  return { items, refuse }
}
