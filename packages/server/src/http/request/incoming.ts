/** A request before any check. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '#core/invoice/index.ts'

export interface Incoming {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The query of the URL as sent. */
  readonly searchParams: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly locale: Locale
  /** Headers that are sent with the response, whether it succeeds or fails. */
  readonly always: Record<string, string>
}

export const headerOf = (incoming: IncomingMessage, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
