/** Texts in the language of a page. */
import type { Locale } from '#core/invoice/index.ts'
import type { Label, ViewLanguage } from './view-model.ts'

/** A text in both languages. */
export type Pair = readonly [es: string, en: string]

/** Selects texts in the language of a page. */
export interface PageLanguage {
  readonly language: ViewLanguage
  /** Notation of numbers. A bilingual page is in Spanish, with English next to it. */
  readonly locale: Locale
  readonly label: (pair: Pair) => Label
  /** Returns one text with both languages on a bilingual page: `Exenta / Exempt`. */
  readonly text: (pair: Pair) => string
}

export function pageLanguageOf(language: ViewLanguage): PageLanguage {
  const locale = language === 'en' ? 'en' : 'es'
  const both = language === 'es-en'
  const one = ([es, en]: Pair) => (locale === 'es' ? es : en)
  return {
    language,
    locale,
    label: (pair) => (both && pair[0] !== pair[1] ? { text: pair[0], second: pair[1] } : { text: one(pair) }),
    text: (pair) => (both && pair[0] !== pair[1] ? `${pair[0]} / ${pair[1]}` : one(pair)),
  }
}

/**
 * Returns a label followed by a text, in both languages: `Retención 15 %`, `Withholding 15 %`. If the text begins with
 * the label, returns only the text.
 */
export const labelFollowedBy = ([es, en]: Pair, by: string): Pair => {
  if (by === '') return [es, en]
  const begins = (label: string) => by.toLowerCase().startsWith(label.toLowerCase())
  return [begins(es) ? by : `${es} ${by}`, begins(es) || begins(en) ? by : `${en} ${by}`]
}
