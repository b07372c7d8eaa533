/** Problems with their locations in the text, and the values that fix them. */

import { suggestedPointer } from '#core/invoice/near.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { LineIndex, locationsOf, type PointerLocation } from '#core/json/index.ts'
import { type Extra, type Locale, messageParts, type Severity, type ValidationItem } from '#engine/index.ts'

/** A change that fixes a problem, if the user chooses it. */
export interface Fix {
  /** The suggested name of a field, as in the message; empty for other fixes. */
  readonly name: string
  /** The pointer to which the member is renamed or moved with its value; `undefined` for other fixes. */
  readonly to?: string
  /** The value to use; `undefined` removes the member, if it is not moved. */
  readonly value?: string | number | boolean
}

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
  readonly fixes: readonly Fix[]
}

const DOCUMENT_START: PointerLocation = { start: 0, end: 1, key: undefined, missing: [] }

export function problemsOf(
  text: string,
  items: readonly ValidationItem[],
  locale: Locale,
  document: unknown,
): Problem[] {
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
    const fixes = fixesOf(item, document)
    return { severity, code, path, extra, message, fix, law, ...at, fixes }
  })
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

/** Codes of problems whose fix is the expected value. For others, another field may be wrong instead. */
const EXPECTED: ReadonlySet<string> = new Set(['totals_mismatch', 'unsupported_schema_version'])

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const use = (value: string | number | boolean): Fix => ({ name: '', value })

/**
 * Returns the fixes that rename or move an unknown field to the suggested ones that are still free. If some of them
 * belong to an existing object, such as the address of a company, those of other objects are omitted.
 */
function renamesOf(path: string, similar: readonly string[], document: unknown): readonly Fix[] {
  const free = similar.flatMap((name) => {
    const to = suggestedPointer(path, name)
    return to === undefined || valueAt(document, to) !== undefined ? [] : [{ name, to }]
  })
  const hasObject = ({ name, to }: { name: string; to: string }) =>
    valueAt(document, to.slice(0, to.length - name.length) + name.split('.')[0]) !== undefined
  const inObjects = free.filter((fix) => !fix.name.includes('.') || hasObject(fix))
  return inObjects.length > 0 ? inObjects : free
}

/** Returns the fixes to offer for a problem: what the message suggests, never a calculated value. */
function fixesOf({ code, path, extra }: ValidationItem, document: unknown): readonly Fix[] {
  const { allowed, expected, similar, used } = extra ?? {}
  if (Array.isArray(similar)) return renamesOf(path, similar, document)
  if (REMOVED.has(code)) return valueAt(document, path) === undefined ? [] : [{ name: '' }]
  if (Array.isArray(allowed) && allowed.length <= MAX_CHOICES && allowed.every(isScalar))
    return allowed.map(use)
  if (code === 'excess_precision' && isScalar(used)) return [use(used)]
  return EXPECTED.has(code) && isScalar(expected) ? [use(expected)] : []
}
