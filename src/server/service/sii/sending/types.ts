/** Types and constants of transmission to the SII. */
import type { Kysely } from 'kysely'
import type { SiiBook } from '../../../../authority/wire/index.ts'
import type { SiiWire } from '../../../../authority/wires.ts'
import type { ResponseLine, SiiRecord } from '../../../../sii/index.ts'
import type { Rows, Tx } from '../../../store/store.ts'
import type { Book, SiiOperation, Tables } from '../../../store/tables.ts'
import type { Blocked } from '../../transmission/blocked.ts'
import type { Sending as AnySending, Channel, Search } from '../../transmission/channel.ts'
import { Queues } from '../../transmission/queue.ts'
import type * as transmission from '../../transmission/types.ts'

/** A pending row. */
export interface Due extends transmission.Entry {
  readonly invoice_id: string
  readonly deadline: string
  /** Counts changes: a result for an older version does not settle the row. */
  readonly version: number
}

/** Why a record is not sent: from the problems that the engine reports, or because of the state of the invoice. */
export interface NoRecord {
  readonly code: string
  readonly blocked: Blocked
}

export type BuildResult =
  | { readonly is: 'built'; readonly operation: SiiOperation; readonly record: SiiRecord }
  /** The record cannot be built now: the row is deferred, and does not block others. */
  | ({ readonly is: 'refused' } & NoRecord)
  /** No record is needed any more: the row is dropped. */
  | { readonly is: 'nothing' }

/** A record of a message, with the row that it belongs to. */
export interface Entry extends transmission.Entry {
  readonly invoice_id: string
  readonly invoice_number: string
  readonly version: number
  readonly operation: SiiOperation
  readonly record: SiiRecord
}

/** What the authority has of a record. */
export interface AuthorityRecord {
  /** Whether its content is what was sent; otherwise it has other data under the same identity. */
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
  readonly wire: SiiWire
  readonly entry: Entry
  readonly line: transmission.Line & ResponseLine
  readonly authorityRecord: AuthorityRecord
  readonly result: EntryResult
  readonly aside: { readonly kind: string; readonly entry: Entry } & transmission.Refusal
}

export type Sending = AnySending<SiiWire>

export interface SiiChannel extends Channel<Sii> {
  readonly book: Book
  /** The address to which messages are sent. */
  readonly address: SiiBook
  /**
   * Returns the rows that may be sent now, the nearest deadline first. Deferred rows, and payments of invoices that are
   * not registered yet, are excluded.
   */
  readonly waiting: (db: Rows, search: Search) => Promise<readonly Due[]>
  /** Returns the companies with rows that are due or in flight. */
  readonly companies: (all: Kysely<Tables>, now: number) => Promise<readonly string[]>
  /** Builds the records of rows, by key, with the operation that follows from what the authority has. */
  readonly buildRecords: (db: Rows, dues: readonly Due[]) => Promise<ReadonlyMap<string, BuildResult>>
  /** Defers a row without a record until it changes, or for hours from `now` on (milliseconds since 1970). */
  readonly defer: (tx: Tx, due: Pick<Due, 'key' | 'version'>, why: NoRecord, now: number) => Promise<void>
  /** Makes deferred rows due: all, or those of one invoice. */
  readonly release: (tx: Tx, invoiceId?: string) => Promise<void>
  /** Drops a row that needs no record. */
  readonly drop: (tx: Tx, due: Pick<Due, 'key' | 'version'>) => Promise<void>
}

/**
 * The most records of a message. The service accepts 10,000. A thousand are about three megabytes: the response arrives
 * well before the timeout, fits one transaction, and can be queried at once.
 */
export const MAX_RECORDS = 1000

export const QUEUES = new Queues('sii_queues')
