/** Compiles the terms of all languages into patterns of plain text: lower case, without accents. */
import { CA } from '../../generated/texts/labels/ca.ts'
import { DE } from '../../generated/texts/labels/de.ts'
import { EN } from '../../generated/texts/labels/en.ts'
import { ES } from '../../generated/texts/labels/es.ts'
import { EU } from '../../generated/texts/labels/eu.ts'
import { FR } from '../../generated/texts/labels/fr.ts'
import { GL } from '../../generated/texts/labels/gl.ts'
import { IT } from '../../generated/texts/labels/it.ts'
import { NL } from '../../generated/texts/labels/nl.ts'
import { PT } from '../../generated/texts/labels/pt.ts'
import type { Labels } from './label-model.ts'
import { plainOf } from './plain-text.ts'

export type { Labels } from './label-model.ts'

export const LANGUAGES: readonly Labels[] = [ES, CA, GL, EU, EN, FR, DE, PT, IT, NL]

/** Fields of `Labels` that are lists of terms. */
export type Field = Exclude<keyof Labels, 'sources' | 'months'>

/** Patterns of the characters with a special meaning in a term. */
const WILD: Readonly<Record<string, string>> = {
  ' ': '\\s+',
  '.': '\\.?\\s?',
  "'": "['’´]?\\s?",
  '-': '[-–\\s]?',
  '/': '\\s?/\\s?',
  '*': '\\w*',
  '°': '[°ºo]',
  º: '[°ºo]',
}

/** Returns the pattern of a term. A word in brackets is optional. */
function patternOf(term: string): string {
  const parts = [...plainOf(term)].map((one) => WILD[one] ?? one.replace(/[\\^$+?[\]{}|]/g, '\\$&'))
  const source = parts.join('').replaceAll(/\(([a-z’']{1,12})\)\\s\+/g, '(?:$1\\s+)?')
  // Matches whole words only, without a space after the last period.
  return `(?<![\\wß-ɏ])${source.replace(/\\s\?$/, '')}(?!\\w)`
}

/** Returns the terms of a field in all languages. Longer terms come first, so that they match before their prefixes. */
const termsOf = (field: Field): string[] =>
  [...new Set(LANGUAGES.flatMap((labels) => labels[field]))].sort((a, b) => b.length - a.length)

const sources = new Map<Field, string>()

/** Returns the source of a pattern that matches any term of the fields. */
export function patternSourceOf(...fields: readonly Field[]): string {
  return fields
    .map((field) => {
      const known = sources.get(field)
      const source = known ?? `(?:${termsOf(field).map(patternOf).join('|')})`
      if (known === undefined) sources.set(field, source)
      return source
    })
    .join('|')
}

/** Returns a pattern that matches any term of the fields. */
export const matcher = (...fields: readonly Field[]): RegExp => new RegExp(patternSourceOf(...fields))

/** Returns the length of the longest term of a field in a plain text; 0 if there is none. */
export function longestMatch(pattern: RegExp, plain: string): number {
  let longest = 0
  for (const [text] of plain.matchAll(new RegExp(pattern, 'g'))) longest = Math.max(longest, text.length)
  return longest
}

/** Names of months in all languages, with their numbers. */
const MONTHS = LANGUAGES.flatMap(({ months }) =>
  months.flatMap((names, at) => names.split('|').map((name) => ({ name: plainOf(name), number: at + 1 }))),
)

/** Returns the number of the month (1 to 12) that a word names, in full, abbreviated or inflected. */
export function monthOf(word: string): number | undefined {
  const whole = MONTHS.find(({ name }) => name === word)
  if (whole || word.length < 3) return whole?.number
  const [only, ...more] = new Set(
    MONTHS.flatMap(({ name, number }) => (name.startsWith(word) || word.startsWith(name) ? [number] : [])),
  )
  return more.length === 0 ? only : undefined
}
