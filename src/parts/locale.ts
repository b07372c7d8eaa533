/** The language of a page. */
import { recall } from './stored.ts'

export type Locale = 'en' | 'es'

/** The language chosen before, else the browser's. Readers of Catalan, Galician or Basque get Spanish. */
export function preferredLocale(languages: readonly string[] = navigator.languages): Locale {
  const remembered = recall('localStorage', 'locale')
  if (remembered === 'es' || remembered === 'en') return remembered
  const known = languages.find((language) => /^(es|ca|gl|eu|en)\b/.test(language))
  return known === undefined || known.startsWith('en') ? 'en' : 'es'
}

/** A number with its noun: `1 line`, `2 lines`. */
export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`
