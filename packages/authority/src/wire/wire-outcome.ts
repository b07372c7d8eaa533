/** The possible outcomes of a message, one for each way in which the sender must react. */
import type { VerifactuDocument } from '#records/verifactu/index.ts'
import type { Problem, ProblemKind } from './wire-problems.ts'

/** Details of the exchange, for storage and display. */
export interface Exchange {
  /** Address to which the message was sent; null if there was none. */
  readonly address: string | null
  /** HTTP status; null if no response began. */
  readonly status: number | null
  /** The authority's clock (`Date` header) in milliseconds since 1970. */
  readonly date: number | null
  /** Seconds to wait before a retry (`Retry-After`). */
  readonly retry_after: number | null
  /** Text of the response: complete if it is readable, otherwise its beginning. Null if no response arrived. */
  readonly received: string | null
}

export type Outcome =
  /** A response that states the result of the message, or a SOAP fault, which means that nothing was stored. */
  | {
      readonly kind: 'answered'
      readonly text: string
      /** The parsed response, so that its text need not be parsed again; null for the SII. */
      readonly document: VerifactuDocument | null
      readonly exchange: Exchange
    }
  | { readonly kind: ProblemKind; readonly problem: Problem; readonly exchange: Exchange }
