/** Query parameters: the options of the engine by their names, as text. */
import { isDate, type Locale } from '../invoice/index.ts'
import type { Members } from '../request/options.ts'
import type { Refusal } from '../request/refusal.ts'
import { refuse } from './messages.ts'

export interface Parameter {
  /** What the message calls the allowed values. */
  readonly allowed: readonly string[]
  /** The value; undefined where the text is none of those allowed. */
  readonly read: (text: string) => unknown
}

/** Parameters of an address with what they may be. */
export type Parameters = Readonly<Record<string, Parameter>>

const messageText: Readonly<Record<string, unknown>> = { true: true, false: false }

export const oneOf = (...allowed: string[]): Parameter => ({
  allowed,
  read: (text) => (allowed.includes(text) ? (messageText[text] ?? text) : undefined),
})

export const between = (from: number, to: number, form: RegExp): Parameter => ({
  allowed: [`${from}-${to}`],
  read: (text) => (form.test(text) && +text >= from && +text <= to ? +text : undefined),
})

const DATE: Parameter = { allowed: ['YYYY-MM-DD'], read: (text) => (isDate(text) ? text : undefined) }
const FLAG = oneOf('true', 'false')
const NUMBER = /^\d+(?:\.\d+)?$/
export const WHOLE = /^\d+$/

/** Of `explain` and `reconcile`. */
export const JUDGE: Parameters = {
  operation: oneOf('draft', 'issue', 'import', 'received'),
  today: DATE,
  locale: oneOf('en', 'es'),
  totals: oneOf('recalculate', 'check'),
}

export const VALIDATE: Parameters = { ...JUDGE, explain: FLAG }

/** The bounds are those of the law, which `qrSvg` checks again. */
export const QR: Parameters = {
  ...JUDGE,
  environment: oneOf('production', 'test'),
  verifiable: FLAG,
  size: between(30, 40, NUMBER),
  quiet_zone: between(4, 100, WHOLE),
  legend: oneOf('true', 'false', 'long', 'short'),
  font_size: between(6, 12, NUMBER),
}

export const CATALOG: Parameters = { on: DATE }

const LONGEST_SHOWN = 80

/** The parameters that are there, each at most once; or why they are refused. */
export function readParameters(
  sent: URLSearchParams,
  known: Parameters,
  locale: Locale,
): { readonly options: Members } | { readonly refused: Refusal } {
  const options = new Map<string, unknown>()
  for (const [name, text] of sent) {
    const parameter = name.slice(0, LONGEST_SHOWN)
    const { allowed, read } = (Object.hasOwn(known, name) && known[name]) || {}
    if (!allowed || !read) {
      const names = Object.keys(known)
      const reason = names.length > 0 ? 'parameter' : 'no_parameters'
      return { refused: refuse(reason, locale, { parameter, allowed: names }) }
    }
    if (options.has(name)) return { refused: refuse('repeated', locale, { parameter }) }
    const value = read(text)
    if (value === undefined) {
      const received = text.slice(0, LONGEST_SHOWN)
      return { refused: refuse('value', locale, { parameter, received, allowed }) }
    }
    options.set(name, value)
  }
  return { options: Object.fromEntries(options) }
}
