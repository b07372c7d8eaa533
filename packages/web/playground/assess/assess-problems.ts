/** Problems with their locations in the text, and the values that fix them. */

import { LineIndex, locationsOf, type PointerLocation } from '#core/json/index.ts'
import { type Extra, type Locale, messageParts, type Severity, type ValidationItem } from '#engine/index.ts'

export interface Problem {
  readonly message: string
  readonly fix: string
  readonly law: string
  readonly severity: Severity
  readonly code: string
  readonly path: string
  readonly extra: Extra | null
  /** Offsets in the text, and line and column from 1. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  /** Members of the path that are missing in the text. If there are any, the location is that of the nearest parent. */
  readonly missing: readonly string[]
}

const DOCUMENT_START: PointerLocation = { start: 0, end: 1, key: undefined, missing: [] }

export function problemsOf(text: string, items: readonly ValidationItem[], locale: Locale): Problem[] {
  if (items.length === 0) return []
  const places = locationsOf(text, [...new Set(items.map((item) => item.path))])
  const lines = new LineIndex(text)
  return items.map((item) => {
    const place = places.get(item.path) ?? DOCUMENT_START
    // An unknown field is marked at its name, not at its value.
    const { start, end } =
      item.code === 'schema.additional_properties' && place.key ? place.key : { ...place }
    const { severity, code, path, extra } = item
    const at = { start, end, missing: place.missing, ...lines.positionOf(start) }
    const { message, fix, law } = messageParts(item, locale)
    return { severity, code, path, extra, message, fix, law, ...at }
  })
}

export interface Fix {
  /** `undefined` removes the member. */
  readonly value: string | number | boolean | undefined
}

const MAX_CHOICES = 6

/** Codes of problems whose fix is to remove the member. */
const REMOVED: ReadonlySet<string> = new Set([
  'schema.additional_properties',
  'inferred_fields_not_allowed',
  'invoice_number_not_allowed',
  'issue_date_not_allowed',
  'is_dua_only_for_received',
])

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

export function fixesOf({ code, extra, missing }: Problem): readonly Fix[] {
  const { allowed, expected, similar } = extra ?? {}
  // If similar fields exist, the name is probably misspelt, and removing the field would lose its value.
  if (REMOVED.has(code) && missing.length === 0) return similar ? [] : [{ value: undefined }]
  if (Array.isArray(allowed) && allowed.length <= MAX_CHOICES && allowed.every(isScalar))
    return allowed.map((value) => ({ value }))
  return code === 'totals_mismatch' && isScalar(expected) ? [{ value: expected }] : []
}
