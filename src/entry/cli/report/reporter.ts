/** Interfaces of the report formats. */
import type { DocumentResult } from '../input/check-document.ts'

/** Totals of a run. */
export interface Tally {
  readonly documents: number
  readonly invalid: number
}

/** The text around and between the parts of a report. */
export interface Frame {
  readonly begin?: string
  readonly separator?: string
  end?(tally: Tally): string
}

export interface Reporter<Subject = DocumentResult> extends Frame {
  /** Returns the report of one result; empty if there is nothing to report. */
  one(subject: Subject): string
}
