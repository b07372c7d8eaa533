/**
 * The fast twin of the router, for addresses that stand in the table as they are sent: a request of such an address takes
 * a sixth less. Without it every request is answered by the router, which is what a test compares it with. Whatever is written in
 * another way (a host in capitals, percent signs, dots, a whole URL) goes to the router, which reads or refuses it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Address } from '../request/incoming.ts'

/** A request and its answer. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

type Answering = (exchange: Exchange, address: () => Address) => Promise<void>

/** How addresses without parameters are answered, by their path. */
export type Direct = Map<string, Answering>

const NO_PARAMETERS = new URLSearchParams()

/** The address of a path without a query. */
export const plainAddress = (pathname: string): Address => ({
  pathname,
  search: '',
  searchParams: NO_PARAMETERS,
})

/** Hosts and queries that mean what they look like: `URL` would change nothing about them. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
const PLAIN_QUERY = /^[\w&=.,:@-]*$/

/** How a request is answered, and its address; undefined: the router has to look at it. */
export function directly(
  direct: Direct,
  { url = '', headers }: IncomingMessage,
): { readonly answer: Answering; readonly address: () => Address } | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const answer = direct.get(path)
  if (!answer || !PLAIN_HOST.test(headers.host ?? '')) return undefined
  if (end < 0) return { answer, address: () => plainAddress(path) }
  const query = url.slice(end + 1)
  if (!PLAIN_QUERY.test(query)) return undefined
  const search = query === '' ? '' : `?${query}`
  return { answer, address: () => ({ pathname: path, search, searchParams: new URLSearchParams(query) }) }
}
