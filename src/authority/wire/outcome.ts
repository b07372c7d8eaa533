/** What came of a message: every case there is, so that whoever sends can act on each. */
import type { VerifactuDocument } from '../../verifactu/index.ts'
import type { Problem } from './problems.ts'

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

export type Outcome<A> =
  /** An answer to the message, read. */
  | {
      readonly kind: 'answered'
      readonly answer: A
      /** What the answer was made from, so that nobody reads its text again; null for the SII. */
      readonly document: VerifactuDocument | null
      readonly exchange: Exchange
    }
  /** A SOAP fault: nothing of the message was stored. `resend`: the same may be sent later. */
  | {
      readonly kind: 'fault'
      readonly fault: { readonly code: number | null; readonly text: string; readonly resend: boolean }
      /** As it was read; null for the SII. */
      readonly document: VerifactuDocument | null
      readonly problem: Problem
      readonly exchange: Exchange
    }
  /** The certificate is not taken; nothing was stored. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly exchange: Exchange }
  /** Nothing was sent. */
  | { readonly kind: 'unreachable'; readonly problem: Problem; readonly exchange: Exchange }
  /** Something was sent, and nobody can tell what became of it: a query settles it. */
  | { readonly kind: 'unknown'; readonly problem: Problem; readonly exchange: Exchange }
