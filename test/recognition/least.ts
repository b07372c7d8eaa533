/** What recognition reaches on the corpus, of the sample and of the whole: to be raised with each improvement. */
import { sized } from '../size.ts'

export const LEAST = {
  /** Share of right fields. */
  text: 0.97,
  scan: sized(0.9, 0.92),
  /** Wrong fields that the tax QR of the document has. */
  codeFieldsWrong: 0,
  trapsReady: 0,
  /** Proposals that cannot be registered. */
  refused: sized(2, 13),
}
