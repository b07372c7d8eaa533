/** Reads the body of a request as bytes or as JSON. Counts the bytes while they arrive, to bound memory. */
import type { Locale } from '#core/invoice/index.ts'
import { type Reading, readJson } from '../request/read-json.ts'
import { type Refusal, refusal } from '../request/refusal.ts'
import { LIMITS } from '../request/request-limits.ts'
import { isIdentity, isJsonType } from '../web/content-headers.ts'
import { positionOfInvalidByte, textOf } from '../web/utf8.ts'
import { refuse } from './edge-messages.ts'

const LONGEST_SHOWN = 80

/** Truncates a header or parameter to the length that a message shows. */
export const truncated = (text: string | null): string => (text ?? '').slice(0, LONGEST_SHOWN)

/** Refuses compressed bodies: invoices are small, and a few bytes may decompress to gigabytes. */
export function contentCodingProblem(headers: Headers, locale: Locale): Refusal | null {
  const encoding = headers.get('content-encoding')
  if (!isIdentity(encoding))
    return refuse('encoding', locale, { received: truncated(encoding), expected: 'identity' })
  return null
}

/** Returns the refusal if the headers do not declare uncompressed JSON, otherwise null. */
function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  return isJsonType(type)
    ? contentCodingProblem(headers, locale)
    : refuse('media_type', locale, { received: truncated(type), expected: 'application/json' })
}

const INITIAL_BYTES = 64 * 1024

/** Returns a buffer of at least `length` bytes that starts with `bytes`. Doubles the size, so that copies are rare. */
function grown(bytes: Uint8Array, length: number): Uint8Array {
  if (length <= bytes.length) return bytes
  const wider = new Uint8Array(Math.max(length, 2 * bytes.length))
  wider.set(bytes)
  return wider
}

/** Returns the bytes of a stream. If they exceed `maxBytes`, cancels the stream and returns null. */
async function collect(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  if (!stream) return new Uint8Array()
  const reader = stream.getReader()
  let bytes: Uint8Array = new Uint8Array(INITIAL_BYTES)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes.subarray(0, length)
    if (length + value.length > maxBytes) {
      // The cancellation is not awaited, because the source may take long to stop.
      reader.cancel().catch(() => undefined)
      return null
    }
    bytes = grown(bytes, length + value.length)
    bytes.set(value, length)
    length += value.length
  }
}

/**
 * Reads a body of at most `maxBytes`. If the caller already found a problem in the headers, it passes that refusal as
 * `problem`, which is returned without reading the body. Never throws.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  locale: Locale,
  problem: Refusal | null,
): Promise<{ readonly bytes: Uint8Array } | { readonly refused: Refusal }> {
  if (problem) return { refused: problem }
  const tooLarge = { refused: refusal('too_large', locale, { max_bytes: maxBytes }) }
  if (Number(request.headers.get('content-length')) > maxBytes) {
    request.body?.cancel().catch(() => undefined)
    return tooLarge
  }
  try {
    const bytes = await collect(request.body, maxBytes)
    return bytes ? { bytes } : tooLarge
  } catch {
    return { refused: refuse('broken_off', locale) }
  }
}

/** Reads the JSON value of a body of at most `maxBytes`, or returns why it is refused. Never throws. */
export async function readBody(request: Request, maxBytes: number, locale: Locale): Promise<Reading> {
  const body = await readBytes(request, maxBytes, locale, mediaProblem(request.headers, locale))
  if ('refused' in body) return body
  const { bytes } = body
  const text = textOf(bytes)
  if (text === null) return { refused: refuse('not_utf8', locale, { ...positionOfInvalidByte(bytes) }) }
  return readJson(text, { ...LIMITS, maxBytes }, locale)
}
