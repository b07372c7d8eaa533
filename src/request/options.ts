/** Options that come from outside: known names, and nothing that only a program can pass. */
import { checkMembers, isObject, type OptionKind } from '../fiscal/check-options.ts'

/** Members of `options` with their kinds; what the values may be is for the operation to say. */
export type OptionKinds = Readonly<Record<string, OptionKind>>

/** Options of `validate`. */
export const VALIDATE: OptionKinds = {
  operation: 'text',
  company: 'object',
  today: 'text',
  locale: 'text',
  totals: 'text',
  exchange_rate: 'object',
  explain: 'boolean',
}

/** `explain` and `reconcile` have the same but for `explain`. */
export const { explain: _, ...JUDGE } = VALIDATE

/** How the QR code is made and drawn, by the names of the request. */
export const QR: OptionKinds = {
  environment: 'text',
  verifiable: 'boolean',
  size: 'number',
  quiet_zone: 'number',
  legend: 'any',
  font_size: 'number',
}

export type Members = Readonly<Record<string, unknown>>

/** The options without those that are `null`: not stated. Throws a `TypeError` for an unknown one. */
export function knownOptions(options: unknown, kinds: OptionKinds): Members {
  if (!isObject(options)) return {}
  const stated = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
  checkMembers(stated, kinds, 'options')
  return stated
}
