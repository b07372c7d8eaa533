/** What holds for every result of `validate`. */

import { required } from '#core/errors/index.ts'
import { MAX_ITEMS, rules, type ValidationResult } from '#engine/index.ts'
import { tokens } from '../tokens.ts'

const known = new Map(rules().map((rule) => [rule.code, rule]))

/** Found before there is anything to calculate, or by the calculation itself: these leave no data. */
const STAGE_CODES = new Set(tokens`
  unsupported_schema_version inferred_fields_not_allowed invoice_number_not_allowed issue_date_not_allowed
  amount_out_of_range exchange_rate_not_available`)
const PER_OPERATION = new Set([
  '/meta/external_ref',
  '/invoice/header/invoice_series_code',
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
])

const leavesNoData = (item: { source: string; code: string; path: string }): boolean =>
  item.source === 'schema' ||
  STAGE_CODES.has(item.code) ||
  (item.code === 'missing_required_field' && PER_OPERATION.has(item.path))

/** What holds for every answer. Plain comparisons, so that 100,000 documents are not 10 million matchers. */
export function wellFormed(result: ValidationResult): void {
  const wrong = (what: string, value: unknown): never => {
    throw new Error(`${what}: ${JSON.stringify(value)}`)
  }
  const { errors, data, is_valid } = result
  for (const item of errors) {
    const rule = known.get(item.code)
    if (!rule) wrong('unknown code', item)
    if (item.source !== 'schema' && item.source !== 'business') wrong('source', item)
    if (item.source !== required(rule).source) wrong('source is not that of its rule', item)
    if (item.severity !== 'error' && item.severity !== 'warning') wrong('severity', item)
    if (typeof item.message !== 'string' || item.message.trim() === '') wrong('message', item)
    if (
      /[{}]|undefined|NaN|\[object/.test(item.message) &&
      !/[{}]|undefined|NaN|\[object/.test(JSON.stringify(item.extra))
    )
      wrong('a placeholder was left open', item)
    if (typeof item.path !== 'string' || (item.path !== '' && !item.path.startsWith('/'))) wrong('path', item)
    if (item.extra !== null && (typeof item.extra !== 'object' || Array.isArray(item.extra)))
      wrong('extra', item)
    if (item.message.length > 5000) wrong('a message of more than 5,000 characters', item)
  }
  if (is_valid === errors.some((item) => item.severity === 'error')) wrong('is_valid', errors)
  const last = errors.at(-1)
  if (errors.length > MAX_ITEMS + 1) wrong('too many items', errors.length)
  if (errors.length > MAX_ITEMS !== (last?.code === 'too_many_errors')) wrong('too_many_errors', last)
  const cut = last?.code === 'too_many_errors'
  if (!cut && (data === null) !== errors.some(leavesNoData)) wrong('data and items disagree', errors)
  if (data === null && is_valid) wrong('valid without data', errors)
}
