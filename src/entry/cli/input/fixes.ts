/**
 * Fixes of `cuadra validate --fix`: only fixes with a single possible value. Fixes never change an amount, a rate or a
 * date of the calculated invoice, and never rename a field.
 */

import { valueAt } from '#core/invoice/pointer.ts'
import { COMPUTED_MEMBERS } from '#core/invoice/terms.ts'
import { faultOf, withoutMember, withoutSchema, withScalar } from '#core/json/index.ts'
import { type ValidationItem, validate } from '#engine/index.ts'
import {
  checkDocument,
  type DocumentResult,
  type Fix,
  jsonOf,
  type Origin,
  operationFor,
} from './check-document.ts'
import type { Settings } from './input-settings.ts'

export interface FixedDocument {
  readonly text: string
  readonly fixes: readonly Fix[]
  /** Result of checking the fixed text. */
  readonly result: DocumentResult
}

const COMPUTED = 'inferred_fields_not_allowed'

/** Maximum number of fixes in one document. */
const MAX_FIXES = 200

/** Normalises a code: ignores case, accents, blanks and dashes. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_-]+/g, '_')
    .toUpperCase()

/** Parses `"21"` as 21. Rejects `"1.000"`, which means a thousand in some countries. */
function parsedScalar(value: unknown, expected: unknown): number | boolean | undefined {
  if (typeof value !== 'string') return undefined
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (expected !== 'number' && expected !== 'integer') return undefined
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/.test(value)) return undefined
  return Number(value)
}

/** A change with a single possible value: the changed text, and the old and new value for the report. */
interface Change {
  readonly text: string | null
  readonly from: unknown
  readonly to?: string | number | boolean
}

/** Returns the only change that can fix an item, or `null` if there are none or several. */
function changeFor(text: string, origin: Origin, item: ValidationItem, document: unknown): Change | null {
  const from = valueAt(document, item.path)
  const certain = certainFix(item, from)
  if (!certain || from === undefined) return null
  const json = jsonOf(origin, text)
  const changed =
    certain.to === undefined
      ? withoutMember(json, item.path, text)
      : withScalar(json, item.path, certain.to, text)
  return { ...certain, from, text: changed }
}

/** Returns the only value that fixes an item, `{}` to remove the member, or `null` if there are none or several. */
function certainFix(
  { code, extra }: ValidationItem,
  value: unknown,
): { readonly to?: string | number | boolean } | null {
  if (code === COMPUTED) return {}
  const { used, expected, allowed, received } = extra ?? {}
  if (code === 'excess_precision') return typeof used === 'number' ? { to: used } : null
  if (code === 'schema.type') {
    const to = parsedScalar(value, expected)
    return to === undefined ? null : { to }
  }
  if (!Array.isArray(allowed) || typeof received !== 'string' || value !== received) return null
  const same = allowed.filter((each) => typeof each === 'string' && folded(each) === folded(received))
  return same.length === 1 ? { to: same[0] as string } : null
}

/**
 * Whether the value of a computed field in the document equals the value that the engine calculates. A different value
 * contradicts other fields, such as `exempt` with a tax rate, so a person must decide which of them is right.
 */
function isConfirmed({ path }: ValidationItem, document: unknown, settings: Settings): boolean {
  const input: unknown = JSON.parse(
    JSON.stringify(document, (name, member: unknown) => (COMPUTED_MEMBERS.has(name) ? undefined : member)),
  )
  const { operation } = operationFor(document, settings.options)
  const { data } = validate(withoutSchema(input), { ...settings.options, operation })
  return data !== null && valueAt(data, path) === valueAt(document, path)
}

const nameOf = ({ code, path }: ValidationItem): string => `${code} ${path}`

/** Whether a fix removes its item without adding another. */
function isImprovement(before: DocumentResult, after: DocumentResult, item: ValidationItem): boolean {
  const known = new Set(before.outcome.errors.map(nameOf))
  const now = after.outcome.errors.map(nameOf)
  return !now.includes(nameOf(item)) && now.every((name) => known.has(name))
}

/** Removes trailing commas, one by one. */
function withoutTrailingCommas(text: string, origin: Origin): { text: string; fixes: Fix[] } {
  const fixes: Fix[] = []
  for (
    let fault = faultOf(jsonOf(origin, text));
    fault?.reason === 'trailing_comma' && fixes.length < MAX_FIXES;
    fault = faultOf(jsonOf(origin, text))
  ) {
    text = text.slice(0, fault.offset) + text.slice(fault.offset + 1)
    fixes.push({ code: 'json.syntax', path: '', from: ',' })
  }
  return { text, fixes }
}

/**
 * Applies the fixes that have a single possible value. Keeps a fix only if it removes its problem and causes no other.
 */
export function fixDocument(source: string, origin: Origin, settings: Settings): FixedDocument {
  const encoder = new TextEncoder()
  const check = (text: string) => checkDocument(encoder.encode(text), origin, settings)
  const { text: start, fixes } = withoutTrailingCommas(source, origin)
  let text = start
  let result = check(text)
  const tried = new Set<string>()
  for (;;) {
    const untried = result.outcome.errors.filter((each) => !tried.has(nameOf(each)))
    // Computed fields come last: they are compared with the calculation, which needs an invoice without other errors.
    const item = untried.find(({ code }) => code !== COMPUTED) ?? untried[0]
    if (!item || fixes.length >= MAX_FIXES) return { text, fixes, result }
    tried.add(nameOf(item))
    if (item.code === COMPUTED && !isConfirmed(item, result.document, settings)) continue
    const change = changeFor(text, origin, item, result.document)
    if (!change || change.text === null) continue
    const { text: changed, ...reported } = change
    const after = check(changed)
    if (!isImprovement(result, after, item)) continue
    text = changed
    result = after
    fixes.push({ code: item.code, path: item.path, ...reported })
  }
}
