/** Records, lines and results of a transmission, and the types that differ between systems. */
import type { Text } from '#core/invoice/index.ts'

/** A record in a message. */
export interface Entry {
  /** Identifies the record within its channel. It never changes. */
  readonly key: string
}

/** A line of a response. */
export interface Line {
  /** The identity of the record, as `System.identityOf` returns it. */
  readonly identity: string
  /** Whether this server knows the status in the line. */
  readonly isKnown: boolean
  /** Whether the authority already has a record with this identity. That record is then queried to verify this. */
  readonly isDuplicate: boolean
}

export interface EntryResult {
  readonly entry: Entry
  readonly outcome:
    | 'accepted'
    | 'accepted_with_errors'
    /** The record was deleted from the book. */
    | 'deleted'
    /** The authority has other data under this identity, so a modification is sent. */
    | 'differs'
    /** The authority has no record to modify, so a registration is sent. */
    | 'absent'
    | 'rejected'
    /** A technical failure. The same record is sent again later. */
    | 'again'
  /** The status as the authority writes it. */
  readonly literal: string | null
  readonly code: string | null
  readonly description: string | null
}

/** Why the authority rejected a whole message. */
export interface Refusal {
  readonly code: number | null
  readonly reason: Text
}

/** The types that differ between systems. */
export interface SystemTypes {
  /** Calls the authority. */
  readonly wire: unknown
  readonly entry: Entry
  readonly line: Line
  /** The authority's record of an entry. */
  readonly authorityRecord: unknown
  readonly result: EntryResult
  /** A record that the search for a malformed record set aside (`isolation.ts`), in the form that the queue stores. */
  readonly aside: unknown
}
