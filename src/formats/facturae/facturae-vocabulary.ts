/** The official schemas of Facturae, as data. */

import { type Shapes, type Vocabulary, vocabularyOf } from '#core/xml/index.ts'
import v32 from '#schemas/xml/facturae_3_2.json' with { type: 'json' }
import v321 from '#schemas/xml/facturae_3_2_1.json' with { type: 'json' }
import v322 from '#schemas/xml/facturae_3_2_2.json' with { type: 'json' }

export type FacturaeCode = 'facturae_3_2_2' | 'facturae_3_2_1' | 'facturae_3_2'

const SHAPES: Readonly<Record<FacturaeCode, unknown>> = {
  facturae_3_2_2: v322,
  facturae_3_2_1: v321,
  facturae_3_2: v32,
}
const made = new Map<FacturaeCode, Vocabulary>()

/** Returns the vocabulary of a version, built at first use. */
export function vocabulary(code: FacturaeCode): Vocabulary {
  const known = made.get(code)
  if (known) return known
  const fresh = vocabularyOf(SHAPES[code] as Shapes)
  made.set(code, fresh)
  return fresh
}
