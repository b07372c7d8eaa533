/** Responses to clients, as they are sent and, under an idempotency key, stored. */

export interface Answer {
  readonly status: number
  /** A JSON value; undefined for none. */
  readonly json?: unknown
  /** A file instead of JSON. */
  readonly stream?: NodeJS.ReadableStream
  readonly text?: string
  /** The text in parts, some of them already encoded. */
  readonly pieces?: readonly (string | Uint8Array)[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonAnswer<S extends number, T> extends Answer {
  readonly status: S
  readonly json: T
}

/** A response without a value that the compiler could check against the schema. */
export interface Encoded extends Answer {
  readonly json?: undefined
}

export const ok = <T>(json: T): JsonAnswer<200, T> => ({ status: 200, json })
export const created = <T>(json: T): JsonAnswer<201, T> => ({ status: 201, json })
export const noContent: Encoded = { status: 204 }
