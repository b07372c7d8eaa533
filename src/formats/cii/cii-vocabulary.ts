/** The XML vocabulary of CII D16B. */

import { type Shapes, type Vocabulary, vocabularyOf } from '#core/xml/index.ts'
import shapes from '#schemas/xml/cii_d16b.json' with { type: 'json' }

let made: Vocabulary | undefined

/** Builds the vocabulary at first use. */
export function ciiVocabulary(): Vocabulary {
  made ??= vocabularyOf(shapes as unknown as Shapes)
  return made
}
