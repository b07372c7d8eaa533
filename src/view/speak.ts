/** Texts in the language of a page. */
import type { Locale } from '../invoice/index.ts'
import type { Label, ViewLanguage } from './model.ts'

/** A text in both languages. */
export type Pair = readonly [es: string, en: string]

/** Says things in the language of one page. */
export interface Speaker {
  readonly language: ViewLanguage
  /** Whose signs numbers are written with: a bilingual page is a Spanish one with English beside it. */
  readonly locale: Locale
  readonly label: (pair: Pair) => Label
  /** In one text: `Exenta / Exempt` where the page has two languages. */
  readonly text: (pair: Pair) => string
}

export function speakerOf(language: ViewLanguage): Speaker {
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

/** The same words after both halves: `Retención 15 %`, `Withholding 15 %`. */
export const followed = ([es, en]: Pair, by: string): Pair => (by ? [`${es} ${by}`, `${en} ${by}`] : [es, en])
