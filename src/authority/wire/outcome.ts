/** Outcomes of a message, one case for each reaction of the sender. */
import type { VerifactuDocument } from '../../verifactu/index.ts'
import type { Problem, ProblemKind } from './problems.ts'

/** Details of the exchange, for storage and display. */
export interface Exchange {
  /** Address of the message; null if there was none. */
  readonly address: string | null
  /** HTTP status; null if no response began. */
  readonly status: number | null
  /** The authority's clock (`Date` header) in milliseconds since 1970. */
  readonly date: number | null
  /** Seconds to wait before a retry (`Retry-After`). */
  readonly retry_after: number | null
  /** Text of the response: the whole text if it is readable, otherwise its beginning; null if no response arrived. */
  readonly received: string | null
}

export type Outcome =
  /** A response that states the result of the message, or a SOAP fault, after which nothing was stored. */
  | {
      readonly kind: 'answered'
      readonly text: string
      /** The parsed response, so that its text is parsed once; null for the SII. */
      readonly document: VerifactuDocument | null
      readonly exchange: Exchange
    }
  | { readonly kind: ProblemKind; readonly problem: Problem; readonly exchange: Exchange }
