/** A request before any check. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '../../../invoice/index.ts'

/** The URL of the request as sent, with its query. */
export type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>

export interface Incoming {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly url: Address
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
