/** Responses of the routes, without the headers that every response has. */
import type { Locale } from '#core/invoice/index.ts'
import type { Refusal } from '../request/refusal.ts'
import type { Members } from '../request/request-options.ts'
import type { Settings } from './edge-settings.ts'

/** A request whose route exists and whose parameters are valid. */
export interface Call {
  readonly request: Request
  readonly id: string
  readonly locale: Locale
  readonly options: Members
  readonly settings: Settings
  /** The last segment of the path, on routes that end in a name. */
  readonly name: string
}

export interface Reply {
  readonly status: number
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

const STATUS: Readonly<Record<string, number>> = {
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
}

/** Status of errors with a code that is not in `STATUS`: the request or its content has a problem. */
const UNPROCESSABLE = 422

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

/** Responds with JSON that must not be stored, unless `headers` override that. */
export const jsonReply = (value: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { ...JSON_HEADERS, ...headers },
})

/** Returns the headers of a response that contains messages. */
export const languageHeaders = (locale: Locale) => ({ 'Content-Language': locale, Vary: 'Accept-Language' })

/** Responds with an error of the specification: `detail` with code, message, request id and further values. */
export function errorReply(
  { detail: { code, message, ...extra } }: Refusal,
  { id, locale }: Pick<Call, 'id' | 'locale'>,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const status = STATUS[code] ?? UNPROCESSABLE
  const readable = status === 415 ? { 'Accept-Encoding': 'identity' } : {}
  const detail = { code, message, request_id: id, ...extra }
  return { ...jsonReply({ detail }, { ...languageHeaders(locale), ...readable, ...headers }), status }
}
