/** UBL 2.1: Invoice and CreditNote. */
import shapes from '../../../schemas/xml/ubl_2_1.json' with { type: 'json' }
import { type Shapes, type Vocabulary, vocabularyOf } from '../../xml/index.ts'
import { reportUnread, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { UBL_KNOWN, UBL_PLACES } from './known.ts'
import { readUbl } from './read.ts'
import { writeUbl } from './write.ts'

let made: Vocabulary | undefined

/** Made at first use. */
function vocabulary(): Vocabulary {
  made ??= vocabularyOf(shapes as unknown as Shapes)
  return made
}

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
/** In a credit note the type has another name. */
const CREDIT_PLACES = { ...UBL_PLACES, typeCode: '/CreditNoteTypeCode' }

export const ubl21: Format = {
  code: 'ubl_2_1',
  roots: [
    { name: 'Invoice', namespace: `${NAMESPACE}:Invoice-2` },
    { name: 'CreditNote', namespace: `${NAMESPACE}:CreditNote-2` },
  ],
  vocabulary,
  read: (root, tree, report, options) => {
    const places = root === 'CreditNote' ? CREDIT_PLACES : UBL_PLACES
    const statement = statementOf(
      (watched) => readUbl(root, tree, watched),
      'ubl_2_1',
      places,
      report,
      options,
    )
    if (statement) reportUnread(tree, UBL_KNOWN, report)
    return statement
  },
  write: writeUbl,
}
