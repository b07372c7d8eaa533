/** Translates formulas, which are written in English, into Spanish. */
import type { Locale } from '../../invoice/index.ts'

/** Phrases of the formulas. Longer ones come first, because the first that matches is replaced. */
const SPANISH: Readonly<Record<string, string>> = {
  'the tax on it alone': 'el impuesto que le corresponde',
  'the NON_TAXABLE entries': 'las entradas NON_TAXABLE',
  'the lines of each': 'las líneas de cada',
  'the lines': 'las líneas',
  'a loss as it is': 'una pérdida tal cual',
  'a gain': 'una ganancia',
  'in a return': 'en una devolución',
  'no Spanish tax': 'sin impuesto español',
  'exceeds the price': 'supera el precio',
  'for this part': 'para esta parte',
  'of the group': 'del grupo',
  'line bases': 'bases de línea',
  'line base': 'base de línea',
  'at least': 'como mínimo',
  'at most': 'como máximo',
  'its part': 'su parte',
  'its rate': 'su porcentaje',
  'that rate': 'ese porcentaje',
  'as sent': 'según se envió',
  sent: 'enviado',
  their: 'sus',
  each: 'cada uno',
  with: 'con',
  lines: 'líneas',
  line: 'línea',
  margins: 'márgenes',
  amounts: 'importes',
  amount: 'importe',
  price: 'precio',
  tax: 'impuesto',
  sum: 'suma',
  and: 'y',
  or: 'o',
  of: 'de',
  by: 'según',
}

const PHRASE = /* @__PURE__ */ new RegExp(`\\b(?:${/* @__PURE__ */ Object.keys(SPANISH).join('|')})\\b`, 'g')

/** Returns a formula in the language of the reader, with decimal commas in Spanish. */
export const formulaText = (formula: string, locale: Locale): string =>
  locale === 'es'
    ? formula.replace(PHRASE, (phrase) => SPANISH[phrase]!).replace(/(\d)\.(\d)/g, '$1,$2')
    : formula
