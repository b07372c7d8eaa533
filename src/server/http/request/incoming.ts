/** A request as it comes in, before anything has been checked. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '../../../invoice/index.ts'

/** Address as sent, with its query. */
export type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>

export interface Incoming {
  readonly incoming: IncomingMessage
  readonly url: Address
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly locale: Locale
  /** Headers of the answer, whatever becomes of the request. */
  readonly always: Record<string, string>
}

export const headerOf = (incoming: IncomingMessage, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
