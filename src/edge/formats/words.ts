/** What is said of a document of another system that is not taken, or cannot be written. */
import type { Extra, Locale } from '../../invoice/index.ts'
import { type CodedText, type Refusal, refusalOf } from '../../request/refusal.ts'

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
} as const satisfies Readonly<Record<string, CodedText>>

export const refuse = (reason: keyof typeof WORDS, locale: Locale, extra: Extra): Refusal =>
  refusalOf(WORDS[reason], locale, extra)
