/** The XML vocabulary of the SII: official schemas of interface 1.1. */

import { type Shapes, type Vocabulary, vocabularyOf, withFault } from '#core/xml/index.ts'
import shapes from '#schemas/xml/sii.json' with { type: 'json' }

let built: Vocabulary | undefined

/** Returns the vocabulary, built at first use. */
export function vocabulary(): Vocabulary {
  built ??= vocabularyOf(withFault(shapes as unknown as Shapes))
  return built
}
