/** The interface between the senders and the tax authority: the call that sends a message, and its result. */
import type { Text } from '#core/invoice/index.ts'
import type { VerifactuDocument } from '#records/verifactu/index.ts'

/** The result of a call without a complete response. It determines whether the message may be sent again. */
export interface NoResponse {
  /**
   * `refused`: rejected before processing. `unreachable`: not delivered. `unknown`: sent, but the result is unknown, so
   * the authority must be queried before sending it again.
   */
  readonly is: 'refused' | 'unreachable' | 'unknown'
  readonly reason: Text
  /** Seconds to wait before a retry (`Retry-After`), if stated. */
  readonly retryAfter?: number | null
}

/** A complete response, which may be a SOAP fault. */
interface CompleteResponse {
  readonly is: 'answered'
  readonly text: string
}

/** The company for which a message is sent. */
export interface CallContext {
  readonly companyId: string
  readonly environment: 'production' | 'test'
  /** The certificate that authenticates the company. */
  readonly certificateId: number
  /** Aborts the call. If the message was already sent, its outcome is unknown. */
  readonly signal?: AbortSignal
}

/** The outcome of a call. `document` is the parsed response; null if it could not be read completely. */
export type Outcome = (CompleteResponse & { readonly document: VerifactuDocument | null }) | NoResponse

export interface Caller extends CallContext {
  /** `requirement` sends records that the authority has requested. */
  readonly operation: 'submission' | 'requirement' | 'query'
}

/** Sends one message in its SOAP envelope. Does not reject for errors of the network or the server. */
export type VerifactuSender = (xml: string, caller: Caller) => Promise<Outcome>

export type SiiOutcome = CompleteResponse | NoResponse

export interface SiiCaller extends CallContext {
  /** The book whose service is called. */
  readonly address: 'issued' | 'received' | 'collections' | 'payments'
  readonly operation: 'submission' | 'query'
}

/** Sends one message to the SII; otherwise like `VerifactuSender`. */
export type SiiSender = (xml: string, caller: SiiCaller) => Promise<SiiOutcome>
