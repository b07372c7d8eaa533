/** The XML vocabulary of UBL 2.1: Invoice and CreditNote. */

import { type Shapes, type Vocabulary, vocabularyOf } from '#core/xml/index.ts'
import shapes from '#schemas/xml/ubl_2_1.json' with { type: 'json' }

let made: Vocabulary | undefined

/** Builds the vocabulary at first use. */
export function ublVocabulary(): Vocabulary {
  made ??= vocabularyOf(shapes as unknown as Shapes)
  return made
}
