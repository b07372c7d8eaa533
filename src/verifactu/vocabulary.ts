/** The XML vocabulary of VeriFactu: official schemas `tikeV1.0`, record version 1.0. */
import shapes from '../../schemas/xml/verifactu.json' with { type: 'json' }
import { type Shapes, type Vocabulary, vocabularyOf, withFault } from '../xml/index.ts'

let made: Vocabulary | undefined

/** Made at first use: whoever only computes a hash or a QR address does not pay for it. */
export function vocabulary(): Vocabulary {
  made ??= vocabularyOf(withFault(shapes as unknown as Shapes))
  return made
}
