/** UN/CEFACT Cross Industry Invoice, D16B. */
import { reportUnread, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { CII_KNOWN, CII_PLACES } from './known.ts'
import { readCii } from './read.ts'
import { ciiVocabulary } from './vocabulary.ts'
import { writeCii } from './write.ts'

export const ciiD16b: Format = {
  code: 'cii_d16b',
  roots: [
    {
      name: 'CrossIndustryInvoice',
      namespace: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
    },
  ],
  vocabulary: ciiVocabulary,
  read: (_root, tree, report, options) => {
    const statement = statementOf(
      (watched) => readCii(tree, watched),
      'cii_d16b',
      CII_PLACES,
      report,
      options,
    )
    if (statement) reportUnread(tree, CII_KNOWN, report)
    return statement
  },
  write: writeCii,
}
