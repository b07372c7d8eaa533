/** The score of a whole proposal, its status, and the reasons for a review. */

import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { isHarmless, type ReasonCode, sortedReasons } from '../field-reasons.ts'

/** A mandatory field: its score (0 if it was not found), and the reason for a review if its score is less than `least`. */
export interface Mandatory {
  readonly score: number
  readonly least: number
  readonly doubt: ReasonCode | undefined
}

export interface Proposal {
  readonly document: CanonicalInvoiceInput
  readonly scores: Readonly<Record<string, number>>
  readonly mandatory: readonly Mandatory[]
  /** Lowest score among the found fields that identify the invoice. */
  readonly weakest: number
  readonly reasons: readonly ReasonCode[]
  /** Whether the document is an invoice, and its total or one of number, date and supplier was read. */
  readonly isRead: boolean
}

export type RecognitionStatus = 'recognized_ready' | 'recognized_pending_review' | 'recognized_rejected'

const READY = 0.85
/** Maximum scores of proposals in review and of rejected proposals, so that the score alone shows the status. */
const BELOW_READY = 0.84
const BELOW_REVIEW = 0.39

const sum = (scores: readonly number[]): number => scores.reduce((all, one) => all + one, 0)

/** Returns the mean score of the mandatory fields, or the lowest score of an identifying field if that is lower. */
const meanOf = ({ mandatory, weakest }: Proposal): number =>
  Math.min(sum(mandatory.map(({ score }) => score)) / mandatory.length, weakest)

/** Returns the reasons for a review, the gravest first, including one for each mandatory field with a low score. */
export function reviewReasons(proposal: Proposal, isValid: boolean): ReasonCode[] {
  if (!proposal.isRead) return ['not_an_invoice']
  const doubts = proposal.mandatory.flatMap(({ score, least, doubt }) =>
    score < least && doubt ? [doubt] : [],
  )
  return sortedReasons([...proposal.reasons, ...doubts, ...(isValid ? [] : (['refused_by_engine'] as const))])
}

/**
 * Returns the status of a proposal. It is rejected only if the document is not an invoice, or if none of number, date,
 * supplier and total was read. It is ready only if it has no reason for a review but harmless ones.
 */
export function statusOf(proposal: Proposal, isValid: boolean): RecognitionStatus {
  if (!proposal.isRead) return 'recognized_rejected'
  return reviewReasons(proposal, isValid).every(isHarmless) ? 'recognized_ready' : 'recognized_pending_review'
}

export function scoreOf(proposal: Proposal, isValid: boolean): number {
  const [least, most] = {
    recognized_ready: [READY, 1],
    recognized_pending_review: [0, BELOW_READY],
    recognized_rejected: [0, BELOW_REVIEW],
  }[statusOf(proposal, isValid)] as [number, number]
  // Truncates the score, so that rounding makes no proposal ready.
  return Math.floor(Math.max(least, Math.min(meanOf(proposal), most)) * 100 + 1e-6) / 100
}

/** Whether a proposal has more confirmed fields than another proposal for the same document. */
export function isBetter(one: Proposal, other: Proposal): boolean {
  const confirmed = ({ mandatory }: Proposal) => sum(mandatory.map(({ score }) => score))
  const difference = scoreOf(one, true) - scoreOf(other, true)
  return difference > 0 || (difference === 0 && confirmed(one) > confirmed(other))
}

/** Reasons for a review that reading the pixels at a higher resolution can remove. */
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

/** Whether the proposal was read by OCR and has a doubt that reading at a higher resolution can remove. */
export const needsFineReading = ({ reasons }: Proposal): boolean =>
  reasons.includes('guessed_from_pixels') && reasons.some((reason) => OF_POOR_PRINT.has(reason))
