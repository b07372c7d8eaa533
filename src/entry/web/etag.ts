/** Strong entity tags of texts (RFC 9110, section 8.8.3). */

/**
 * Tags by text. The map stays small, because the texts are catalogs: even if clients request many days, the catalogs
 * have few different contents.
 */
const known = new Map<string, string>()

/** Returns the tag of a text: its SHA-256. */
export async function etagOf(text: string): Promise<string> {
  let tag = known.get(text)
  if (tag === undefined) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    tag = `"${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
    known.set(text, tag)
  }
  return tag
}

/**
 * Whether the client already has this text. `If-None-Match` is a list or `*`, compared weakly, as RFC 9110 requires.
 *
 * @example
 * isKnown('"a", W/"b"', '"b"') // => true
 * isKnown('*', '"b"') // => true
 * isKnown('"bb"', '"b"') // => false
 */
export const isKnown = (ifNoneMatch: string | null, tag: string): boolean =>
  ifNoneMatch?.trim() === '*' || ifNoneMatch?.match(/"[^"]*"/g)?.includes(tag) === true
