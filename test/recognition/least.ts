/** What recognition reaches on the corpus, of the whole and of the sample: to be raised with each improvement. */
import { sized } from '../size.ts'

export const LEAST = {
  /** Share of right fields. */
  text: sized(0.93, 0.93),
  scan: sized(0.9, 0.84),
  /** Wrong fields that the tax QR of the document has. */
  codeFieldsWrong: sized(0, 1),
  trapsReady: sized(4, 7),
  /** Proposals that cannot be registered. */
  refused: sized(1, 0),
}
