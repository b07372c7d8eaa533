/** Values that would mend a problem, where the engine names them. */
import type { Problem } from './problems.ts'

export interface Fix {
  /** `undefined` takes the member out. */
  readonly value: string | number | boolean | undefined
}

const MOST = 6

/** Members that should not be there at all. */
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
  if (REMOVED.has(code) && missing.length === 0) return [{ value: undefined }]
  const { allowed, expected } = extra ?? {}
  if (Array.isArray(allowed) && allowed.length <= MOST && allowed.every(isScalar))
    return allowed.map((value) => ({ value }))
  return code === 'totals_mismatch' && isScalar(expected) ? [{ value: expected }] : []
}
