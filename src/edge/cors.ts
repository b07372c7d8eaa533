/** Pages of other origins (Fetch standard, "CORS protocol"). */

type Headers = Readonly<Record<string, string>>

const HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, X-Request-Id'

/** A day: browsers forget sooner by themselves. */
const MAX_AGE = '86400'

/** What every answer says to the page that asked. A list of origins is not told; only the own one, if it is in it. */
export function corsHeaders(origin: string | null, origins: '*' | readonly string[]): Headers {
  const exposed = { 'Access-Control-Expose-Headers': 'ETag, X-Request-Id' }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed }
  return origin !== null && origins.includes(origin)
    ? { 'Access-Control-Allow-Origin': origin, ...exposed }
    : {}
}

/** What the answer to OPTIONS says besides. */
export const preflightHeaders = (methods: readonly string[]): Headers => ({
  Allow: methods.join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': HEADERS,
  'Access-Control-Max-Age': MAX_AGE,
})
