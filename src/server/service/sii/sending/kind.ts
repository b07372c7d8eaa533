/**
 * A kind of message of the SII, as the machinery of sending sees it. The machinery (line, submissions, pauses, taking
 * answers apart) is the same for all; a kind says what waits, makes the records, asks what the authority has of them,
 * and writes down what became of each.
 */
import type { Kysely } from 'kysely'
import type { SiiWire } from '../../../../authority/sii-wire.ts'
import type { SiiBook } from '../../../../authority/wire/index.ts'
import type { Text } from '../../../../invoice/index.ts'
import type { SiiRecord } from '../../../../sii/index.ts'
import type { App } from '../../../app/app.ts'
import type { Rows, Tx } from '../../../store/store.ts'
import type { Book, Environment, SiiOperation, Tables } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Stopped } from '../../sending/stops.ts'

export type KindName = 'ISSUED' | 'RECEIVED' | 'COLLECTIONS' | 'PAYMENTS'

/** What the authority is to be told of. */
export interface Due {
  /** Names it within its kind, for as long as it exists: an invoice, a collection. */
  readonly key: string
  readonly invoice_id: string
  readonly deadline: string
  /** Counts its changes: a verdict on an older version does not settle it. */
  readonly version: number
}

/** What is looked for. */
export interface Look {
  /** Milliseconds since 1970: what is held back until later is not among it. */
  readonly now: number
  readonly most: number
  /** Of this invoice alone. */
  readonly invoiceId?: string | undefined
}

export interface Making {
  readonly db: Rows
  readonly company: CompanyRecord
}

/** Why there is no record, as the engine's items say it. */
export interface NoRecord {
  readonly code: string
  readonly words: Text
}

export type Made =
  | { readonly is: 'made'; readonly operation: SiiOperation; readonly record: SiiRecord }
  /** None can be made of it as it is: it is held back with these words, and keeps nothing else waiting. */
  | ({ readonly is: 'refused' } & NoRecord)
  /** There is nothing to tell of it any more: it is taken out of what waits. */
  | { readonly is: 'nothing' }

/** A record of a message, and what it is of. */
export interface Entry {
  readonly key: string
  readonly invoice_id: string
  readonly invoice_number: string
  readonly version: number
  readonly operation: SiiOperation
  readonly record: SiiRecord
}

/** Whom the authority is asked by. */
export interface Asking {
  /** What is known here of what it has. */
  readonly db: Rows
  readonly wire: SiiWire
  readonly company: CompanyRecord
  readonly environment: Environment
  readonly certificateId: number
  readonly signal?: AbortSignal
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

export type Asked =
  /** By `key`; what is not there the authority has not got. */
  | { readonly ok: true; readonly held: ReadonlyMap<string, Held> }
  | { readonly ok: false; readonly stopped: Stopped }

export interface Verdict {
  readonly entry: Entry
  readonly became:
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

export interface Settling {
  /** As it is stored and as `last_submission_id` names it. */
  readonly submission: {
    readonly public_id: string
    readonly internal_id: number
    readonly submitted_at: string
  }
  readonly company: CompanyRecord
  readonly app: Pick<App, 'clock'>
  readonly stamp: string
}

export interface Kind {
  readonly name: KindName
  readonly book: Book
  /** Whose address takes it. */
  readonly address: SiiBook
  /**
   * What may go now, the nearest deadline first. What must not go yet is not among it: what is held back until a later
   * moment, a collection before its invoice is registered.
   */
  readonly waiting: (db: Rows, look: Look) => Promise<readonly Due[]>
  /** Companies in which something may go now by itself, or is on its way. */
  readonly companies: (all: Kysely<Tables>, now: number) => Promise<readonly string[]>
  /** The record of each, by its key, and with which operation: what the authority holds decides. */
  readonly make: (making: Making, dues: readonly Due[]) => Promise<ReadonlyMap<string, Made>>
  /** Says what is on its way with a submission; answers the keys of those that are still what they were. */
  readonly depart: (tx: Tx, entries: readonly Entry[], submissionId: string) => Promise<ReadonlySet<string>>
  /** They are on their way no more, and nothing became of them: they wait as before. */
  readonly comeBack: (tx: Tx, keys: readonly string[]) => Promise<void>
  /** Holds back what no record can be made of, until it changes or `until` (milliseconds since 1970). */
  readonly holdBack: (
    tx: Tx,
    due: Pick<Due, 'key' | 'version'>,
    why: NoRecord,
    until: number,
  ) => Promise<void>
  /** What is held back may go now, all of it or that of one invoice. */
  readonly release: (tx: Tx, invoiceId?: string) => Promise<void>
  /** Takes out of what waits that of which there is nothing to tell. */
  readonly drop: (tx: Tx, due: Pick<Due, 'key' | 'version'>) => Promise<void>
  /** What the authority has of these, asked now. */
  readonly ask: (asking: Asking, entries: readonly Entry[]) => Promise<Asked>
  /** Writes what became of each, in the transaction of the answer. A verdict may come twice, and changes nothing then. */
  readonly settle: (tx: Tx, settling: Settling, verdicts: readonly Verdict[]) => Promise<void>
}
