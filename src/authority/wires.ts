/** The port of the senders to the tax authority: one call and its result. */
import type { Text } from '../invoice/index.ts'
import type { VerifactuDocument } from '../verifactu/index.ts'

/** What became of a call without a whole answer: it decides whether a message may be sent again. */
export interface NoAnswer {
  /**
   * Turned away before anything was done with it (`refused`), never got there (`unreachable`), or went out and may have
   * been taken or not (`unknown`): then it has to be asked for first.
   */
  readonly is: 'refused' | 'unreachable' | 'unknown'
  readonly reason: Text
  /** Seconds after which the server wants to be asked again (`Retry-After`), where it says so. */
  readonly retryAfter?: number | null
}

/** A whole answer, a SOAP fault among them. */
interface WholeAnswer {
  readonly is: 'answered'
  readonly text: string
}

/** Whose call it is. */
export interface Calling {
  readonly companyId: string
  readonly environment: 'production' | 'test'
  /** The certificate of the company that identifies it. */
  readonly certificateId: number
  /** Ends the call: what was sent by then has an unknown outcome. */
  readonly signal?: AbortSignal
}

/** `document` is what is read in the answer: null where that is nothing, or not all. */
export type Outcome = (WholeAnswer & { readonly document: VerifactuDocument | null }) | NoAnswer

export interface Caller extends Calling {
  /** `requirement` sends records because the authority has asked for them. */
  readonly operation: 'submission' | 'requirement' | 'query'
}

/** Sends one message in its SOAP envelope. Never rejects for what a network or a server does. */
export type Wire = (xml: string, caller: Caller) => Promise<Outcome>

export type SiiOutcome = WholeAnswer | NoAnswer

export interface SiiCaller extends Calling {
  /** The address of the service. */
  readonly address: 'issued' | 'received' | 'collections' | 'payments'
  readonly operation: 'submission' | 'query'
}

/** The same to the SII. */
export type SiiWire = (xml: string, caller: SiiCaller) => Promise<SiiOutcome>
