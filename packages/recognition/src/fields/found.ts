/** A value found on a document, with its score. */
import type { ReasonCode } from './field-reasons.ts'

/** Scores of values. A score of 0.9 or more requires a check that a wrong value would fail. */
export const TRUST = {
  /** From the tax QR or the embedded XML. */
  certain: 1,
  /** Read as text, and its check characters or its arithmetic are correct. */
  checked: 0.9,
  /** Read as text after a label that occurs once. Nothing could be checked, and nothing was guessed. */
  named: 0.85,
  /** Recognised from pixels, or repaired, and confirmed by the available checks. */
  agreed: 0.75,
  /** Found without any confirmation. */
  found: 0.5,
  /** Contradicted by other data on the document. */
  doubted: 0.4,
} as const

export interface ScoredValue<T> {
  readonly value: T
  readonly score: number
  /** Reasons why a person should check the value. */
  readonly reasons?: readonly ReasonCode[]
}

export const scoredValue = <T>(
  value: T,
  score: number,
  ...reasons: readonly ReasonCode[]
): ScoredValue<T> => ({
  value,
  score,
  ...(reasons.length > 0 && { reasons }),
})
