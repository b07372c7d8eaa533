/** The XML vocabulary of VeriFactu: official schemas `tikeV1.0`, record version 1.0. */

import { required } from '#core/errors/index.ts'
import { type Shapes, type Vocabulary, vocabularyOf, withFault } from '#core/xml/index.ts'
import shapes from '#schemas/xml/verifactu.json' with { type: 'json' }

/**
 * Pattern of amounts without leading zeros and without a trailing point. The schema accepts both, but the authority's
 * validations (section 3) forbid them.
 */
const AMOUNT = '[+-]?(?:0|[1-9]\\d*)(?:\\.\\d{1,2})?'

const withAmounts = ({ types, ...rest }: Shapes): Shapes => {
  const stricter = ['sf:ImporteSgn12.2Type', 'ev:ImporteSgn12.2Type'].map((name) => {
    const type = required(types[name])
    return [name, { ...type, patterns: [...(type.patterns ?? []), AMOUNT] }] as const
  })
  return { ...rest, types: { ...types, ...Object.fromEntries(stricter) } }
}

let built: Vocabulary | undefined

/** Returns the vocabulary, built at first use: callers that only compute a hash or a QR address do not need it. */
export function vocabulary(): Vocabulary {
  built ??= vocabularyOf(withAmounts(withFault(shapes as unknown as Shapes)))
  return built
}
