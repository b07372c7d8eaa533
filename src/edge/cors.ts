/** Pages of other origins (Fetch standard, "CORS protocol"). */

type Headers = Readonly<Record<string, string>>

const HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, X-Request-Id'

/** A day: browsers forget sooner by themselves. */
const MAX_AGE = '86400'

/** Headers of every answer, for the page that asked. Of a list of origins a page learns its own alone. */
export function corsHeaders(origin: string | null, origins: '*' | readonly string[]): Headers {
  const exposed = { 'Access-Control-Expose-Headers': 'ETag, X-Request-Id' }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed }
  return origin !== null && origins.includes(origin)
    ? { 'Access-Control-Allow-Origin': origin, ...exposed }
    : {}
}

/** Further headers of the answer to OPTIONS. */
export const preflightHeaders = (methods: readonly string[]): Headers => ({
  Allow: methods.join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': HEADERS,
  'Access-Control-Max-Age': MAX_AGE,
})
