/** Records, lines and results of a transmission, and the types in which systems differ. */
import type { Text } from '../../../invoice/index.ts'

/** A record of a message. */
export interface Entry {
  /** Identifies the record within its channel for as long as it exists. */
  readonly key: string
}

/** A line of a response. */
export interface Line {
  /** The record, as `System.identityOf` names it. */
  readonly identity: string
  /** Whether its status is a known one. */
  readonly isKnown: boolean
  /** The authority already has such a record; it is queried before the line is trusted. */
  readonly isDuplicate: boolean
}

export interface EntryResult {
  readonly entry: Entry
  readonly outcome:
    | 'accepted'
    | 'accepted_with_errors'
    /** Removed from the book. */
    | 'deleted'
    /** The authority has other data under this identity: send a modification. */
    | 'differs'
    /** The authority has no such record to modify: send a registration. */
    | 'absent'
    | 'rejected'
    /** A technical failure: send the same again later. */
    | 'again'
  /** The status as the authority writes it. */
  readonly literal: string | null
  readonly code: string | null
  readonly description: string | null
}

/** Why the authority rejects a whole message. */
export interface Refusal {
  readonly code: number | null
  readonly reason: Text
}

/** The types in which systems differ. */
export interface SystemTypes {
  /** Calls the authority. */
  readonly wire: unknown
  readonly entry: Entry
  readonly line: Line
  /** What the authority has of a record. */
  readonly authorityRecord: unknown
  readonly result: EntryResult
  /** A record that was set aside, as the queue stores it. */
  readonly aside: unknown
}
