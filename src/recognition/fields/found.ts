/** What was found, and how far it can be believed. */
import type { ReasonCode } from './reasons.ts'

/**
 * How far a value can be believed. From 0.9 on something has been checked that could have failed, and no wrong value
 * may have that much.
 */
export const TRUST = {
  /** The tax QR or the XML says so. */
  certain: 1,
  /** Read as text, and its check characters or its arithmetic agree. */
  checked: 0.9,
  /** Read as text behind a label that names it and occurs once: nothing could be checked, and nothing guessed. */
  named: 0.85,
  /** Guessed from pixels, or mended, and what could be checked agrees. */
  agreed: 0.75,
  /** Found, and nothing speaks for it. */
  found: 0.5,
  /** Something speaks against it. */
  doubted: 0.4,
} as const

export interface Found<T> {
  readonly value: T
  readonly score: number
  /** Why a person should look at it. */
  readonly reasons?: readonly ReasonCode[]
}

export const found = <T>(value: T, score: number, ...reasons: readonly ReasonCode[]): Found<T> => ({
  value,
  score,
  ...(reasons.length > 0 && { reasons }),
})
