/** How long and how much: what a server may take of this one. */

export interface Limits {
  /** Milliseconds until a connection stands, with TLS. */
  readonly connect: number
  /** Milliseconds from the message being sent to the end of its answer. A thousand records take some seconds. */
  readonly answer: number
  /** Bytes of an answer, also when it comes compressed. Ten thousand lines of the SII have some megabytes. */
  readonly bytes: number
}

export const LIMITS: Limits = { connect: 15_000, answer: 120_000, bytes: 64 * 1024 * 1024 }
