/** A form of output: a piece of text for every verdict, and what stands around the pieces. */
import type { Verdict } from '../input/verdict.ts'

/** What was seen in all. */
export interface Tally {
  readonly documents: number
  readonly invalid: number
}

export interface Reporter {
  readonly begin: string
  /** Between two pieces. */
  readonly separator: string
  /** The piece of a verdict; nothing, where it has nothing to say. */
  one(verdict: Verdict): string
  end(tally: Tally): string
}
