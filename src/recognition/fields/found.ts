/** A found value with its trust. */
import type { ReasonCode } from './reasons.ts'

/** Trust in a value. From 0.9 on, a check confirmed it that could have failed; no wrong value may reach that. */
export const TRUST = {
  /** From the tax QR or the embedded XML. */
  certain: 1,
  /** Read as text, and its check characters or its arithmetic are correct. */
  checked: 0.9,
  /** Read as text after a label that occurs once; nothing could be checked, and nothing was guessed. */
  named: 0.85,
  /** Recognised from pixels, or repaired, and the available checks agree. */
  agreed: 0.75,
  /** Found without any confirmation. */
  found: 0.5,
  /** Contradicted by something. */
  doubted: 0.4,
} as const

export interface Found<T> {
  readonly value: T
  readonly score: number
  /** Why a person should check it. */
  readonly reasons?: readonly ReasonCode[]
}

export const found = <T>(value: T, score: number, ...reasons: readonly ReasonCode[]): Found<T> => ({
  value,
  score,
  ...(reasons.length > 0 && { reasons }),
})
