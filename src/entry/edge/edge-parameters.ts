/** Query parameters: the options of the engine, as text. */

import { isDate } from '#core/invoice/date.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { Refusal } from '../request/refusal.ts'
import type { Members } from '../request/request-options.ts'
import { truncated } from './edge-body.ts'
import { refuse } from './edge-messages.ts'

export interface Parameter {
  /** The allowed values, as shown in messages. */
  readonly allowed: readonly string[]
  /** Parses the value; returns undefined if it is not allowed. */
  readonly read: (text: string) => unknown
}

/** The parameters of a route. */
export type Parameters = Readonly<Record<string, Parameter>>

const BOOLEANS: Readonly<Record<string, unknown>> = { true: true, false: false }

export const oneOfParameter = (...allowed: string[]): Parameter => ({
  allowed,
  read: (text) => (allowed.includes(text) ? (BOOLEANS[text] ?? text) : undefined),
})

export const numberParameter = (from: number, to: number, form: RegExp): Parameter => ({
  allowed: [`${from}-${to}`],
  read: (text) => (form.test(text) && +text >= from && +text <= to ? +text : undefined),
})

const DATE: Parameter = { allowed: ['YYYY-MM-DD'], read: (text) => (isDate(text) ? text : undefined) }
const FLAG = oneOfParameter('true', 'false')
const NUMBER = /^\d+(?:\.\d+)?$/
export const WHOLE = /^\d+$/

/** Parameters of `explain` and `reconcile`. */
export const INVOICE_PARAMETERS: Parameters = {
  operation: oneOfParameter('draft', 'issue', 'import', 'received'),
  today: DATE,
  locale: oneOfParameter('en', 'es'),
  totals: oneOfParameter('recalculate', 'check'),
}

export const VALIDATE_PARAMETERS: Parameters = { ...INVOICE_PARAMETERS, explain: FLAG }

/** Parameters of `qr`. The law sets the limits of the size. `qrSvg` checks them again. */
export const QR_PARAMETERS: Parameters = {
  ...INVOICE_PARAMETERS,
  environment: oneOfParameter('production', 'test'),
  verifiable: FLAG,
  size: numberParameter(30, 40, NUMBER),
  quiet_zone: numberParameter(4, 100, WHOLE),
  legend: oneOfParameter('true', 'false', 'long', 'short'),
  font_size: numberParameter(6, 12, NUMBER),
}

export const CATALOG_PARAMETERS: Parameters = { on: DATE }

/** Reads the query parameters, each at most once, or returns why they are refused. */
export function readParameters(
  sent: URLSearchParams,
  known: Parameters,
  locale: Locale,
): { readonly options: Members } | { readonly refused: Refusal } {
  const options = new Map<string, unknown>()
  for (const [name, text] of sent) {
    const parameter = truncated(name)
    const { allowed, read } = (Object.hasOwn(known, name) && known[name]) || {}
    if (!allowed || !read) {
      const names = Object.keys(known)
      const reason = names.length > 0 ? 'parameter' : 'no_parameters'
      return { refused: refuse(reason, locale, { parameter, allowed: names }) }
    }
    if (options.has(name)) return { refused: refuse('repeated', locale, { parameter }) }
    const value = read(text)
    if (value === undefined) {
      const received = truncated(text)
      return { refused: refuse('value', locale, { parameter, received, allowed }) }
    }
    options.set(name, value)
  }
  return { options: Object.fromEntries(options) }
}
