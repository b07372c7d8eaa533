/** A mail on its way, and what became of it. */

/** A mail as it goes out. */
export interface Outgoing {
  /** The same in every try. */
  readonly mailId: string
  readonly from: string
  readonly to: readonly string[]
  readonly content: Uint8Array
}

/** An address that the mail server did not take, while it took others. */
export interface Refused {
  readonly address: string
  readonly permanent: boolean
  readonly smtp_code?: number
  readonly smtp_response?: string
}

export interface Delivered {
  readonly accepted: readonly string[]
  readonly refused: readonly Refused[]
}

/**
 * Delivers a mail, or throws a `MailError`. `handOver` is called when everything but the end of the message is with the
 * other side, and waited for: where it rejects nothing is delivered, and until it is called nothing can have been.
 */
export type Deliver = (mail: Outgoing, handOver: () => Promise<void>) => Promise<Delivered>
