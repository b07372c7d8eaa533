/** All 247 codes of the authority's list. A violation of the schema gets the first code that matches it. */
import { BREAKDOWN_CODES } from './breakdown-checks.ts'
import { CANCELLATION_CODES } from './cancellation-checks.ts'
import { CHAIN_CODES } from './chain-checks.ts'
import type { AuthorityCode, OfflineRule } from './check-declaration.ts'
import { DATE_CODES } from './date-checks.ts'
import { INVOICE_CODES } from './invoice-checks.ts'
import { ONLINE_CODES } from './online.ts'
import { PARTY_CODES } from './party-checks.ts'
import { QUERY_CODES } from './query-checks.ts'
import { RATE_CODES } from './rate-checks.ts'
import { REGIME_CODES } from './regime-checks.ts'
import { STRUCTURE_CODES } from './structure-checks.ts'
import { SUBMISSION_CODES } from './submission-checks.ts'
import { SYSTEM_CODES } from './system-checks.ts'
import { TOTAL_CODES } from './total-checks.ts'

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

export { altaContext, type ExternalFacts } from './check-context.ts'
export type {
  AuthorityCode,
  Effect,
  Fail,
  OfflineRule,
  OnlineCode,
  OnlineReason,
  Structural,
} from './check-declaration.ts'
