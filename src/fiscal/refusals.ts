/** Why no record was made, in the shape of the engine's validation items. */
import {
  cite,
  type Extra,
  fill,
  isText,
  type Locale,
  type Text,
  type ValidationItem,
} from '../invoice/index.ts'

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
  /** What the record can be made with, and should be known. */
  readonly warnings: ValidationItem[]
  readonly warn: (code: Code, path: string, extra?: Extra) => void
}

/** Members that are sentences of ours, in a language: programs get the English ones. */
const spokenIn = (extra: Extra | undefined, locale: Locale): Extra =>
  Object.fromEntries(
    Object.entries(extra ?? {}).map(([name, value]) => [name, isText(value) ? value[locale] : value]),
  )

/** Collects items in the language asked for. */
export function refusalsOf<Code extends string>(
  codes: Readonly<Record<Code, RefusalWords>>,
  locale: Locale,
): Refusals<Code> {
  const items: ValidationItem[] = []
  const warnings: ValidationItem[] = []
  const add =
    (list: ValidationItem[], severity: ValidationItem['severity']) =>
    (code: Code, path: string, extra?: Extra): void => {
      if (list.length >= MAX_REFUSALS) return
      const { message, mend, law } = codes[code]
      const values = { ...spokenIn(extra, locale), path, field: path.slice(path.lastIndexOf('/') + 1) || '/' }
      const words = fill(`${message[locale]} ${mend[locale]} (${cite(law, locale)})`, values)
      list.push({
        source: 'business',
        code,
        message: words,
        path,
        extra: extra ? spokenIn(extra, 'en') : null,
        severity,
      })
    }
  return { items, refuse: add(items, 'error'), warnings, warn: add(warnings, 'warning') }
}
