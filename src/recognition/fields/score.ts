/** The score of a whole proposal, and the status that follows from it. */
import type { Proposal } from './propose.ts'

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
