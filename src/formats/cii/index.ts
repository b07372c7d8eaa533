/** UN/CEFACT Cross Industry Invoice, D16B. */
import { type Syntax, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { CII_LOCATIONS } from './locations.ts'
import { readCii } from './read.ts'
import { ciiVocabulary } from './vocabulary.ts'
import { writeCii } from './write.ts'

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
export { readCii } from './read.ts'
export { ciiVocabulary } from './vocabulary.ts'
