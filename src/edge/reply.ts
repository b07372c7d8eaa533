/** What is answered, before it has the headers that every answer has. */
import type { Locale } from '../invoice/index.ts'
import type { Members } from '../request/options.ts'
import type { Refusal } from '../request/refusal.ts'
import type { Settings } from './settings.ts'

/** A request that may be answered: its address exists and its parameters are right. */
export interface Call {
  readonly request: Request
  readonly id: string
  readonly locale: Locale
  readonly options: Members
  readonly settings: Settings
  /** The last part of the address, where it is a name. */
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

/** Every other code says that the request, or what is in it, is wrong. */
const UNPROCESSABLE = 422

const JSON_HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }

/** A value as JSON that is not kept by anyone, unless `headers` say otherwise. */
export const jsonReply = (value: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body: JSON.stringify(value),
  headers: { ...JSON_HEADERS, ...headers },
})

/** Headers of an answer that holds sentences. */
export const inLanguage = (locale: Locale) => ({ 'Content-Language': locale, Vary: 'Accept-Language' })

/** An error of the specification: `detail` with code, message, the id of the request, and what else is known. */
export function errorReply(
  { detail: { code, message, ...extra } }: Refusal,
  { id, locale }: Pick<Call, 'id' | 'locale'>,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const status = STATUS[code] ?? UNPROCESSABLE
  const readable = status === 415 ? { 'Accept-Encoding': 'identity' } : {}
  const detail = { code, message, request_id: id, ...extra }
  return { ...jsonReply({ detail }, { ...inLanguage(locale), ...readable, ...headers }), status }
}
