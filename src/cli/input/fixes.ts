/** Mends that are certain: what `cuadra validate --fix` writes. Whatever could be meant in two ways is left to people. */
import type { ValidationItem } from '../../api/index.ts'
import { valueAt } from '../../invoice/pointer.ts'
import { withoutMember, withScalar } from '../../json/edit.ts'
import { faultOf } from '../../json/locations.ts'
import type { Settings } from './settings.ts'
import { checkDocument, type Fix, type Origin, type Verdict } from './verdict.ts'

export interface Fixed {
  readonly text: string
  readonly fixes: readonly Fix[]
  /** The verdict on the mended text. */
  readonly verdict: Verdict
}

/** One document is not mended in more places than people would look at. */
const MOST = 200

/** Capitals, accents, blanks and dashes make no other code of a code. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s_-]+/g, '_')
    .toUpperCase()

/** `"21"` for 21; not `"1.000"`, which is a thousand to some. */
function typed(value: unknown, expected: unknown): number | boolean | undefined {
  if (typeof value !== 'string') return undefined
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (expected !== 'number' && expected !== 'integer') return undefined
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,2})?$/.test(value)) return undefined
  return Number(value)
}

/** The value that an item surely asks for; `{}` takes the member out; `null` where people have to choose. */
function certainOf(
  { code, extra }: ValidationItem,
  value: unknown,
): { readonly to?: string | number | boolean } | null {
  if (code === 'inferred_fields_not_allowed') return {}
  const { used, expected, allowed, received } = extra ?? {}
  if (code === 'excess_precision') return typeof used === 'number' ? { to: used } : null
  if (code === 'schema.type') {
    const to = typed(value, expected)
    return to === undefined ? null : { to }
  }
  if (!Array.isArray(allowed) || typeof received !== 'string' || value !== received) return null
  const same = allowed.filter((each) => typeof each === 'string' && folded(each) === folded(received))
  return same.length === 1 ? { to: same[0] as string } : null
}

const nameOf = ({ code, path }: ValidationItem): string => `${code} ${path}`

/** Whether the item has gone and nothing has come for it. */
function isBetter(before: Verdict, after: Verdict, item: ValidationItem): boolean {
  const known = new Set(before.answer.errors.map(nameOf))
  const now = after.answer.errors.map(nameOf)
  return !now.includes(nameOf(item)) && now.every((name) => known.has(name))
}

/** Commas with nothing after them, taken out one by one. */
function withoutTrailingCommas(text: string): { text: string; fixes: Fix[] } {
  const fixes: Fix[] = []
  for (
    let fault = faultOf(text);
    fault?.reason === 'trailing_comma' && fixes.length < MOST;
    fault = faultOf(text)
  ) {
    text = text.slice(0, fault.offset) + text.slice(fault.offset + 1)
    fixes.push({ code: 'json.syntax', path: '', from: ',' })
  }
  return { text, fixes }
}

/**
 * Mends what has one certain mend. Each is kept only where its item is gone afterwards and no other one has come, so
 * that nothing gets worse.
 */
export function fixDocument(source: string, origin: Origin, settings: Settings): Fixed {
  const encoder = new TextEncoder()
  const judge = (text: string) => checkDocument(encoder.encode(text), origin, settings)
  const { text: start, fixes } = withoutTrailingCommas(source)
  let text = start
  let verdict = judge(text)
  const tried = new Set<string>()
  for (;;) {
    const item = verdict.answer.errors.find((each) => !tried.has(nameOf(each)))
    if (!item || fixes.length >= MOST) return { text, fixes, verdict }
    tried.add(nameOf(item))
    const from = valueAt(verdict.document, item.path)
    const certain = certainOf(item, from)
    if (!certain || from === undefined) continue
    const changed =
      certain.to === undefined ? withoutMember(text, item.path) : withScalar(text, item.path, certain.to)
    if (changed === null) continue
    const after = judge(changed)
    if (!isBetter(verdict, after, item)) continue
    text = changed
    verdict = after
    fixes.push({ code: item.code, path: item.path, from, ...certain })
  }
}
