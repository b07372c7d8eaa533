/** Messages with the reasons why a person should check a proposal. */
import type { Locale } from '#core/invoice/index.ts'
import { REASONS } from '../generated/texts/reasons.ts'

export { REASONS } from '../generated/texts/reasons.ts'

export type ReasonCode = keyof typeof REASONS

/**
 * The effect of a reason. A proposal is ready only if all of its reasons are harmless. `review`: a person or the earlier
 * invoices of the supplier can settle the doubt. `never`: the document must not be registered as it is.
 */
type Effect = 'harmless' | 'review' | 'never'

const EFFECTS: Readonly<Record<ReasonCode, Effect>> = {
  lines_grouped: 'harmless',
  xml_partial: 'harmless',

  not_an_invoice: 'never',
  not_final: 'never',
  not_in_force: 'never',
  payment_demand: 'never',
  customer_is_other: 'never',
  supplier_is_company: 'never',
  already_registered: 'never',

  invoice_unnamed: 'review',
  duplicate: 'review',
  corrective: 'review',
  simplified: 'review',
  number_missing: 'review',
  number_unchecked: 'review',
  number_contradicted: 'review',
  several_numbers: 'review',
  date_missing: 'review',
  date_unchecked: 'review',
  date_ambiguous: 'review',
  date_contradicted: 'review',
  date_in_future: 'review',
  date_old: 'review',
  several_dates: 'review',
  supplier_missing: 'review',
  supplier_unchecked: 'review',
  supplier_repaired: 'review',
  supplier_wrong_check: 'review',
  supplier_contradicted: 'review',
  several_suppliers: 'review',
  supplier_name_missing: 'review',
  supplier_name_unchecked: 'review',
  supplier_name_broken: 'review',
  customer_not_found: 'review',
  customer_name_missing: 'review',
  several_customers: 'review',
  amounts_missing: 'review',
  amounts_disagree: 'review',
  amounts_unchecked: 'review',
  amount_derived: 'review',
  total_contradicted: 'review',
  total_unexplained: 'review',
  tax_not_available: 'review',
  treatment_guessed: 'review',
  withholding_unread: 'review',
  withholding_unnamed: 'review',
  withholding_unusual: 'review',
  account_new: 'review',
  account_changed: 'review',
  currency_foreign: 'review',
  xml_contradicted: 'review',
  code_unconfirmed: 'review',
  several_codes: 'review',
  guessed_from_pixels: 'review',
  refused_by_engine: 'review',
}

export const isHarmless = (code: ReasonCode): boolean => EFFECTS[code] === 'harmless'

const ORDER: readonly Effect[] = ['never', 'review', 'harmless']

/** Returns each reason once, the gravest first. */
export const sortedReasons = (codes: readonly ReasonCode[]): ReasonCode[] =>
  ORDER.flatMap((effect) => [...new Set(codes)].filter((code) => EFFECTS[code] === effect))

/** Returns each reason once, in the language of the client. */
export const reasonsIn = (codes: readonly ReasonCode[], locale: Locale): string[] =>
  [...new Set(codes)].map((code) => REASONS[code][locale])
