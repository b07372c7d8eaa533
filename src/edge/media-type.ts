/** Which bodies are read: JSON in UTF-8, uncompressed. */
import type { Locale } from '../invoice/index.ts'
import type { Refusal } from '../request/refusal.ts'
import { refuse } from './words.ts'

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i
const UTF8 = /^"?utf-?8"?$/i
const LONGEST_SHOWN = 80

/**
 * Whether a `Content-Type` is JSON: `application/json` or any `+json`, in UTF-8, which is the default.
 *
 * @example
 * isJsonType('application/vnd.factura+json; charset="UTF-8"') // => true
 * isJsonType('application/json; charset=iso-8859-1') // => false
 */
export function isJsonType(header: string | null): boolean {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  return (
    JSON_TYPE.test(type) &&
    parameters.every((text) => {
      const [name, value = ''] = text.split('=')
      return name!.trim().toLowerCase() !== 'charset' || UTF8.test(value.trim())
    })
  )
}

const shown = (header: string | null): string => (header ?? '').slice(0, LONGEST_SHOWN)

/**
 * Why a body of these headers is not read; null where it is. Compressed ones are refused: an invoice is small, and
 * a few bytes may unpack to gigabytes.
 */
export function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  if (!isJsonType(type))
    return refuse('media_type', locale, { received: shown(type), expected: 'application/json' })
  const encoding = headers.get('content-encoding')
  if (encoding !== null && !/^\s*(?:identity)?\s*$/i.test(encoding))
    return refuse('encoding', locale, { received: shown(encoding), expected: 'identity' })
  return null
}
