/** What came of a message: every case there is, so that whoever sends can act on each. */
import type { VerifactuDocument } from '../../verifactu/index.ts'
import type { Problem, ProblemKind } from './problems.ts'

/** What is known of the exchange itself, to be kept and shown. */
export interface Exchange {
  /** Where the message went; null where there was no address. */
  readonly address: string | null
  /** Of the answer; null where none began. */
  readonly status: number | null
  /** The authority's clock (`Date` of the answer) in milliseconds since 1970. */
  readonly date: number | null
  /** Seconds after which the server wants to be asked again (`Retry-After`). */
  readonly retry_after: number | null
  /** What was answered, as text: the whole of a readable answer, else its beginning; null where nothing came. */
  readonly received: string | null
}

export type Outcome =
  /** A response that states the result of the message, or a SOAP fault: then nothing of it was stored. */
  | {
      readonly kind: 'answered'
      readonly text: string
      /** The parsed response, so that its text is parsed once; null for the SII. */
      readonly document: VerifactuDocument | null
      readonly exchange: Exchange
    }
  | { readonly kind: ProblemKind; readonly problem: Problem; readonly exchange: Exchange }
