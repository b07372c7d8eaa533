/** UBL 2.1: Invoice and CreditNote. */
import { reportUnread, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { UBL_KNOWN, UBL_PLACES } from './known.ts'
import { readUbl } from './read.ts'
import { ublVocabulary } from './vocabulary.ts'
import { writeUbl } from './write.ts'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
/** In a credit note the type has another name. */
const CREDIT_PLACES = { ...UBL_PLACES, typeCode: '/CreditNoteTypeCode' }

export const ubl21: Format = {
  code: 'ubl_2_1',
  roots: [
    { name: 'Invoice', namespace: `${NAMESPACE}:Invoice-2` },
    { name: 'CreditNote', namespace: `${NAMESPACE}:CreditNote-2` },
  ],
  vocabulary: ublVocabulary,
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
