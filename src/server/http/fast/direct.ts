/**
 * Finds the handler of a static address without the router, which makes a request a sixth faster. Only addresses in
 * their plain form are found. Other forms (a host in capitals, percent signs, dots, an absolute URL) go to the router,
 * which parses or refuses them. A test compares the responses of both.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Address } from '../request/incoming.ts'

/** A request and its response. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

type Handler = (exchange: Exchange, address: () => Address) => Promise<void>

/** Handlers of static addresses, by path. */
export type DirectRoutes = Map<string, Handler>

const NO_PARAMETERS = new URLSearchParams()

/** Returns the address of a path without a query. */
export const plainAddress = (pathname: string): Address => ({
  pathname,
  search: '',
  searchParams: NO_PARAMETERS,
})

/** These patterns match hosts and queries that `URL` would not change. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
const PLAIN_QUERY = /^[\w&=.,:@-]*$/

/** Returns the handler of a request and its address; undefined if the router must handle the request. */
export function findDirectRoute(
  direct: DirectRoutes,
  { url = '', headers }: IncomingMessage,
): { readonly handle: Handler; readonly address: () => Address } | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  const handle = direct.get(path)
  if (!handle || !PLAIN_HOST.test(headers.host ?? '')) return undefined
  if (end < 0) return { handle, address: () => plainAddress(path) }
  const query = url.slice(end + 1)
  if (!PLAIN_QUERY.test(query)) return undefined
  const search = query === '' ? '' : `?${query}`
  return { handle, address: () => ({ pathname: path, search, searchParams: new URLSearchParams(query) }) }
}
