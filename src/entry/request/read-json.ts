/** Parses JSON after checking the limits. Errors are the same in every JavaScript engine. */
import type { Locale } from '#core/invoice/index.ts'
import { FAULTS, faultOf, LineIndex } from '#core/json/index.ts'
import { type Refusal, refusal } from './refusal.ts'
import { isTooDeep, type Limits, utf8Length } from './request-limits.ts'

export type Reading = { readonly value: unknown } | { readonly refused: Refusal }

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

const isTooLarge = (text: string, maxBytes: number): boolean =>
  text.length > maxBytes || (text.length * MAX_BYTES_PER_UNIT > maxBytes && utf8Length(text) > maxBytes)

/** Returns the value of a JSON text, or a refusal with the position of the fault. */
export function parseJson(text: string, locale: Locale): Reading {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const fault = faultOf(text)
    // `JSON.parse` failed on valid JSON, so memory ran out.
    if (!fault) return { refused: refusal('over_budget', locale) }
    const { line, column } = new LineIndex(text).positionOf(fault.offset)
    return { refused: refusal('not_json', locale, { line, column, reason: FAULTS[fault.reason][locale] }) }
  }
}

/**
 * Parses a JSON text within limits of bytes and levels. Errors have a message of this project with line and column,
 * because the messages of `JSON.parse` differ between engines.
 */
export function readJson(text: string, limits: Limits, locale: Locale): Reading {
  if (isTooLarge(text, limits.maxBytes))
    return { refused: refusal('too_large', locale, { max_bytes: limits.maxBytes }) }
  if (isTooDeep(text, limits.maxDepth))
    return { refused: refusal('too_deep', locale, { max_depth: limits.maxDepth }) }
  return parseJson(text, locale)
}
