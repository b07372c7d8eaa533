/**
 * Refusals of requests, as errors. A transaction that throws one is rolled back, and the client receives the refusal.
 */

import {
  type FaultKind,
  faultOf,
  isDatabaseUnreachable,
  isDiskFull,
  isFileError,
} from 'cuadra-storage/storage-faults.ts'
import { CuadraError, isCondition } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import { isText } from '#core/messages/index.ts'
import { FAULT_MESSAGES } from '../generated/texts/errors.ts'
import { CODES, type Code } from './error-codes.ts'
import { alternativeInstruction, sentenceOf, withReadableValues } from './error-text.ts'

/** Members of `detail`. A value with texts in both languages is sent in the client's language. */
type Members = Readonly<Record<string, unknown>>

const MAX_LENGTH = 200
/** Shortens long texts, because they may come from the client. */
const short = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value

export class ApiError extends CuadraError {
  constructor(
    readonly code: Code,
    readonly extra: Members = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code)
  }

  get status(): number {
    return CODES[this.code].status
  }

  /**
   * Returns the response body: `detail` with the code, message, request id, path of the page about the code, and all
   * extra members (API specification, "Errors").
   */
  body(requestId: string, locale: Locale): { readonly detail: Members } {
    const extra = Object.fromEntries(
      Object.entries(this.extra).map(([name, value]) => [name, isText(value) ? value[locale] : short(value)]),
    )
    const filled = sentenceOf(this.code, withReadableValues(extra, locale), locale)
    // Appends the hint, unless the message already includes it as `{reason}`.
    const hint = CODES[this.code][locale].includes('{reason}') ? undefined : extra.hint
    const message = hint === undefined ? filled : `${filled} ${hint}`
    const doc_url = `${locale === 'es' ? '/es' : ''}/codes/${this.code}`
    return { detail: { code: this.code, message, request_id: requestId, doc_url, ...extra } }
  }
}

/** Returns the error for an invalid request whose problem has no code of its own. */
export const invalidRequest = (en: string, es: string, extra: Members = {}): ApiError =>
  new ApiError('request_validation_error', { reason: { en, es }, ...extra })

/** Returns the error for a status change that is not allowed, with a hint about what to do instead. */
export function wrongStatus(from: string, to: string, hint = alternativeInstruction(from, to)): ApiError {
  return new ApiError('invalid_status_transition', { from, to, ...(hint ? { hint } : {}) })
}

/** Headers of a response that reports a temporary failure. */
export const RETRY_LATER_HEADERS = { 'Retry-After': '5' }

const unavailable = (fault: FaultKind | 'files'): ApiError =>
  new ApiError('service_unavailable', { message: FAULT_MESSAGES[fault] }, RETRY_LATER_HEADERS)

/** Converts any thrown error to a refusal for the client. Details of unexpected errors are only logged. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isCondition(error, 'race')) return new ApiError('invoice_race_condition')
  if (isCondition(error, 'outcome_unknown')) return new ApiError('outcome_unknown', {}, RETRY_LATER_HEADERS)
  if (isDiskFull(error)) return new ApiError('insufficient_storage')
  if (isDatabaseUnreachable(error)) return new ApiError('service_unavailable', {}, RETRY_LATER_HEADERS)
  if (isFileError(error)) return unavailable('files')
  const fault = faultOf(error)
  if (fault) return unavailable(fault)
  return new ApiError('internal_error')
}

/** Returns the error for a method that the address does not support. `allowed` lists the supported methods. */
export const methodNotAllowed = (method: string | undefined, allowed: readonly string[]): ApiError =>
  new ApiError(
    'method_not_allowed',
    { received: (method ?? '').slice(0, 20), allowed },
    { Allow: allowed.join(', ') },
  )
