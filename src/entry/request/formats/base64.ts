/**
 * Base64 (RFC 4648, section 4), decoded without `atob`, which reports no position of errors and is not part of the
 * language.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const NONE = 255

const SIX_BITS = new Uint8Array(128).fill(NONE)
for (let value = 0; value < ALPHABET.length; value++) SIX_BITS[ALPHABET.charCodeAt(value)] = value

const sixBits = (code: number): number => SIX_BITS[code] ?? NONE
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/**
 * Decodes a base64 text, ignoring white space. For invalid base64, `wrong` is the position of the first error, counted
 * in characters from 1.
 *
 * @example
 * [...(decodeBase64('PGE+').bytes ?? [])] // => [60, 97, 62]
 * decodeBase64('PG_+').wrong // => 3
 */
export function decodeBase64(
  text: string,
): { readonly bytes: Uint8Array; readonly wrong: null } | { readonly bytes: null; readonly wrong: number } {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let [length, bits, held, digits, end] = [0, 0, 0, 0, text.length]
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  const last = end
  while (end > 0 && last - end < 2 && text.charCodeAt(end - 1) === 61) end--
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) continue
    const value = sixBits(code)
    if (value === NONE) return { bytes: null, wrong: at + 1 }
    digits++
    bits = ((bits << 6) | value) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[length++] = (bits >> held) & 0xff
  }
  const padding = last - end
  // The characters, including any padding, must form whole groups of four.
  if (digits % 4 === 1 || (padding > 0 && (digits + padding) % 4 !== 0))
    return { bytes: null, wrong: end + 1 }
  return { bytes: bytes.subarray(0, length), wrong: null }
}
