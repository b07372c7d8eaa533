/** Reads the body of a request. Size and time are limited while it arrives. Then it is parsed strictly. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '../../invoice/index.ts'
import { parseJson } from '../../request/read.ts'
import { refusal } from '../../request/refusal.ts'
import { isJsonType } from '../../web/json-type.ts'
import { positionOfInvalidByte, textOf } from '../../web/utf8.ts'
import { receive } from '../documents/receiving.ts'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import { isReadable, isSound, refuseUnlikely, refuseUnstorable, survey } from './strict-json.ts'

const MAX_DEPTH = 64
const LONGEST_SHOWN = 80

const header = (incoming: IncomingMessage, name: string): string => String(incoming.headers[name] ?? '')

export function requireUncompressed(incoming: IncomingMessage): void {
  const transfer = header(incoming, 'transfer-encoding')
  const encoding = /^\s*(?:chunked)?\s*$/i.test(transfer) ? header(incoming, 'content-encoding') : transfer
  if (!/^\s*(?:identity)?\s*$/i.test(encoding))
    throw new ApiError('unsupported_media_type', {
      received: encoding.slice(0, LONGEST_SHOWN),
      expected: 'identity',
    })
}

const FIRST_BYTES = 16 * 1024

/** Reads a body of up to `maxBytes` that arrives within `seconds`. */
export async function collect(incoming: IncomingMessage, maxBytes: number, seconds: number): Promise<Buffer> {
  const tooLarge = () => new ApiError('payload_too_large', { max_bytes: maxBytes })
  const declared = Number(incoming.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge()
  // Chunks are copied into one buffer. If each byte arrived as a chunk, a list of chunks would take a hundred times the
  // size.
  let bytes = Buffer.allocUnsafe(Math.min(declared || FIRST_BYTES, FIRST_BYTES))
  let length = 0
  await receive(incoming, { seconds }, (chunk) => {
    const needed = length + chunk.length
    if (needed > maxBytes) throw tooLarge()
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, 2 * bytes.length)))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    chunk.copy(bytes, length)
    length = needed
  })
  return bytes.subarray(0, length)
}

export function requireJson(incoming: IncomingMessage): void {
  const type = header(incoming, 'content-type')
  if (!isJsonType(type))
    throw new ApiError('unsupported_media_type', {
      received: type.slice(0, LONGEST_SHOWN),
      expected: 'application/json',
    })
  requireUncompressed(incoming)
}

/**
 * Requires `application/xml` or `text/xml`. The `charset` is ignored, since an XML document declares its own encoding.
 */
export function requireXml(incoming: IncomingMessage): void {
  const type = header(incoming, 'content-type')
  if (!/^\s*(?:application|text)\/xml\s*(?:;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', {
      received: type.slice(0, LONGEST_SHOWN),
      expected: 'application/xml, text/xml',
    })
  requireUncompressed(incoming)
}

/** A body that was received completely. */
export interface Reading {
  readonly bytes: Uint8Array
  readonly maxBytes: number
  readonly locale: Locale
}

/** Parses bytes as JSON. Throws the refusal if the body is invalid. */
export function parseBody({ bytes, maxBytes, locale }: Reading): unknown {
  const text = textOf(bytes)
  if (text === null) {
    const { line, column } = positionOfInvalidByte(bytes)
    throw invalidRequest(
      `the body is not UTF-8 at line ${line}, column ${column}`,
      `el cuerpo no es UTF-8 en la línea ${line}, columna ${column}`,
      { line, column },
    )
  }
  const surveyed = survey(bytes)
  // The nesting is checked before parsing, since a recursive parser could exhaust the stack.
  const reading =
    surveyed.depth > MAX_DEPTH
      ? { refused: refusal('too_deep', locale, { max_depth: MAX_DEPTH }) }
      : parseJson(text, locale)
  if ('refused' in reading) {
    const { code: _code, message, ...extra } = reading.refused.detail
    const reason = message
      .replace(/\.$/, '')
      .replace(/^(?:The request|La petición) /, (start) => start.toLowerCase())
    throw new ApiError('request_validation_error', { ...extra, reason: { en: reason, es: reason } })
  }
  refuseUnlikely(text, surveyed, reading.value, maxBytes)
  refuseUnstorable(text, surveyed, reading.value)
  return reading.value
}

/**
 * Parses a body after a quick check. Returns undefined if the body may be invalid; then `parseBody` finds the reason.
 */
export function parseSound({ bytes, maxBytes }: Reading): { readonly value: unknown } | undefined {
  const text = textOf(bytes)
  const surveyed = survey(bytes)
  if (text === null || surveyed.depth > MAX_DEPTH || !isReadable(surveyed, maxBytes)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isSound(text, surveyed, value, maxBytes) ? { value } : undefined
}
