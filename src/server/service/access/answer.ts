/** What goes back to a client, as it is sent and, under an idempotency key, kept. */

export interface Answer {
  readonly status: number
  /** A JSON value; undefined: nothing. */
  readonly json?: unknown
  /** Bytes instead of JSON: a file. */
  readonly stream?: NodeJS.ReadableStream
  readonly text?: string
  /** The same in pieces, some of them encoded already. */
  readonly pieces?: readonly (string | Uint8Array)[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonAnswer<S extends number, T> extends Answer {
  readonly status: S
  readonly json: T
}

/** Without a value that the compiler could hold against its shape. */
export interface Encoded extends Answer {
  readonly json?: undefined
}

export const ok = <T>(json: T): JsonAnswer<200, T> => ({ status: 200, json })
export const created = <T>(json: T): JsonAnswer<201, T> => ({ status: 201, json })
export const noContent: Encoded = { status: 204 }
