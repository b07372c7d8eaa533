/** UN/CEFACT Cross Industry Invoice, D16B. */
import shapes from '../../../schemas/xml/cii_d16b.json' with { type: 'json' }
import { type Shapes, type Vocabulary, vocabularyOf } from '../../xml/index.ts'
import { reportUnread, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { CII_KNOWN, CII_PLACES } from './known.ts'
import { readCii } from './read.ts'
import { writeCii } from './write.ts'

let made: Vocabulary | undefined

/** Made at first use. */
function vocabulary(): Vocabulary {
  made ??= vocabularyOf(shapes as unknown as Shapes)
  return made
}

export const ciiD16b: Format = {
  code: 'cii_d16b',
  roots: [
    {
      name: 'CrossIndustryInvoice',
      namespace: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
    },
  ],
  vocabulary,
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
