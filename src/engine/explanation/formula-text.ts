/** Translates formulas, which are written in English, into Spanish. */
import type { Locale } from '#core/invoice/index.ts'
import { SPANISH as SPANISH_TEXTS } from '../generated/texts/explanation.ts'

/**
 * English phrases of the formulas with their Spanish texts. Longer phrases come first, because the first match is
 * replaced.
 */
const SPANISH: Readonly<Record<string, string>> = SPANISH_TEXTS

const PHRASE = /* @__PURE__ */ new RegExp(`\\b(?:${/* @__PURE__ */ Object.keys(SPANISH).join('|')})\\b`, 'g')

/** Returns a formula in the language of the reader, with decimal commas in Spanish. */
export const formulaText = (formula: string, locale: Locale): string =>
  locale === 'es'
    ? formula.replace(PHRASE, (phrase) => SPANISH[phrase]!).replace(/(\d)\.(\d)/g, '$1,$2')
    : formula
