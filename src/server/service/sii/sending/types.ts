/** The types of what is sent to the SII: its channels are books of invoices, and what was collected and paid of them. */
import type { Kysely } from 'kysely'
import type { SiiBook } from '../../../../authority/wire/index.ts'
import type { SiiWire } from '../../../../authority/wires.ts'
import type { Text } from '../../../../invoice/index.ts'
import type { ResponseLine, SiiRecord } from '../../../../sii/index.ts'
import type { Rows, Tx } from '../../../store/store.ts'
import type { Book, SiiOperation, Tables } from '../../../store/tables.ts'
import type { Sending as AnySending, Channel, Search } from '../../transmission/channel.ts'
import { Queues } from '../../transmission/queue.ts'
import type * as transmission from '../../transmission/types.ts'

/** What the authority is to be told of. */
export interface Due extends transmission.Entry {
  readonly invoice_id: string
  readonly deadline: string
  /** Counts its changes: a verdict on an older version does not settle it. */
  readonly version: number
}

/** Why there is no record, as the engine's items say it. */
export interface NoRecord {
  readonly code: string
  readonly reason: Text
}

export type Made =
  | { readonly is: 'made'; readonly operation: SiiOperation; readonly record: SiiRecord }
  /** None can be made of it as it is: it is deferred for this reason, and keeps nothing else waiting. */
  | ({ readonly is: 'refused' } & NoRecord)
  /** There is nothing to tell of it any more: it is taken out of what waits. */
  | { readonly is: 'nothing' }

/** A record of a message, and what it is of. */
export interface Entry extends transmission.Entry {
  readonly invoice_id: string
  readonly invoice_number: string
  readonly version: number
  readonly operation: SiiOperation
  readonly record: SiiRecord
}

/** What the authority has of a record that was sent. */
export interface Held {
  /** It has what was sent; otherwise something else under the same identity. */
  readonly isSame: boolean
  readonly state: 'accepted' | 'accepted_with_errors' | 'deleted'
  /** The authority's own word for it. */
  readonly literal: string
  readonly code: string | null
  readonly description: string | null
  readonly csv: string | null
}

export interface Verdict extends transmission.Verdict {
  readonly entry: Entry
}

export interface Sii extends transmission.Types {
  readonly wire: SiiWire
  readonly entry: Entry
  readonly line: transmission.Line & ResponseLine
  readonly held: Held
  readonly verdict: Verdict
  readonly aside: { readonly kind: string; readonly entry: Entry } & transmission.Refusal
}

export type Sending = AnySending<SiiWire>

export interface SiiChannel extends Channel<Sii> {
  readonly book: Book
  /** The address that takes its messages. */
  readonly address: SiiBook
  /**
   * What may go now, the nearest deadline first. What must not go yet is not among it: what is deferred, a collection
   * before its invoice is registered.
   */
  readonly waiting: (db: Rows, search: Search) => Promise<readonly Due[]>
  /** Companies in which something may go now by itself, or is on its way. */
  readonly companies: (all: Kysely<Tables>, now: number) => Promise<readonly string[]>
  /** The record of each, by its key, and with which operation: what the authority has decides. */
  readonly make: (db: Rows, dues: readonly Due[]) => Promise<ReadonlyMap<string, Made>>
  /** Defers what no record can be made of, until it changes or `until` (milliseconds since 1970). */
  readonly defer: (tx: Tx, due: Pick<Due, 'key' | 'version'>, why: NoRecord, until: number) => Promise<void>
  /** What is deferred may go now, all of it or that of one invoice. */
  readonly release: (tx: Tx, invoiceId?: string) => Promise<void>
  /** Takes out of what waits that of which there is nothing to tell. */
  readonly drop: (tx: Tx, due: Pick<Due, 'key' | 'version'>) => Promise<void>
}

/**
 * The most records of a message. The service takes 10,000; a thousand are some three megabytes, which are answered well
 * within the time that an answer is waited for, written down in one transaction, and asked for by one query.
 */
export const MOST_RECORDS = 1000

export const QUEUES = new Queues('sii_queues')
