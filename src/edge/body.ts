/** The body of a request, as bytes or as a value: counted while it arrives, so that nobody fills the memory. */
import type { Locale } from '../invoice/index.ts'
import { LIMITS } from '../request/limits.ts'
import { type Reading, readJson } from '../request/read.ts'
import { type Refusal, refusal } from '../request/refusal.ts'
import { isJsonType } from '../web/json-type.ts'
import { placeOfBadByte, textOf } from '../web/utf8.ts'
import { refuse } from './messages.ts'

const LONGEST_SHOWN = 80

export const shown = (header: string | null): string => (header ?? '').slice(0, LONGEST_SHOWN)

/** Compressed bodies are refused: an invoice is small, and a few bytes may unpack to gigabytes. */
export function codingProblem(headers: Headers, locale: Locale): Refusal | null {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && !/^\s*(?:identity)?\s*$/i.test(encoding))
    return refuse('encoding', locale, { received: shown(encoding), expected: 'identity' })
  return null
}

/** Why a body of these headers is not read as JSON; null where it is. */
function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  return isJsonType(type)
    ? codingProblem(headers, locale)
    : refuse('media_type', locale, { received: shown(type), expected: 'application/json' })
}

const FIRST_ROOM = 64 * 1024

/** `bytes` with room for `length` of them: doubled, because a body may come in pieces of one byte. */
function widened(bytes: Uint8Array, length: number): Uint8Array {
  if (length <= bytes.length) return bytes
  const wider = new Uint8Array(Math.max(length, 2 * bytes.length))
  wider.set(bytes)
  return wider
}

/** What a stream brings, or null once it is more than `maxBytes`: the rest is cancelled. */
async function collected(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  if (!stream) return new Uint8Array()
  const reader = stream.getReader()
  let bytes: Uint8Array = new Uint8Array(FIRST_ROOM)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes.subarray(0, length)
    if (length + value.length > maxBytes) {
      // Not waited for: a source may take its time to stop.
      reader.cancel().catch(() => undefined)
      return null
    }
    bytes = widened(bytes, length + value.length)
    bytes.set(value, length)
    length += value.length
  }
}

/** The bytes of a body of at most `maxBytes`, unless there is a problem already. Never throws. */
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
    const bytes = await collected(request.body, maxBytes)
    return bytes ? { bytes } : tooLarge
  } catch {
    return { refused: refuse('broken_off', locale) }
  }
}

/** The JSON value of a body of at most `maxBytes`, or why it is refused. Never throws. */
export async function readBody(request: Request, maxBytes: number, locale: Locale): Promise<Reading> {
  const body = await readBytes(request, maxBytes, locale, mediaProblem(request.headers, locale))
  if ('refused' in body) return body
  const { bytes } = body
  const text = textOf(bytes)
  if (text === null) return { refused: refuse('not_utf8', locale, { ...placeOfBadByte(bytes) }) }
  return readJson(text, { ...LIMITS, maxBytes }, locale)
}
