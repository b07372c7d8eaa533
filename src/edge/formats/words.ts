/** What is said of a document of another system that is not taken, or cannot be written. */
import type { Extra, Locale, Text } from '../../invoice/index.ts'
import type { Refusal } from '../../request/refusal.ts'
import { fill } from '../../words/index.ts'

interface Words extends Text {
  readonly code: string
}

const WORDS = {
  media_type: {
    code: 'unsupported_media_type',
    en: 'Content-Type is "{received}". Send {expected}.',
    es: 'Content-Type es «{received}». Envíe {expected}.',
  },
  export: {
    code: 'export_not_possible',
    en: 'The invoice cannot be written as {format}: see errors.',
    es: 'La factura no se puede escribir como {format}: vea errors.',
  },
} as const satisfies Readonly<Record<string, Words>>

export function refuse(reason: keyof typeof WORDS, locale: Locale, extra: Extra): Refusal {
  const words: Words = WORDS[reason]
  return { detail: { code: words.code, message: fill(words[locale], extra, locale), ...extra } }
}
