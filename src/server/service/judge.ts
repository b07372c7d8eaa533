/** The engine's verdict on a document, and which of its items refuse the whole request (http-contract, checks 5 to 10). */

import type { CanonicalInvoice, Operation, Options, ValidationItem } from '../../invoice/index.ts'
import { ApiError } from '../errors/api-error.ts'
import { CODES, type Code } from '../errors/codes.ts'
import type { Call } from './call.ts'
import { trimmedDocument } from './trim.ts'
import { type Question, type Told, type Verdict, verdictOn } from './verdict.ts'

export type { Told, Verdict }

/** A document that may be stored. */
export interface Judged extends Verdict {
  readonly data: CanonicalInvoice
}

type Context = Pick<Call, 'app' | 'company' | 'locale' | 'mostProblems'>

const questionOf = (
  { app, company, locale, mostProblems }: Context,
  sent: unknown,
  operation: Operation,
  options: Options,
): Question => ({
  document: trimmedDocument(sent),
  options: { operation, company: company.data, today: app.clock.today(), locale, ...options },
  deciding: DECIDING,
  mostProblems,
})

/** Judges a document for the company of the key, as of today. Its codes and references are trimmed first. */
export const judge = (
  call: Context,
  document: unknown,
  operation: Operation,
  options: Options = {},
): Verdict => verdictOn(questionOf(call, document, operation, options))

/** The same for the document that the call brought: a large one is judged while others are served. */
export const judgeSent = (
  call: Context & Pick<Call, 'size'>,
  document: unknown,
  operation: Operation,
  options: Options = {},
): Promise<Verdict> => call.app.work.judge(questionOf(call, document, operation, options), call.size)

/** The same for an answer: its document is not looked at. */
export const tellSent = (
  call: Context & Pick<Call, 'size'>,
  document: unknown,
  operation: Operation,
  options: Options = {},
): Promise<Told> => call.app.work.tell(questionOf(call, document, operation, options), call.size)

/** Pointers into the document as the specification writes them: `header.invoice_series_code`. */
const written = (path: string): string =>
  path
    .replace(/^\/invoice\//, '')
    .slice(path.startsWith('/invoice/') ? 0 : 1)
    .replaceAll('/', '.')

/** Fields that an operation needs, wherever it runs (specification, `missing_required_fields`). */
const PER_OPERATION = new Set([
  '/meta/external_ref',
  '/invoice/header/invoice_series_code',
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
  '/invoice/supplier/tax_id',
])

const isMissing = ({ code, path }: ValidationItem): boolean =>
  code === 'missing_required_field' && PER_OPERATION.has(path)

/** A refusal in the words of the item that caused it. */
const inWordsOf = (item: ValidationItem): ApiError =>
  new ApiError(item.code as Code, { ...item.extra, path: item.path })

/** Items that are an answer of their own, in the order in which they count. */
const ALONE: readonly Code[] = ['invoice_number_not_allowed', 'issue_date_not_allowed']
const OF_COMPANY: readonly Code[] = [
  'issuer_tax_id_required',
  'issuer_tax_id_mismatch',
  'recipient_tax_id_required',
  'recipient_tax_id_mismatch',
  'exchange_rate_not_available',
  'future_issue_date',
  'future_receipt_date',
]

/** Codes of items that are looked for, wherever they stand. */
const DECIDING: readonly string[] = [
  'inferred_fields_not_allowed',
  'missing_required_field',
  ...ALONE,
  ...OF_COMPANY,
]

/** Why a document with these items is not stored; undefined where it is. */
function refusalOfItems(
  errors: readonly ValidationItem[],
  { app, company }: Pick<Context, 'app' | 'company'>,
): ApiError | undefined {
  const of = (code: Code) => errors.find((item) => item.code === code)
  const version = of('unsupported_schema_version')
  if (version) return inWordsOf(version)
  const inferred = errors.filter(({ code }) => code === 'inferred_fields_not_allowed')
  if (inferred.length > 0)
    return new ApiError('inferred_fields_not_allowed', { fields: inferred.map(({ path }) => path) })
  const missing = errors.filter(isMissing)
  if (missing.length > 0)
    return new ApiError('missing_required_fields', { missing: missing.map(({ path }) => written(path)) })
  for (const code of ALONE) {
    const item = of(code)
    if (item) return inWordsOf(item)
  }
  // That a list was cut says nothing of the shape by itself.
  const schema = errors.filter(({ source }) => source === 'schema')
  if (schema.some(({ code }) => code !== 'too_many_errors'))
    return new ApiError('schema_validation_failed', { errors: schema })
  const expected = company.data.tax_id
  const wanted: Partial<Record<Code, object>> = {
    issuer_tax_id_required: { expected },
    recipient_tax_id_required: { expected },
    future_issue_date: { today: app.clock.today() },
    future_receipt_date: { today: app.clock.today() },
  }
  for (const code of OF_COMPANY) {
    const item = of(code)
    if (item) return new ApiError(code, { ...wanted[code], ...item.extra, path: item.path })
  }
  return undefined
}

/** The verdict on a document that is to be stored. Throws what refuses it. */
export function requireStorable(call: Context, verdict: Verdict): Judged {
  const refusal = refusalOfItems(verdict.errors, call)
  if (refusal) throw refusal
  if (!verdict.data) throw new ApiError('schema_validation_failed', { errors: verdict.errors })
  return verdict as Judged
}

/** Refuses a version that is not read here, wherever it is sent; everything else stands inside of `errors`. */
export function requireVersion({ errors }: Pick<Verdict, 'errors'>): void {
  const version = errors.find(({ code }) => code === 'unsupported_schema_version')
  if (version) throw inWordsOf(version)
}

/** `Validate result` of the specification, and the explanation where it was asked for. */
export function validateResult({ is_valid, errors, data, explanation }: Told) {
  const start = JSON.stringify({ is_valid, errors }).slice(0, -1)
  const end = explanation ? `,"explanation":${JSON.stringify(explanation)}}` : '}'
  return [`${start},"data":`, data, end]
}

export const isCode = (code: string): code is Code => Object.hasOwn(CODES, code)
