/** The score of a whole proposal, and the status that follows from it. */
import type { Proposal } from './propose.ts'
import type { ReasonCode } from './reasons.ts'

export type RecognitionStatus = 'recognized_ready' | 'recognized_pending_review' | 'recognized_rejected'

const READY = 0.85
const REVIEW = 0.4

/** Returns the mean score of the mandatory fields, limited by the lowest of the fields that identify the invoice. */
export function scoreOf({ mandatory, weakest }: Proposal): number {
  const mean = mandatory.reduce((all, one) => all + one, 0) / mandatory.length
  // Truncated, so that no proposal becomes ready by rounding.
  return Math.floor(Math.min(mean, weakest) * 100 + 1e-6) / 100
}

/** Returns the status of a proposal. One that would be registered with errors needs a review. */
export function statusOf(proposal: Proposal, isValid: boolean): RecognitionStatus {
  const score = scoreOf(proposal)
  if (proposal.isOther || score < REVIEW) return 'recognized_rejected'
  const isComplete = proposal.mandatory.every((one) => one > 0)
  return score >= READY && isComplete && isValid ? 'recognized_ready' : 'recognized_pending_review'
}

/** Doubts that another reading of the pixels can remove. */
const OF_POOR_PRINT: ReadonlySet<ReasonCode> = new Set([
  'number_missing',
  'number_contradicted',
  'date_missing',
  'date_contradicted',
  'supplier_missing',
  'supplier_name_missing',
  'amounts_missing',
  'amounts_disagree',
  'amounts_unchecked',
  'amount_derived',
  'total_contradicted',
])

/** Whether the proposal comes from pixels that may have been misread. */
export const deservesFineReading = ({ reasons }: Proposal): boolean =>
  reasons.includes('guessed_from_pixels') && reasons.some((reason) => OF_POOR_PRINT.has(reason))
