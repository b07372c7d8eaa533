/** Responses to clients, as they are sent and, under an idempotency key, stored. */

export interface ApiResponse {
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

export interface JsonResponse<S extends number, T> extends ApiResponse {
  readonly status: S
  readonly json: T
}

/** A response without a value that the compiler could check against the schema. */
export interface EncodedResponse extends ApiResponse {
  readonly json?: undefined
}

export const ok = <T>(json: T): JsonResponse<200, T> => ({ status: 200, json })
export const created = <T>(json: T): JsonResponse<201, T> => ({ status: 201, json })
export const noContent: EncodedResponse = { status: 204 }
