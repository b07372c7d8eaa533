/** Types of mails and of their delivery. */

/** A mail ready for delivery. */
export interface Outgoing {
  /** The id of the mail, which is the same in every attempt. */
  readonly mailId: string
  readonly from: string
  readonly to: readonly string[]
  readonly content: Uint8Array
}

/** An address that the mail server rejected, although it accepted others. */
export interface RefusedAddress {
  readonly address: string
  readonly permanent: boolean
  readonly smtp_code?: number
  readonly smtp_response?: string
}

export interface Delivered {
  readonly accepted: readonly string[]
  readonly refused: readonly RefusedAddress[]
}

/**
 * Delivers a mail, or throws a `MailError`. Awaits `handOver` before it sends the end of the message, so nothing is
 * delivered before. If `handOver` rejects, the mail is not delivered.
 */
export type Deliver = (mail: Outgoing, handOver: () => Promise<void>) => Promise<Delivered>
