/** Problems of texts that the engine cannot read: invalid JSON, binary data, and texts that are too long. */

import { FAULTS, faultOf, LineIndex } from '#core/json/index.ts'
import type { Locale } from '#engine/index.ts'
import { TEXT_FAULTS } from '../generated/texts/text-faults.ts'
import type { Problem } from './assess-problems.ts'

/** Maximum number of characters of a text that is read. An invoice of 5,000 lines is shorter. */
export const MAX_CHARACTERS = 3_000_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters distinguish binary data from text.
const BYTES = /[\u0000-\u0008\u000e-\u001f\ufffd]/

function fault(code: string, message: string, fix: string, text = '', start = 0): Problem {
  const { line, column } = new LineIndex(text).positionOf(start)
  const place = { start, end: Math.min(start + 1, text.length), line, column, missing: [], fixes: [] }
  return { severity: 'error', code, path: '', extra: null, law: '', message, fix, ...place }
}

/** Returns the problem of a text that is not valid JSON, or `null`. */
export function jsonFaultProblem(text: string, locale: Locale): Problem | null {
  if (text.length > MAX_CHARACTERS)
    return fault('json.too_large', TEXT_FAULTS.large[locale], TEXT_FAULTS.largeFix[locale])
  const found = faultOf(text)
  if (!found) return null
  if (found.reason === 'empty')
    return fault(
      'json.empty',
      `${TEXT_FAULTS.syntax[locale]}: ${FAULTS.empty[locale]}.`,
      TEXT_FAULTS.empty[locale],
    )
  if (BYTES.test(text.slice(0, 2000)))
    return fault('json.encoding', TEXT_FAULTS.binary[locale], TEXT_FAULTS.binaryFix[locale])
  const message = `${TEXT_FAULTS.syntax[locale]}: ${FAULTS[found.reason][locale]}.`
  return fault('json.syntax', message, TEXT_FAULTS.fix[locale], text, Math.min(found.offset, text.length))
}
