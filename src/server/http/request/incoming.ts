/** A request before any check. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '../../../invoice/index.ts'

/** The address as sent, with its query. */
export type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>

export interface Incoming {
  readonly incoming: IncomingMessage
  readonly url: Address
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly locale: Locale
  /** Headers to send with the response, whatever its outcome. */
  readonly always: Record<string, string>
}

export const headerOf = (incoming: IncomingMessage, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
