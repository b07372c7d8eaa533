/**
 * What the engine asks of a system that records are sent to. The engine (queue, step, ledger, response, fault,
 * settlement) is written once. A `System` has a queue of each company and environment and one or more channels; a
 * `Channel` is one kind of record: it knows what waits, sends messages, asks what the authority has, and writes down the
 * outcome.
 */
import type { Text } from '../../../invoice/index.ts'
import type { App } from '../../app/app.ts'
import type { CompanyStore, Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { CompanyRecord } from '../company/company.ts'
import type { Blocked } from './blocked.ts'
import type { Identity } from './identity.ts'
import type { Isolation } from './isolation.ts'
import type { Ledger, Submission } from './ledger.ts'
import type { Lease, Queue, QueueChanges, Queues } from './queue.ts'
import type { Faults, Response } from './response.ts'
import type { Entry, Refusal, Types } from './types.ts'

/** What sending needs of the process. */
export interface Sending<Wire> {
  readonly app: Pick<App, 'config' | 'store' | 'clock' | 'log' | 'metrics'>
  readonly wire: Wire
  /** Names this process in the queues that it holds. */
  readonly owner: string
  /** Ends what is under way. */
  readonly signal?: AbortSignal
}

/** What came of a look at a queue. */
export type Step =
  /** Nothing waits. */
  | { readonly is: 'idle' }
  /** Another process is at it. */
  | { readonly is: 'busy' }
  /** Something waits, and may go at a time (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number; readonly stopped?: Blocked }
  /** So many records have their verdict, with a submission where there was one; there may be more to do. */
  | { readonly is: 'done'; readonly records: number; readonly submission: string | null }

/** Where something waits; without an environment, the system decides. */
export interface Place {
  readonly companyId: string
  readonly environment?: Environment
}

export interface StepOptions {
  /** At the administrator's command: what waits goes, whether or not it would by itself. */
  readonly isAsked?: boolean
  /** Without waiting after a failure. */
  readonly isUrgent?: boolean
  /** Of this invoice alone. */
  readonly invoiceId?: string | undefined
}

/** A queue that is looked at. */
export interface Look<S extends Types> extends StepOptions {
  readonly system: System<S>
  readonly sending: Sending<S['wire']>
  readonly store: CompanyStore
  readonly company: CompanyRecord
  readonly environment: Environment
}

/** A queue while this process holds it. */
export interface Outbox<S extends Types> extends Look<S> {
  readonly lease: Lease
  readonly queue: Queue
}

/** The same with the certificate that identifies the company to the authority. */
export interface Connection<S extends Types> extends Outbox<S> {
  readonly certificateId: number
}

/** What of a channel is looked for. */
export interface Search {
  readonly environment: Environment
  /** Milliseconds since 1970: what is deferred until later is not among it. */
  readonly now: number
  readonly most: number
  /** Of this invoice alone. */
  readonly invoiceId?: string | undefined
}

/** Records that go together. */
export interface Batch<S extends Types> {
  readonly channel: Channel<S>
  readonly entries: readonly S['entry'][]
}

export type NextMessage<S extends Types> =
  | ({ readonly is: 'message'; readonly xml: () => Promise<string> } & Batch<S>)
  | { readonly is: 'none' }
  /** Some were taken out of what waits: look again. */
  | { readonly is: 'changed' }
  /** Something that every message has is wrong. */
  | ({ readonly is: 'impossible'; readonly reason: Text } & Batch<S>)

/** A message that went out. */
export interface Sent<S extends Types> extends Batch<S> {
  readonly id: string
  readonly isolation: Isolation<S['aside']> | null
  readonly submitted_at: string
}

export interface Answer<S extends Types> {
  /** State of the message, as the ledger stores it. */
  readonly status: string
  readonly csv: string | null
  readonly lines: readonly S['line'][]
  readonly text: string
  /** Seconds to wait before the next message, where the authority asks for that. */
  readonly wait_seconds?: number | null
  /** The authority's clock. */
  readonly presented_at?: string | null
}

/** A record with the line that is about it. */
export interface Matched<S extends Types> {
  readonly entry: S['entry']
  readonly line: S['line']
}

export type Asked<S extends Types> =
  /** By `key`; what is not there the authority does not have. */
  | { readonly ok: true; readonly held: ReadonlyMap<string, S['held']> }
  | { readonly ok: false; readonly stopped: Blocked }

export interface Settling<S extends Types> {
  readonly outbox: Outbox<S>
  readonly submission: Pick<Sent<S>, 'id' | 'submitted_at'> & { readonly csv: string | null }
  readonly stamp: string
}

export interface Channel<S extends Types> {
  readonly name: string
  /** What may go now, the first to go first. */
  readonly waiting: (db: Rows, search: Search) => Promise<readonly Entry[]>
  /** Marks entries as on their way with a submission; returns the keys of those that have not changed since. */
  readonly markInFlight: (
    tx: Tx,
    entries: readonly S['entry'][],
    submissionId: string,
  ) => Promise<ReadonlySet<string>>
  /** They are no longer on their way, without an outcome: they wait as before. */
  readonly requeue: (tx: Tx, keys: readonly string[]) => Promise<void>
  readonly submit: (
    connection: Connection<S>,
    entries: readonly S['entry'][],
    xml: string,
  ) => Promise<Response<Answer<S>>>
  /** What the authority has of these, asked now. */
  readonly ask: (connection: Connection<S>, entries: readonly S['entry'][]) => Promise<Asked<S>>
  /** Writes outcomes in the transaction of the answer. A verdict may come twice, and changes nothing then. */
  readonly settle: (tx: Tx, settling: Settling<S>, verdicts: readonly S['verdict'][]) => Promise<void>
}

/** A record that was set apart, as it is now. */
export interface Apart<S extends Types> extends Refusal {
  readonly channel: Channel<S>
  readonly entry: S['entry']
}

/** What a system has that limits its messages by time: what it writes in the queue. */
export interface Pacing<S extends Types> {
  /** After a message went out. */
  readonly sent: (outbox: Outbox<S>) => QueueChanges
  /** After an answer; completed in its transaction. */
  readonly answered: (outbox: Outbox<S>, answer: Answer<S>) => (tx: Tx) => Promise<QueueChanges>
  /** After the authority was asked what became of a message; `isWhole`: it has all of it. */
  readonly settled: (
    tx: Tx,
    outbox: Outbox<S>,
    submission: Submission,
    isWhole: boolean,
  ) => Promise<QueueChanges>
}

export interface System<S extends Types> extends Faults {
  /** What the log says when records have to wait. */
  readonly waitMessage: string
  readonly queues: Queues
  readonly ledger: Ledger<S>
  readonly channels: readonly Channel<S>[]
  /** The most records of a message. */
  readonly mostRecords: number
  /** A message that was refused for one of its records goes on, narrower, as the same submission. */
  readonly narrowsSubmission: boolean
  readonly pacing?: Pacing<S>
  /** Where something waits, of all companies. */
  readonly places: (app: Sending<unknown>['app']) => Promise<readonly Place[]>
  /** The environment in which there may be something to do, or why there is nothing. */
  readonly locate: (
    look: Omit<Look<S>, 'environment'> & { readonly place: Place },
  ) => Promise<Environment | Step>
  readonly identify: (look: Look<S>) => Promise<Identity>
  /**
   * When the next message may go; null where none waits. `retry` is the end of the pause after a failure. Locks nothing.
   */
  readonly due: (look: Look<S>, queue: Queue, retry: number) => Promise<number | null>
  readonly next: (outbox: Outbox<S>, isolation: Isolation<S['aside']> | null) => Promise<NextMessage<S>>
  /** Names a record as lines of answers do. */
  readonly identityOf: (entry: S['entry']) => string
  /** What a line says of its record. `sentBefore` has keys of what went out with another message before. */
  readonly judge: (
    matched: Matched<S>,
    asked: Asked<S> | null,
    sentBefore: ReadonlySet<string>,
  ) => S['verdict']
  /** What the authority has says of the records of a message; without a verdict, a record goes again. */
  readonly judgeHeld: (
    entries: readonly S['entry'][],
    held: ReadonlyMap<string, S['held']>,
    sentBefore: ReadonlySet<string>,
  ) => readonly S['verdict'][]
  /** The verdict on a record that its whole message was refused for. */
  readonly reject: (db: Rows, entry: S['entry'], refusal: Refusal) => Promise<S['verdict']>
  /** Index of the first record that is malformed by our own reading; -1 where none is. */
  readonly malformed: (entries: readonly S['entry'][]) => number
  readonly setAside: (channel: Channel<S>, entry: S['entry'], refusal: Refusal) => S['aside']
  /** The record that was set apart; null where it does not wait any more. */
  readonly apartOf: (outbox: Outbox<S>, aside: S['aside']) => Promise<Apart<S> | null>
  /** When a record that was set apart counts as sent: with the message that went through, or when it is written down. */
  readonly apartSubmittedAt: (sent: Sent<S>, stamp: string) => string
  /** Counts the verdicts of an answer in the metrics. */
  readonly count?: (app: Sending<unknown>['app'], verdicts: readonly S['verdict'][]) => void
}
