/** Reads the body of a request. Size and time are limited while it arrives. The complete body is parsed strictly. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '#core/invoice/index.ts'
import type { Refusal } from '#entry/request/index.ts'
import {
  isIdentity,
  isJsonType,
  parseJson,
  positionOfInvalidByte,
  refusal,
  textOf,
} from '#entry/web/index.ts'
import { createCollector, type MemoryReservation } from '../documents/body-memory.ts'
import { receive } from '../documents/receiving.ts'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import {
  hasFewEntries,
  isSound,
  type JsonMeasures,
  measureJson,
  refuseTooMany,
  refuseUnstorable,
  refuseWrongKeys,
} from './strict-json.ts'

const MAX_DEPTH = 64
const LONGEST_SHOWN = 80

const header = (incoming: IncomingMessage, name: string): string => String(incoming.headers[name] ?? '')

export function requireUncompressed(incoming: IncomingMessage): void {
  const transfer = header(incoming, 'transfer-encoding')
  const isChunked = transfer.toLowerCase() === 'chunked'
  const encoding = isChunked || transfer === '' ? header(incoming, 'content-encoding') : transfer
  if (!isIdentity(encoding))
    throw new ApiError('unsupported_media_type', {
      received: encoding.slice(0, LONGEST_SHOWN),
      expected: 'identity',
    })
}

export interface BodyCollectOptions {
  readonly maxBytes: number
  /** Time limit for the whole body. */
  readonly seconds: number
  readonly held: MemoryReservation
}

/** Reads a body of up to `maxBytes`. Throws the error that `tooLargeResult` returns if the body is larger. */
export async function collect(
  incoming: IncomingMessage,
  { maxBytes, seconds, held }: BodyCollectOptions,
  tooLarge: () => ApiError = () => new ApiError('payload_too_large', { max_bytes: maxBytes }),
): Promise<Buffer> {
  const declared = Number(incoming.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw tooLarge()
  // Refuses the body before it is read if there is not enough memory now. Memory is reserved only for bytes that
  // arrive.
  held.resize(declared)
  held.resize(0)
  const add = createCollector(held, declared || maxBytes)
  let bytes: Buffer = Buffer.alloc(0)
  await receive(incoming, { seconds }, (chunk) => {
    if (bytes.length + chunk.length > maxBytes) throw tooLarge()
    bytes = add(chunk)
  })
  return bytes
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

/** Measures a body. Throws if it is nested too deeply, or has too many entries to be parsed. */
export function measureBody({ bytes, maxBytes, locale }: Reading): JsonMeasures {
  const measures = measureJson(bytes)
  // Parsing deeply nested JSON recursively could exhaust the stack.
  if (measures.depth > MAX_DEPTH) refuse(refusal('too_deep', locale, { max_depth: MAX_DEPTH }))
  refuseTooMany(measures, maxBytes)
  return measures
}

function refuse({ detail: { code: _code, message, ...extra } }: Refusal): never {
  const reason = message
    .replace(/\.$/, '')
    .replace(/^(?:The request|La petición) /, (start) => start.toLowerCase())
  throw new ApiError('request_validation_error', { ...extra, reason: { en: reason, es: reason } })
}

/** Parses bytes as JSON. Throws the error for the client if the body is invalid. */
export function parseBody(reading: Reading): unknown {
  const { bytes, locale } = reading
  const text = textOf(bytes)
  if (text === null) {
    const { line, column } = positionOfInvalidByte(bytes)
    throw invalidRequest(
      `the body is not UTF-8 at line ${line}, column ${column}`,
      `el cuerpo no es UTF-8 en la línea ${line}, columna ${column}`,
      { line, column },
    )
  }
  const measures = measureBody(reading)
  const parsed = parseJson(text, locale)
  if ('refused' in parsed) return refuse(parsed.refused)
  refuseWrongKeys(text, measures, parsed.value)
  refuseUnstorable(text, measures, parsed.value)
  return parsed.value
}

/**
 * Parses a body with quick checks only. Returns undefined if the body may be invalid; `parseBody` then finds the
 * reason.
 */
export function parseIfSound({ bytes, maxBytes }: Reading): { readonly value: unknown } | undefined {
  const text = textOf(bytes)
  const measures = measureJson(bytes)
  if (text === null || measures.depth > MAX_DEPTH || !hasFewEntries(measures, maxBytes)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isSound(text, measures, value) ? { value } : undefined
}
