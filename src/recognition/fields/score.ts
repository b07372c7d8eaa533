/** The score of a whole proposal, the status that follows from it, and the reasons for a review. */
import type { Proposal } from './propose.ts'
import { BLOCKING, type ReasonCode } from './reasons.ts'

export type RecognitionStatus = 'recognized_ready' | 'recognized_pending_review' | 'recognized_rejected'

export const READY = 0.85
/** Limits of the scores of other proposals, so that the score alone shows the status. */
const BELOW_READY = 0.84
const BELOW_REVIEW = 0.39

const sum = (scores: readonly number[]): number => scores.reduce((all, one) => all + one, 0)

/** Returns the mean score of the mandatory fields, limited by the lowest of the fields that identify the invoice. */
const meanOf = ({ mandatory, weakest }: Proposal): number =>
  Math.min(sum(mandatory.map(({ score }) => score)) / mandatory.length, weakest)

const isReady = (proposal: Proposal, isValid: boolean): boolean =>
  isValid &&
  proposal.isRead &&
  meanOf(proposal) >= READY &&
  proposal.mandatory.every(({ score }) => score > 0) &&
  !proposal.reasons.some((one) => BLOCKING.has(one))

/**
 * Returns the status of a proposal. Only what is not an invoice is rejected, or of which neither a total nor any of
 * number, date and supplier was read. One that would be registered with errors needs a review.
 */
export function statusOf(proposal: Proposal, isValid: boolean): RecognitionStatus {
  if (!proposal.isRead) return 'recognized_rejected'
  return isReady(proposal, isValid) ? 'recognized_ready' : 'recognized_pending_review'
}

export function scoreOf(proposal: Proposal, isValid: boolean): number {
  const most = {
    recognized_ready: 1,
    recognized_pending_review: BELOW_READY,
    recognized_rejected: BELOW_REVIEW,
  }
  // Truncated, so that no proposal becomes ready by rounding.
  return Math.floor(Math.min(meanOf(proposal), most[statusOf(proposal, isValid)]) * 100 + 1e-6) / 100
}

/** Returns the reasons for a review. Fields without a reason of their own state that they could not be verified. */
export function reviewReasons(proposal: Proposal, isValid: boolean): ReasonCode[] {
  const status = statusOf(proposal, isValid)
  if (status === 'recognized_rejected') return ['not_an_invoice']
  const refused = isValid ? [] : (['refused_by_engine'] as const)
  if (status === 'recognized_ready') return [...proposal.reasons]
  const doubts = proposal.mandatory.flatMap(({ score, doubt }) => (score < READY && doubt ? [doubt] : []))
  return [...new Set([...proposal.reasons, ...doubts, ...refused])]
}

/** Whether a proposal has more confirmed fields than another one of the same document. */
export function isBetter(one: Proposal, other: Proposal): boolean {
  const confirmed = ({ mandatory }: Proposal) => sum(mandatory.map(({ score }) => score))
  const difference = scoreOf(one, true) - scoreOf(other, true)
  return difference > 0 || (difference === 0 && confirmed(one) > confirmed(other))
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
  'total_unexplained',
  'withholding_unread',
])

/** Whether the proposal comes from pixels that may have been misread. */
export const deservesFineReading = ({ reasons }: Proposal): boolean =>
  reasons.includes('guessed_from_pixels') && reasons.some((reason) => OF_POOR_PRINT.has(reason))
