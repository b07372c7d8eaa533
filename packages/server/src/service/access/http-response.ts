/** Responses to clients. With an idempotency key, they are also stored. */

/** Base path of the interface in the API specification. */
export const BASE_PATH = '/api/v1.1'

export interface ApiResponse {
  readonly status: number
  /** The body as a JSON value; undefined if the body is not JSON, is already encoded, or is empty. */
  readonly json?: unknown
  /** A file instead of JSON. */
  readonly stream?: NodeJS.ReadableStream
  readonly text?: string
  /** The text in parts, some of which are already encoded as bytes. */
  readonly pieces?: readonly (string | Uint8Array)[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonResponse<S extends number, T> extends ApiResponse {
  readonly status: S
  readonly json: T
}

/** A response whose body is already encoded or empty, so the compiler cannot check it against the schema. */
export interface EncodedResponse extends ApiResponse {
  readonly json?: undefined
}

export const ok = <T>(json: T): JsonResponse<200, T> => ({ status: 200, json })
/** Returns the response for a created object. `path` is its address below the base path. */
export const created = <T>(
  json: T,
  path: `/${string}`,
  headers: ApiResponse['headers'] = {},
): JsonResponse<201, T> => ({ status: 201, json, headers: { ...headers, Location: BASE_PATH + path } })
export const noContent: EncodedResponse = { status: 204 }
