/** From text to value, with the guards before it and an error that says the same in every engine. */
import type { Locale } from '../invoice/index.ts'
import { FAULTS } from '../json/faults.ts'
import { faultOf } from '../json/locations.ts'
import { Lines } from '../json/position.ts'
import { isTooDeep, type Limits, utf8Length } from './limits.ts'
import { type Refusal, refusal } from './refusal.ts'

export type Reading = { readonly value: unknown } | { readonly refused: Refusal }

/** A text of more code units than this times three has more bytes than it. */
const MOST_BYTES_A_UNIT = 3

const isTooLarge = (text: string, maxBytes: number): boolean =>
  text.length > maxBytes || (text.length * MOST_BYTES_A_UNIT > maxBytes && utf8Length(text) > maxBytes)

/** The value of a JSON text, or where it stops being JSON. */
export function parseJson(text: string, locale: Locale): Reading {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const fault = faultOf(text)
    // JSON that could not be read after all: there was no memory for it.
    if (!fault) return { refused: refusal('over_budget', locale) }
    const { line, column } = new Lines(text).positionOf(fault.offset)
    return { refused: refusal('not_json', locale, { line, column, reason: FAULTS[fault.reason][locale] }) }
  }
}

/**
 * Parses a JSON text of at most so many bytes and levels. The message of an error is ours and has line and column,
 * since those of `JSON.parse` differ between engines.
 */
export function readJson(text: string, limits: Limits, locale: Locale): Reading {
  if (isTooLarge(text, limits.maxBytes))
    return { refused: refusal('too_large', locale, { max_bytes: limits.maxBytes }) }
  if (isTooDeep(text, limits.maxDepth))
    return { refused: refusal('too_deep', locale, { max_depth: limits.maxDepth }) }
  return parseJson(text, locale)
}
