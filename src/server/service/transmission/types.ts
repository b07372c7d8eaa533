/** A record that is sent, from its message to its verdict, and the types in which systems differ. */
import type { Text } from '../../../invoice/index.ts'

/** A record of a message. */
export interface Entry {
  /** Names it within its channel, for as long as it exists. */
  readonly key: string
}

/** A line of an answer. */
export interface Line {
  /** The record that it is about, as `System.identityOf` names it. */
  readonly identity: string
  /** Its state is one that is known here. */
  readonly isKnown: boolean
  /** The authority already has such a record: it has to be asked for before the line is believed. */
  readonly isDuplicate: boolean
}

export interface Verdict {
  readonly entry: Entry
  readonly outcome:
    | 'accepted'
    | 'accepted_with_errors'
    /** Taken out of the book. */
    | 'deleted'
    /** The authority has something else under this identity: what is here goes as a modification. */
    | 'differs'
    /** There is nothing of it to modify: it goes as a registration. */
    | 'absent'
    | 'rejected'
    /** A technical failure: the same again, later. */
    | 'again'
  /** The authority's own words: of the state, of the error. */
  readonly literal: string | null
  readonly code: string | null
  readonly description: string | null
}

/** Why the authority refuses a whole message. */
export interface Refusal {
  readonly code: number | null
  readonly reason: Text
}

/** The types in which systems differ. */
export interface Types {
  /** One call to the authority. */
  readonly wire: unknown
  readonly entry: Entry
  readonly line: Line
  /** What the authority has of a record. */
  readonly held: unknown
  readonly verdict: Verdict
  /** A record that was set apart, as the queue stores it. */
  readonly aside: unknown
}
