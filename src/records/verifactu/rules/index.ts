/** All 247 codes of the authority's list. A violation of the schema gets the first code that matches it. */
import { BREAKDOWN_CODES } from './breakdown.ts'
import { CANCELLATION_CODES } from './cancellation.ts'
import { CHAIN_CODES } from './chain.ts'
import { DATE_CODES } from './dates.ts'
import { INVOICE_CODES } from './invoice.ts'
import { ONLINE_CODES } from './online.ts'
import { PARTY_CODES } from './parties.ts'
import { QUERY_CODES } from './query.ts'
import { RATE_CODES } from './rates.ts'
import { REGIME_CODES } from './regimes.ts'
import type { AuthorityCode, OfflineRule } from './rule.ts'
import { STRUCTURE_CODES } from './structure.ts'
import { SUBMISSION_CODES } from './submission.ts'
import { SYSTEM_CODES } from './system.ts'
import { TOTAL_CODES } from './totals.ts'

/** Specific codes come first; the general codes of `STRUCTURE_CODES` match every other violation. */
export const AUTHORITY_CODES: readonly AuthorityCode[] = [
  ...INVOICE_CODES,
  ...DATE_CODES,
  ...PARTY_CODES,
  ...BREAKDOWN_CODES,
  ...RATE_CODES,
  ...REGIME_CODES,
  ...TOTAL_CODES,
  ...CHAIN_CODES,
  ...SYSTEM_CODES,
  ...CANCELLATION_CODES,
  ...SUBMISSION_CODES,
  ...QUERY_CODES,
  ...STRUCTURE_CODES,
  ...ONLINE_CODES,
]

export const OFFLINE_RULES: readonly OfflineRule[] = AUTHORITY_CODES.filter((code) => code.offline)

export { altaContext, type ExternalFacts } from './context.ts'
export type {
  AuthorityCode,
  Effect,
  Fail,
  OfflineRule,
  OnlineCode,
  OnlineReason,
  Structural,
} from './rule.ts'
