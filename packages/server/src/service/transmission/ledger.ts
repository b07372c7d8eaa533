/** Submissions as rows. A row is written before its message is sent, and completed with the outcome. */
import { randomUUID } from 'node:crypto'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Blocked } from './blocked.ts'
import type { Entry, SystemTypes } from './transmission-types.ts'

/** A submission without its XML messages, which are long. */
export interface Submission {
  readonly id: string
  /** Name of its channel. */
  readonly channel: string | null
  readonly status: string
  readonly csv: string | null
  readonly attempts: number | null
  readonly submitted_at: string | null
  readonly created_at: string
}

export interface NewSubmission<S extends SystemTypes> {
  readonly environment: Environment
  readonly channel: string
  readonly entries: readonly S['entry'][]
  readonly xml: string | null
  readonly status: string
  readonly stamp: string
}

export interface SubmissionChanges {
  readonly status?: string
  readonly csv?: string | null
  readonly xml?: null
  readonly xml_response?: string
  readonly submitted_at?: string
  /** Why the submission failed, or why its outcome is unknown. */
  readonly blocked?: Blocked | null
}

/** The outcome of a submission as found by querying the authority. */
export interface Settlement<S extends SystemTypes> {
  readonly entries: readonly S['entry'][]
  readonly results: readonly S['result'][]
  readonly authorityRecords: ReadonlyMap<string, S['authorityRecord']>
}

/** The submissions of a system. */
export interface Ledger<S extends SystemTypes> {
  /** This server's own statuses, in addition to those of the authority. */
  readonly statuses: {
    /** The message is in flight. After a crash, it may have arrived. */
    readonly sending: string
    /** The authority may have accepted the message, so it must be queried. */
    readonly unknown: string
    /** No record was accepted, so the message is sent again. */
    readonly failed: string
    /** The only record of the message was rejected. */
    readonly rejected: string
  }
  readonly find: (db: Rows, id: string) => Promise<Submission | undefined>
  /** Opens a submission, or reopens the failed submission `before`. */
  readonly open: (
    tx: Tx,
    id: string,
    before: Submission | undefined,
    opening: NewSubmission<S>,
  ) => Promise<void>
  readonly update: (tx: Tx, id: string, changes: SubmissionChanges) => Promise<void>
  /** Stores the results of the records of a submission. */
  readonly writeResults: (tx: Tx, id: string, results: readonly S['result'][]) => Promise<void>
  /** Closes a submission whose outcome was queried. */
  readonly settle: (tx: Tx, submission: Submission, settlement: Settlement<S>, stamp: string) => Promise<void>
  /** Returns the records of a submission without a result, as they were sent. */
  readonly openEntries: (db: Rows, id: string) => Promise<readonly S['entry'][]>
  /** Returns the keys of entries that were in another message, if the authority may have accepted that message. */
  readonly sentBefore: (
    db: Rows,
    environment: Environment,
    id: string,
    entries: readonly S['entry'][],
  ) => Promise<ReadonlySet<string>>
}

/** Returns the last submission of a queue if its outcome is open or it could not be sent; otherwise undefined. */
export const lastSubmission = async <S extends SystemTypes>(
  ledger: Ledger<S>,
  db: Rows,
  { submission_id }: { readonly submission_id: string | null },
): Promise<Submission | undefined> => (submission_id === null ? undefined : ledger.find(db, submission_id))

/** Whether the outcome of a submission is open. It must be queried before anything else is sent. */
export const isOpen = <S extends SystemTypes>(
  { statuses }: Ledger<S>,
  submission: Submission | undefined,
): submission is Submission => submission !== undefined && submission.status !== statuses.failed

/** Whether no response to a submission has been stored. */
export const isAwaitingResponse = <S extends SystemTypes>(
  { statuses: { sending, unknown } }: Ledger<S>,
  { status }: Submission,
): boolean => status === sending || status === unknown

/** Returns the id for a submission. A failed submission is reopened, so that an outage results in a single row. */
export const idFor = (before: Submission | undefined): string => before?.id ?? randomUUID()

export const keysOf = (entries: readonly Entry[]): string[] => entries.map(({ key }) => key)
