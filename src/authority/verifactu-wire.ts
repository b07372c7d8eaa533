/** What the sender needs of the tax authority: one call, and what became of it. */
import type { Text } from '../invoice/index.ts'
import type { VerifactuDocument } from '../verifactu/index.ts'

/** Seconds after which the server wants to be asked again (`Retry-After`), where it says so. */
export interface RetryAfter {
  readonly retryAfter?: number | null
}

/** What became of a call: it decides whether a message may be sent again, or has to be asked for first. */
export type Outcome =
  /** A whole answer, a SOAP fault among them, and what is read in it: null where that is nothing, or not all. */
  | { readonly is: 'answered'; readonly text: string; readonly document: VerifactuDocument | null }
  /** Turned away before anything was done with it: the certificate, an address, HTTP. */
  | ({ readonly is: 'refused'; readonly reason: Text } & RetryAfter)
  /** It never got there. */
  | ({ readonly is: 'unreachable'; readonly reason: Text } & RetryAfter)
  /** It went out, and no whole answer came back: it may have been taken or not. */
  | ({ readonly is: 'unknown'; readonly reason: Text } & RetryAfter)

/** Whose call it is. */
export interface Caller {
  readonly companyId: string
  readonly environment: 'production' | 'test'
  /** `requirement` sends records because the authority has asked for them. */
  readonly operation: 'submission' | 'requirement' | 'query'
  /** The certificate of the company that identifies it. */
  readonly certificateId: number
  /** Ends the call: what was sent by then has an unknown outcome. */
  readonly signal?: AbortSignal
}

/** Sends one message in its SOAP envelope. Never rejects for what a network or a server does. */
export type Wire = (xml: string, caller: Caller) => Promise<Outcome>
