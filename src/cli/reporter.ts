/** A form of output: a piece of text for every verdict, and what stands around the pieces. */
import type { Verdict } from './judge.ts'
import { reportGithub } from './report-github.ts'
import { reportJson } from './report-json.ts'
import { reportSarif } from './report-sarif.ts'
import { reportText } from './report-text.ts'
import type { Format, Settings } from './settings.ts'

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

const REPORTERS: Readonly<Record<Format, (settings: Settings) => Reporter>> = {
  text: reportText,
  json: reportJson,
  github: reportGithub,
  sarif: reportSarif,
}

export const reporterOf = (settings: Settings): Reporter => REPORTERS[settings.format](settings)
