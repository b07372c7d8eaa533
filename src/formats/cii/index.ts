/** UN/CEFACT Cross Industry Invoice, D16B. */
import { type Syntax, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { CII_LOCATIONS } from './cii-locations.ts'
import { ciiVocabulary } from './cii-vocabulary.ts'
import { readCii } from './read-cii.ts'
import { writeCii } from './write-cii.ts'

const SYNTAX: Syntax = {
  format: 'cii_d16b',
  locations: CII_LOCATIONS,
}

export const ciiD16b: Format = {
  code: 'cii_d16b',
  roots: [
    {
      name: 'CrossIndustryInvoice',
      namespace: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
    },
  ],
  vocabulary: ciiVocabulary,
  read: (_root, tree, report, options) =>
    statementOf((watched) => readCii(tree, watched), SYNTAX, report, options),
  write: writeCii,
}
export { ciiVocabulary } from './cii-vocabulary.ts'
export { readCii } from './read-cii.ts'
