/** The words of `schemas/words/fields.json`: what each field is, in English and Spanish. */
import { readFileSync } from 'node:fs'
import { root } from './files.mjs'

const FIELDS = JSON.parse(readFileSync(`${root}schemas/words/fields.json`, 'utf8'))

/** Amounts in the original currency are what they are in euros: their blocks have the words of what they belong to. */
const BLOCKS = {
  LineCurrencyBlock: 'Line',
  TotalsCurrencyBlock: 'Totals',
  TaxOutputCurrencyBlock: 'TaxOutput',
}

/** What is said of a member of a type; a name that means the same everywhere is said once. */
export function wordsOf(title, name) {
  const type = BLOCKS[title] ?? title
  const found = FIELDS[`${type}.${name}`] ?? FIELDS[name]
  if (!found) throw new Error(`schemas/words/fields.json says nothing of ${type}.${name}`)
  return found
}

export const FIELD_NAMES = Object.keys(FIELDS)
