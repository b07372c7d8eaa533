/** A form of output: a piece of text for every verdict, and what stands around the pieces. */
import type { Verdict } from '../input/verdict.ts'

/** What was seen in all. */
export interface Tally {
  readonly documents: number
  readonly invalid: number
}

/** What stands around the pieces; nothing where it is not said. */
export interface Frame {
  readonly begin?: string
  /** Between two pieces. */
  readonly separator?: string
  end?(tally: Tally): string
}

export interface Reporter<Told = Verdict> extends Frame {
  /** The piece of a verdict; nothing, where it has nothing to say. */
  one(told: Told): string
}
