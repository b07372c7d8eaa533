/** The vocabularies of the invoice formats. */
import { readFileSync } from 'node:fs'
import { type Vocabulary, vocabularyOf } from '#core/xml/index.ts'

const FORMATS = ['facturae_3_2', 'facturae_3_2_1', 'facturae_3_2_2', 'ubl_2_1', 'cii_d16b']

export const vocabularies: Readonly<Record<string, Vocabulary>> = Object.fromEntries(
  FORMATS.map((name) => {
    const file = new URL(`../../../schemas/xml/${name}.json`, import.meta.url)
    return [name, vocabularyOf(JSON.parse(readFileSync(file, 'utf8')))]
  }),
)
