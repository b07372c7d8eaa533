/** Which bodies are read: JSON in UTF-8, uncompressed. */
import type { Locale } from '../invoice/index.ts'
import type { Refusal } from '../request/refusal.ts'
import { isJsonType } from '../web/json-type.ts'
import { refuse } from './words.ts'

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
export function mediaProblem(headers: Headers, locale: Locale): Refusal | null {
  const type = headers.get('content-type')
  return isJsonType(type)
    ? codingProblem(headers, locale)
    : refuse('media_type', locale, { received: shown(type), expected: 'application/json' })
}
