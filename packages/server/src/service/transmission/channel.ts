/**
 * Interfaces between the transmission engine and the systems to which it sends. All systems share the engine (queue,
 * step, ledger, response, fault, settlement). A `System` has one queue per company and environment, and one or more
 * channels. A `Channel` handles one kind of record: it finds pending records, sends messages, queries the authority and
 * stores the results.
 */
import type { Text } from '#core/invoice/index.ts'
import type { App } from '../../app/app.ts'
import type { CompanyStore, Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { CompanyRecord } from '../company/company.ts'
import type { Blocked } from './blocked.ts'
import type { SendingCertificate } from './company-certificate.ts'
import type { Isolation } from './isolation.ts'
import type { Ledger, Submission } from './ledger.ts'
import type { Lease, Queue, QueueChanges, Queues } from './queue.ts'
import type { Faults, Response } from './transmission-response.ts'
import type { Entry, Refusal, SystemTypes } from './transmission-types.ts'

/** The services of the process that sending needs. */
export interface Sending<Wire> {
  readonly app: Pick<App, 'config' | 'store' | 'clock' | 'log' | 'metrics'>
  readonly wire: Wire
  /** Identifies this process in the queues that it holds. */
  readonly owner: string
  /** Aborts calls in progress. */
  readonly signal?: AbortSignal
}

/** The result of one step of a queue. */
export type Step =
  /** Nothing is pending. */
  | { readonly is: 'idle' }
  /** Another process holds the queue. */
  | { readonly is: 'busy' }
  /** Records are pending, and may be sent from this later time on (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number; readonly blocked?: Blocked }
  /** Number of records that now have a result, and their submission if there was one. More records may be pending. */
  | { readonly is: 'done'; readonly records: number; readonly submission: string | null }

/** Identifies a queue. Without an environment, the system determines it. */
export interface QueueRef {
  readonly companyId: string
  readonly environment?: Environment
}

export interface StepOptions {
  /** Whether the administrator requested the step, which then sends even if automatic submission is off. */
  readonly isManual?: boolean
  /** Skips the pause after a failure. */
  readonly isUrgent?: boolean
  /** Sends only this invoice. */
  readonly invoiceId?: string | undefined
}

/** The queue that a step works on. */
export interface QueueContext<S extends SystemTypes> extends StepOptions {
  readonly system: System<S>
  readonly sending: Sending<S['wire']>
  readonly store: CompanyStore
  readonly company: CompanyRecord
  readonly environment: Environment
}

/** A queue while this process holds its lease. */
export interface Outbox<S extends SystemTypes> extends QueueContext<S> {
  readonly lease: Lease
  readonly queue: Queue
}

/** A held queue with the certificate that identifies the company to the authority. */
export interface Connection<S extends SystemTypes> extends Outbox<S> {
  readonly certificateId: number
}

/** Search criteria for pending records of a channel. */
export interface PendingSearch {
  readonly environment: Environment
  /** Milliseconds since 1970. Records that are deferred until later are excluded. */
  readonly now: number
  readonly most: number
  /** If set, only records of this invoice are found. */
  readonly invoiceId?: string | undefined
}

/** Records of one message. */
export interface Batch<S extends SystemTypes> {
  readonly channel: Channel<S>
  readonly entries: readonly S['entry'][]
}

export type NextMessage<S extends SystemTypes> =
  | ({ readonly is: 'message'; readonly xml: () => Promise<string> } & Batch<S>)
  | { readonly is: 'none' }
  /** Some records were deferred or dropped, so the records must be selected again. */
  | { readonly is: 'changed' }
  /** The header that all messages share cannot be written. */
  | ({ readonly is: 'impossible'; readonly reason: Text } & Batch<S>)

/** A message that was sent. */
export interface SentBatch<S extends SystemTypes> extends Batch<S> {
  readonly id: string
  readonly isolation: Isolation<S['aside']> | null
  readonly submitted_at: string
}

export interface SubmissionResponse<S extends SystemTypes> {
  /** Status of the message, in the form that the ledger stores. */
  readonly status: string
  readonly csv: string | null
  readonly lines: readonly S['line'][]
  readonly text: string
  /** Seconds to wait before the next message, if the authority states them. */
  readonly wait_seconds?: number | null
  /** Timestamp by the authority's clock. */
  readonly presented_at?: string | null
}

/** A record with its response line. */
export interface MatchedEntry<S extends SystemTypes> {
  readonly entry: S['entry']
  readonly line: S['line']
}

export type QueryResult<S extends SystemTypes> =
  /** Records at the authority by `key`. The authority does not have the records that are missing here. */
  | { readonly ok: true; readonly authorityRecords: ReadonlyMap<string, S['authorityRecord']> }
  | { readonly ok: false; readonly blocked: Blocked }

export interface SettlingContext<S extends SystemTypes> {
  readonly outbox: Outbox<S>
  readonly submission: Pick<SentBatch<S>, 'id' | 'submitted_at'> & { readonly csv: string | null }
  readonly stamp: string
}

export interface Channel<S extends SystemTypes> {
  readonly name: string
  /** Returns the records that may be sent now, in the order of sending. */
  readonly waiting: (db: Rows, search: PendingSearch) => Promise<readonly Entry[]>
  /**
   * Marks entries as in flight with a submission. Returns the keys of those that have not changed since they were read.
   */
  readonly markInFlight: (
    tx: Tx,
    entries: readonly S['entry'][],
    submissionId: string,
  ) => Promise<ReadonlySet<string>>
  /** Makes entries pending again that were in flight and received no result. */
  readonly requeue: (tx: Tx, keys: readonly string[]) => Promise<void>
  readonly submit: (
    connection: Connection<S>,
    entries: readonly S['entry'][],
    xml: string,
  ) => Promise<Response<SubmissionResponse<S>>>
  /** Queries the authority's records of these entries. */
  readonly queryAuthority: (
    connection: Connection<S>,
    entries: readonly S['entry'][],
  ) => Promise<QueryResult<S>>
  /** Stores results in the transaction of the response. Storing the same result twice changes nothing. */
  readonly settle: (tx: Tx, settling: SettlingContext<S>, results: readonly S['result'][]) => Promise<void>
}

/** A record that the search for a malformed record has set aside (`isolation.ts`), in its current state. */
export interface AsideRecord<S extends SystemTypes> extends Refusal {
  readonly channel: Channel<S>
  readonly entry: S['entry']
}

/** Changes of the queue row that set when the system may send the next message. */
export interface Pacing<S extends SystemTypes> {
  /** Called after a message was sent. */
  readonly afterSending: (outbox: Outbox<S>) => QueueChanges
  /** Called after a response. The returned function runs in the transaction that stores the response. */
  readonly afterResponse: (
    outbox: Outbox<S>,
    response: SubmissionResponse<S>,
  ) => (tx: Tx) => Promise<QueueChanges>
  /** Called after the outcome of a message was queried. `isWhole` means that the authority has all its records. */
  readonly afterSettling: (
    tx: Tx,
    outbox: Outbox<S>,
    submission: Submission,
    isWhole: boolean,
  ) => Promise<QueueChanges>
}

export interface System<S extends SystemTypes> extends Faults {
  /** Log message for a blocked queue. */
  readonly waitMessage: string
  readonly queues: Queues
  readonly ledger: Ledger<S>
  readonly channels: readonly Channel<S>[]
  /** Maximum number of records in a message. */
  readonly maxRecords: number
  /** Whether a message that is sent again with fewer records continues the same submission. */
  readonly narrowsSubmission: boolean
  readonly pacing?: Pacing<S>
  /** Lists the queues, of all companies, that have something pending. */
  readonly pendingQueues: (app: Sending<unknown>['app']) => Promise<readonly QueueRef[]>
  /** Returns the environment that may have something to send or settle. Without one, returns the result of the step. */
  readonly locate: (
    context: Omit<QueueContext<S>, 'environment'> & { readonly queueRef: QueueRef },
  ) => Promise<Environment | Step>
  readonly identify: (context: QueueContext<S>) => Promise<SendingCertificate>
  /**
   * Returns when the next message may be sent; null if none is pending. `retry` is the end of the pause after a
   * failure. Takes no locks.
   */
  readonly due: (context: QueueContext<S>, queue: Queue, retry: number) => Promise<number | null>
  readonly next: (outbox: Outbox<S>, isolation: Isolation<S['aside']> | null) => Promise<NextMessage<S>>
  /** Returns the identity with which response lines refer to a record. */
  readonly identityOf: (entry: S['entry']) => string
  /** Interprets the response line of a record. `sentBefore` has the keys of records that earlier messages contained. */
  readonly interpret: (
    matched: MatchedEntry<S>,
    asked: QueryResult<S> | null,
    sentBefore: ReadonlySet<string>,
  ) => S['result']
  /** Interprets the authority's records of a message. A record without a result is sent again. */
  readonly interpretAuthorityRecords: (
    entries: readonly S['entry'][],
    authorityRecords: ReadonlyMap<string, S['authorityRecord']>,
    sentBefore: ReadonlySet<string>,
  ) => readonly S['result'][]
  /** Returns the result of a record because of which the authority rejected a whole message. */
  readonly reject: (db: Rows, entry: S['entry'], refusal: Refusal) => Promise<S['result']>
  /** Returns the index of the first record that this server's parser finds malformed; -1 if there is none. */
  readonly malformed: (entries: readonly S['entry'][]) => number
  readonly setAside: (channel: Channel<S>, entry: S['entry'], refusal: Refusal) => S['aside']
  /** Finds the record that the search for a malformed record set aside; null if it is no longer pending. */
  readonly findAside: (outbox: Outbox<S>, aside: S['aside']) => Promise<AsideRecord<S> | null>
  /**
   * Returns the submission time of a rejected record that was set aside: that of the message that was accepted, or now.
   */
  readonly asideSubmittedAt: (sent: SentBatch<S>, stamp: string) => string
  /** Counts the results of a response in the metrics. */
  readonly count?: (app: Sending<unknown>['app'], results: readonly S['result'][]) => void
}
