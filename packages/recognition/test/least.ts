/** Required results of recognition on the sample, on a third of the corpus and on all of it. Each improvement raises them. */
import { sized } from '#test/size.ts'

export const LEAST = {
  /** Share of correctly read fields. */
  text: 0.985,
  scan: sized(0.92, 0.94),
  /** Number of wrong fields whose value is in the tax QR of the document. */
  codeFieldsWrong: 0,
  trapsReady: 0,
  /** Number of proposals that cannot be registered. */
  refused: sized(2, 5, 13),
}
