/** Options of requests. Refuses unknown names, and options that only a program can pass (functions, for example). */
import { checkMembers, isObject, type OptionKind } from '#records/fiscal/index.ts'

/** Types of the members of `options`. The operation checks their values. */
export type OptionKinds = Readonly<Record<string, OptionKind>>

/** Options of `validate`. */
export const VALIDATE_OPTIONS: OptionKinds = {
  operation: 'text',
  company: 'object',
  today: 'text',
  locale: 'text',
  totals: 'text',
  exchange_rate: 'object',
  explain: 'boolean',
}

/** Options of `explain` and `reconcile`: those of `validate` except `explain`. */
export const { explain: _, ...INVOICE_OPTIONS } = VALIDATE_OPTIONS

/** Options of the QR code, under their names in requests. */
export const QR_OPTIONS: OptionKinds = {
  environment: 'text',
  verifiable: 'boolean',
  size: 'number',
  quiet_zone: 'number',
  legend: 'any',
  font_size: 'number',
}

export type Members = Readonly<Record<string, unknown>>

/**
 * Returns the options except those with the value `null`, which means "not stated". Throws a `TypeError` for an unknown
 * option.
 */
export function knownOptions(options: unknown, kinds: OptionKinds): Members {
  if (!isObject(options)) return {}
  const stated = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null))
  checkMembers(stated, kinds, 'options')
  return stated
}
