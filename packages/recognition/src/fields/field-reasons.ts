/** Messages with the reasons why a person should check a proposal. */
import type { Locale } from '#core/invoice/index.ts'
import { REASONS } from '../generated/texts/reasons.ts'

export { REASONS } from '../generated/texts/reasons.ts'

export type ReasonCode = keyof typeof REASONS

/** Reasons for which a proposal is never ready, however good its fields are. */
export const BLOCKING: ReadonlySet<ReasonCode> = new Set([
  'not_final',
  'supplier_is_company',
  'supplier_contradicted',
  'total_contradicted',
  'total_unexplained',
  'withholding_unread',
  'withholding_unnamed',
  'amount_derived',
  'amounts_disagree',
  'xml_contradicted',
  'code_unconfirmed',
  'already_registered',
  'account_new',
  'withholding_unusual',
])

/** Returns each reason once, in the language of the client. */
export const reasonsIn = (codes: readonly ReasonCode[], locale: Locale): string[] =>
  [...new Set(codes)].map((code) => REASONS[code][locale])
