/** The body of a request: counted and timed while it arrives, read strictly, never half-believed. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '../../invoice/index.ts'
import { JsonFault, JsonScanner } from '../../json/scan.ts'
import { Lines } from '../../json/position.ts'
import { readJson } from '../../request/read.ts'
import { isJsonType } from '../../web/json-type.ts'
import { placeOfBadByte, textOf } from '../../web/utf8.ts'
import { ApiError, invalidRequest } from './errors.ts'

export const MAX_JSON_BYTES = 4 * 1024 * 1024
export const MAX_BATCH_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 64
const LONGEST_SHOWN = 80

const header = (incoming: IncomingMessage, name: string): string => String(incoming.headers[name] ?? '')

export function requireUncompressed(incoming: IncomingMessage): void {
  const encoding = header(incoming, 'content-encoding')
  if (!/^\s*(?:identity)?\s*$/i.test(encoding))
    throw new ApiError('unsupported_media_type', { received: encoding.slice(0, LONGEST_SHOWN), expected: 'identity' })
}

/** Whether the client sends a body at all. */
export const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0

/** The bytes of a body of at most `maxBytes` that arrive within `seconds`. */
export function collect(incoming: IncomingMessage, maxBytes: number, seconds: number): Promise<Buffer> {
  const tooLarge = () => new ApiError('payload_too_large', { max_bytes: maxBytes })
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      incoming.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      settle()
    }
    const onData = (piece: Buffer) => {
      length += piece.length
      if (length > maxBytes) {
        incoming.pause()
        finish(() => reject(tooLarge()))
      } else pieces.push(piece)
    }
    const onEnd = () => finish(() => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)))
    const onBroken = () =>
      finish(() => reject(invalidRequest('the body broke off before its end', 'el cuerpo se interrumpió antes de su fin')))
    const timer = setTimeout(() => {
      incoming.pause()
      finish(() => reject(new ApiError('request_timeout', { seconds }, { Connection: 'close' })))
    }, seconds * 1000)
    incoming.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

/** Members of all objects of a JSON text: colons outside of strings. */
function membersInText(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COLON) members++
    else if (code === QUOTE)
      for (at++; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
  }
  return members
}

/** Members of all objects of a value. Its depth is bounded. */
function membersInValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const values = Object.values(value)
  let members = Array.isArray(value) ? 0 : values.length
  for (const one of values) if (typeof one === 'object' && one !== null) members += membersInValue(one)
  return members
}

/**
 * A key that an object has twice is a mistake of the client that `JSON.parse` would hide: the last one would win
 * without a word. Throws what to tell the client. The text is JSON already.
 */
export function refuseDuplicateKeys(text: string): void {
  const scanner = new JsonScanner(text)
  const stack: { readonly close: '}' | ']'; readonly keys: Set<string> | null }[] = []
  const open = (): boolean => {
    const bracket = scanner.peek()
    if (bracket !== '{' && bracket !== '[') return false
    scanner.at++
    stack.push(bracket === '{' ? { close: '}', keys: new Set() } : { close: ']', keys: null })
    return true
  }
  const key = () => {
    const { keys } = stack[stack.length - 1] as (typeof stack)[number]
    if (!keys) return
    scanner.peek()
    const start = scanner.at
    scanner.string()
    const quoted = text.slice(start, scanner.at)
    const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
    if (keys.has(name)) {
      const { line, column } = new Lines(text).positionOf(start)
      const shown = name.slice(0, LONGEST_SHOWN)
      throw invalidRequest(
        `the key "${shown}" is repeated at line ${line}, column ${column}`,
        `la clave «${shown}» está repetida en la línea ${line}, columna ${column}`,
        { line, column },
      )
    }
    keys.add(name)
    scanner.colon()
  }
  try {
    for (;;) {
      if (open()) {
        const { close } = stack[stack.length - 1] as (typeof stack)[number]
        if (scanner.peek() !== close) {
          key()
          continue
        }
        scanner.at++
        stack.pop()
      } else scanner.scalar()
      for (;;) {
        const frame = stack[stack.length - 1]
        if (!frame) return
        if (scanner.next(frame.close)) {
          key()
          break
        }
        stack.pop()
      }
    }
  } catch (error) {
    // `JSON.parse` has read it: the two differ in nothing, and if they did, the parser counts.
    if (!(error instanceof JsonFault)) throw error
  }
}

export function requireJson(incoming: IncomingMessage): void {
  const type = header(incoming, 'content-type')
  if (!isJsonType(type))
    throw new ApiError('unsupported_media_type', { received: type.slice(0, LONGEST_SHOWN), expected: 'application/json' })
  requireUncompressed(incoming)
}

/** The value of bytes that are JSON. Throws what to tell the client. */
export function parseBody(bytes: Uint8Array, maxBytes: number, locale: Locale): unknown {
  const text = textOf(bytes)
  if (text === null) {
    const { line, column } = placeOfBadByte(bytes)
    throw invalidRequest(
      `the body is not UTF-8 at line ${line}, column ${column}`,
      `el cuerpo no es UTF-8 en la línea ${line}, columna ${column}`,
      { line, column },
    )
  }
  const reading = readJson(text, { maxBytes, maxDepth: MAX_DEPTH }, locale)
  if ('refused' in reading) {
    const { code: _code, message, ...extra } = reading.refused.detail
    const reason = message.replace(/\.$/, '').replace(/^(?:The request|La petición) /, (start) => start.toLowerCase())
    throw new ApiError('request_validation_error', { ...extra, reason: { en: reason, es: reason } })
  }
  // Counted first: looking for the place takes longer than reading the whole document.
  if (membersInText(text) !== membersInValue(reading.value)) refuseDuplicateKeys(text)
  return reading.value
}
