/** Refusals of requests, in the form of the error object of the API specification. */
import type { Extra, Locale, Text } from '#core/invoice/index.ts'
import { type CodedText, fill } from '#core/messages/index.ts'
import { REFUSALS } from './generated/texts/refusals.ts'

/** `detail` of an error response (API specification, section "Errors"), without the request id. */
export interface Detail {
  readonly code: string
  /** The problem, its location, and how to fix it. */
  readonly message: string
  readonly [extra: string]: unknown
}

export interface Refusal {
  readonly detail: Detail
}

export type Reason = keyof typeof REFUSALS

const CODES: Readonly<Partial<Record<Reason, string>>> = {
  too_large: 'payload_too_large',
  too_long_to_explain: 'payload_too_large',
  over_budget: 'payload_too_large',
  catalog: 'not_found',
  internal: 'internal_error',
}

/** Display names of the types that `shortenText` returns for objects and lists. */
const PARTS: Readonly<Record<string, Text>> = {
  array: { en: 'an array', es: 'una lista' },
  object: { en: 'an object', es: 'un objeto' },
}

/** Returns the values for the message, with display names of types in the language. */
export const withTypeNames = (extra: Extra, locale: Locale): Extra => ({
  ...extra,
  received: PARTS[String(extra.received)]?.[locale] ?? extra.received,
})

/** Creates a refusal with a text. `shown` contains the values for the message; default: `extra`. */
export const refusalOf = (text: CodedText, locale: Locale, extra: Extra, shown: Extra = extra): Refusal => ({
  detail: { code: text.code, message: fill(text[locale], shown, locale), ...extra },
})

/** Creates the response to a refused request. Its code is `request_validation_error` for all but a few reasons. */
export const refusal = (reason: Reason, locale: Locale, extra: Extra = {}): Refusal =>
  refusalOf(
    { code: CODES[reason] ?? 'request_validation_error', ...REFUSALS[reason] },
    locale,
    extra,
    withTypeNames(extra, locale),
  )

export const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'detail' in answer
