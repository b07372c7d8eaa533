/** Reads `schemas/texts/fields.json`: descriptions of the fields in English and Spanish. */
import { readFileSync } from 'node:fs'
import { root } from './files.mjs'

const FIELDS = JSON.parse(readFileSync(`${root}schemas/texts/fields.json`, 'utf8'))

/** Blocks in the original currency share the texts of their counterparts in euros. */
const BLOCKS = {
  LineCurrencyBlock: 'Line',
  TotalsCurrencyBlock: 'Totals',
  TaxOutputCurrencyBlock: 'TaxOutput',
}

/** Returns the texts of a member of a type. A member name with the same meaning in all types has only one entry. */
export function fieldTextsOf(title, name) {
  const type = BLOCKS[title] ?? title
  const found = FIELDS[`${type}.${name}`] ?? FIELDS[name]
  if (!found) throw new Error(`schemas/texts/fields.json has no entry for ${type}.${name}`)
  return found
}

export const FIELD_NAMES = Object.keys(FIELDS)
