/** What the sender of the SII needs of the tax authority: one call, and what became of it. */
import type { Text } from '../invoice/index.ts'
import type { RetryAfter } from './verifactu-wire.ts'

/** What became of a call: it decides whether a message may be sent again, or has to be asked for first. */
export type SiiOutcome =
  /** A whole answer, a SOAP fault among them. */
  | { readonly is: 'answered'; readonly text: string }
  /** Turned away before anything was done with it (`refused`), or it never got there (`unreachable`). */
  | ({ readonly is: 'refused' | 'unreachable'; readonly reason: Text } & RetryAfter)
  /** It went out, and no whole answer came back: it may have been taken or not. */
  | ({ readonly is: 'unknown'; readonly reason: Text } & RetryAfter)

/** Whose call it is, and to which address of the service. */
export interface SiiCaller {
  readonly companyId: string
  readonly environment: 'production' | 'test'
  readonly address: 'issued' | 'received' | 'collections' | 'payments'
  readonly operation: 'submission' | 'query'
  /** The certificate of the company that identifies it. */
  readonly certificateId: number
  /** Ends the call: what was sent by then has an unknown outcome. */
  readonly signal?: AbortSignal
}

/** Sends one message in its SOAP envelope. Never rejects for what a network or a server does. */
export type SiiWire = (xml: string, caller: SiiCaller) => Promise<SiiOutcome>
