/** Refusals as values that are thrown: a transaction that meets one is rolled back, and the client is told. */
import { isCondition } from '../../errors/conditions.ts'
import { CuadraError } from '../../errors/index.ts'
import type { Locale } from '../../invoice/index.ts'
import { isText } from '../../messages/index.ts'
import { isAway, isFull } from '../../storage/faults.ts'
import { CODES, type Code } from './codes.ts'
import { sentenceOf, withReadableValues, alternativeTo } from './message-text.ts'

/** Members of `detail`; a text in two languages is told in the one of the client. */
type Members = Readonly<Record<string, unknown>>

const LONGEST = 200
/** Values of foreign length are cut. */
const short = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value

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

  /** The body: `detail` with code, message, id and what else is known (specification, section "Errors"). */
  body(requestId: string, locale: Locale): { readonly detail: Members } {
    const extra = Object.fromEntries(
      Object.entries(this.extra).map(([name, value]) => [name, isText(value) ? value[locale] : short(value)]),
    )
    const filled = sentenceOf(this.code, withReadableValues(extra, locale), locale)
    // Where the words leave no place for it, what to do follows them.
    const hint = CODES[this.code][locale].includes('{reason}') ? undefined : extra.hint
    const message = hint === undefined ? filled : `${filled} ${hint}`
    return { detail: { code: this.code, message, request_id: requestId, ...extra } }
  }
}

/** A request that is wrong in a way that has no code of its own. */
export const invalidRequest = (en: string, es: string, extra: Members = {}): ApiError =>
  new ApiError('request_validation_error', { reason: { en, es }, ...extra })

/** A change of state that is not possible, with what to do instead. */
export function wrongStatus(from: string, to: string): ApiError {
  const hint = alternativeTo(from, to)
  return new ApiError('invalid_status_transition', { from, to, ...(hint ? { hint } : {}) })
}

/** What passes by itself. */
const LATER = { 'Retry-After': '5' }

/** What a client is told of anything that was thrown. The rest goes to the log. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isCondition(error, 'race')) return new ApiError('invoice_race_condition')
  if (isCondition(error, 'outcome_unknown')) return new ApiError('outcome_unknown', {}, LATER)
  if (isFull(error)) return new ApiError('insufficient_storage')
  if (isAway(error)) return new ApiError('service_unavailable', {}, LATER)
  return new ApiError('internal_error')
}
