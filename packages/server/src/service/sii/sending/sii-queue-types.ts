/** Types and constants of transmission to the SII. */

import type { SiiSender } from 'cuadra-authority/index.ts'
import type { SiiBook } from 'cuadra-authority/wire/index.ts'
import type { Kysely } from 'kysely'
import type { ResponseLine, SiiRecord } from '#records/sii/index.ts'
import type { Rows, Tx } from '../../../store/store.ts'
import type { Book, SiiOperation, Tables } from '../../../store/tables.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import type { Sending as AnySending, Channel, PendingSearch } from '../../transmission/channel.ts'
import { Queues } from '../../transmission/queue.ts'
import type * as transmission from '../../transmission/transmission-types.ts'

/** A row whose record is pending. */
export interface DueEntry extends transmission.Entry {
  readonly invoice_id: string
  readonly deadline: string
  /** Number of changes of the row. The result of an older version does not settle the row. */
  readonly version: number
}

/** Why a record is not sent: because of problems that the engine reports, or because of the status of the invoice. */
export interface NotSentReason {
  readonly code: string
  readonly blocked: Blocked
}

export type BuildResult =
  | { readonly is: 'built'; readonly operation: SiiOperation; readonly record: SiiRecord }
  /** The record cannot be built now. The row is deferred and does not block others. */
  | ({ readonly is: 'refused' } & NotSentReason)
  /** No record is needed any more. The row is dropped. */
  | { readonly is: 'nothing' }

/** A record in a message, with its row. */
export interface Entry extends transmission.Entry {
  readonly invoice_id: string
  readonly invoice_number: string
  readonly version: number
  readonly operation: SiiOperation
  readonly record: SiiRecord
}

/** The authority's record of an invoice or payment. */
export interface AuthorityRecord {
  /** Whether its content equals the sent content. Otherwise it has other data under the same identity. */
  readonly isSame: boolean
  readonly state: 'accepted' | 'accepted_with_errors' | 'deleted'
  /** The status as the authority writes it. */
  readonly literal: string
  readonly code: string | null
  readonly description: string | null
  readonly csv: string | null
}

export interface EntryResult extends transmission.EntryResult {
  readonly entry: Entry
}

export interface Sii extends transmission.SystemTypes {
  readonly wire: SiiSender
  readonly entry: Entry
  readonly line: transmission.Line & ResponseLine
  readonly authorityRecord: AuthorityRecord
  readonly result: EntryResult
  readonly aside: { readonly kind: string; readonly entry: Entry } & transmission.Refusal
}

export type Sending = AnySending<SiiSender>

export interface SiiChannel extends Channel<Sii> {
  readonly book: Book
  /** The address to which messages are sent. */
  readonly address: SiiBook
  /**
   * Returns the rows that may be sent now, the nearest deadline first. Excludes deferred rows, and payments of invoices
   * that are not registered yet.
   */
  readonly waiting: (db: Rows, search: PendingSearch) => Promise<readonly DueEntry[]>
  /** Returns the companies with rows that are due or in flight. */
  readonly companies: (all: Kysely<Tables>, now: number) => Promise<readonly string[]>
  /** Builds the records of rows, by key. The authority's record determines the operation of each. */
  readonly buildRecords: (db: Rows, dues: readonly DueEntry[]) => Promise<ReadonlyMap<string, BuildResult>>
  /** Defers a row without a record until the row changes or hours have passed since `now` (milliseconds since 1970). */
  readonly defer: (
    tx: Tx,
    due: Pick<DueEntry, 'key' | 'version'>,
    why: NotSentReason,
    now: number,
  ) => Promise<void>
  /** Makes all deferred rows due, or those of one invoice. */
  readonly release: (tx: Tx, invoiceId?: string) => Promise<void>
  /** Drops a row that needs no record. */
  readonly drop: (tx: Tx, due: Pick<DueEntry, 'key' | 'version'>) => Promise<void>
}

/**
 * Maximum number of records in a message. The service accepts 10,000. A thousand records take about three megabytes, so
 * that the response arrives well before the timeout and fits into one transaction, and a single query covers it.
 */
export const MAX_RECORDS = 1000

export const QUEUES = new Queues('sii_queues')
