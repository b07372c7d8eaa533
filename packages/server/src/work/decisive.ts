/** Decides whether a finding of the engine refuses the whole request. */

import type { Extra, Finding, Options } from '#core/invoice/index.ts'
import { ruleOf } from '#rules/index.ts'
import type { Code } from '../errors/error-codes.ts'

/** The code and details of a refusal. It is a plain value, because it is sent between threads. */
export interface Refusal {
  readonly code: Code
  readonly extra: Extra
}

/** Findings that refuse the whole request with their own code, by precedence, before and after schema errors. */
const BEFORE_SCHEMA: readonly Code[] = ['invoice_number_not_allowed', 'issue_date_not_allowed']
const AFTER_SCHEMA: readonly Code[] = [
  'issuer_tax_id_required',
  'issuer_tax_id_mismatch',
  'recipient_tax_id_required',
  'recipient_tax_id_mismatch',
  'future_issue_date',
  'future_receipt_date',
]

/** Codes that stay in the list of findings even if the list is truncated. */
const DECISIVE: readonly string[] = [
  'inferred_fields_not_allowed',
  'missing_required_field',
  ...BEFORE_SCHEMA,
  ...AFTER_SCHEMA,
]

/** Whether the operation requires the field. Fields of invoice lines are not required to store a document. */
const isNeeded = ({ path }: Finding): boolean => !path.startsWith('/invoice/lines/')

export const isDecisive = ({ code }: Finding): boolean => DECISIVE.includes(code)

/** Writes a JSON pointer in the notation of the API specification: `header.invoice_series_code`. */
const written = (path: string): string =>
  path
    .replace(/^\/invoice\//, '')
    .slice(path.startsWith('/invoice/') ? 0 : 1)
    .replaceAll('/', '.')

/** Returns why a document with these findings is not stored; undefined if it can be stored. */
export function refusalBy(findings: readonly Finding[], { company, today }: Options): Refusal | undefined {
  const all = (code: string) =>
    findings.filter((finding) => finding.code === code && finding.severity !== 'warning')
  const alone = (code: Code, more: Extra = {}): Refusal | undefined => {
    const [finding] = all(code)
    return finding && { code, extra: { ...more, ...finding.extra, path: finding.path } }
  }
  // After one of these findings, the engine stops checking.
  const first = alone('unsupported_schema_version') ?? alone('exchange_rate_not_available')
  if (first) return first
  const inferred = all('inferred_fields_not_allowed')
  if (inferred.length > 0)
    return { code: 'inferred_fields_not_allowed', extra: { fields: inferred.map(({ path }) => path) } }
  const missing = all('missing_required_field').filter(isNeeded)
  if (missing.length > 0)
    return { code: 'missing_required_fields', extra: { missing: missing.map(({ path }) => written(path)) } }
  const before = BEFORE_SCHEMA.map((code) => alone(code)).find(Boolean)
  if (before) return before
  if (findings.some(({ code }) => ruleOf(code)?.source === 'schema'))
    return { code: 'schema_validation_failed', extra: {} }
  const wanted: Partial<Record<Code, Extra>> = {
    issuer_tax_id_required: { expected: company?.tax_id },
    recipient_tax_id_required: { expected: company?.tax_id },
    future_issue_date: { today },
    future_receipt_date: { today },
  }
  return AFTER_SCHEMA.map((code) => alone(code, wanted[code])).find(Boolean)
}
