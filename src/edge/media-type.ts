/** Which bodies are read: JSON in UTF-8, uncompressed. */
import type { Locale } from '../invoice/index.ts'
import type { Refusal } from '../request/refusal.ts'
import { isJsonType } from '../web/json-type.ts'
import { refuse } from './words.ts'

const LONGEST_SHOWN = 80

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
