/** UBL 2.1: Invoice and CreditNote. */
import { type Syntax, statementOf } from '../en16931/index.ts'
import type { Format } from '../model/index.ts'
import { readUbl } from './read-ubl.ts'
import { UBL_LOCATIONS } from './ubl-locations.ts'
import { ublVocabulary } from './ubl-vocabulary.ts'
import { writeUbl } from './write-ubl.ts'

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
/** A credit note has other element names for its type and its lines. */
const syntaxOf = (credit: boolean): Syntax => ({
  format: 'ubl_2_1',
  locations: credit ? { ...UBL_LOCATIONS, typeCode: '/CreditNoteTypeCode' } : UBL_LOCATIONS,
})

export const ubl21: Format = {
  code: 'ubl_2_1',
  roots: [
    { name: 'Invoice', namespace: `${NAMESPACE}:Invoice-2` },
    { name: 'CreditNote', namespace: `${NAMESPACE}:CreditNote-2` },
  ],
  vocabulary: ublVocabulary,
  read: (root, tree, report, options) =>
    statementOf((watched) => readUbl(root, tree, watched), syntaxOf(root === 'CreditNote'), report, options),
  write: writeUbl,
}
