/** Submissions as rows: written before anything goes out, and completed with the outcome. */
import { randomUUID } from 'node:crypto'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import type { Blocked } from './blocked.ts'
import type { Entry, Types } from './types.ts'

/** What sending looks at: not the messages, which are long. */
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

export interface Opening<S extends Types> {
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
  /** Why it did not go through, or is not known to have. */
  readonly blocked?: Blocked | null
}

/** The outcome of a submission that the authority was asked about. */
export interface Settlement<S extends Types> {
  readonly entries: readonly S['entry'][]
  readonly verdicts: readonly S['verdict'][]
  readonly held: ReadonlyMap<string, S['held']>
}

/** The submissions of a system. */
export interface Ledger<S extends Types> {
  /** Statuses of ours, beside those in which the authority answers. */
  readonly statuses: {
    /** On its way; after a crash it may have arrived or not. */
    readonly sending: string
    /** It may have been taken or not: the authority is asked. */
    readonly unknown: string
    /** Nothing of it was taken: it goes again. */
    readonly failed: string
    /** Refused for its only record. */
    readonly rejected: string
  }
  readonly find: (db: Rows, id: string) => Promise<Submission | undefined>
  /** Opens a submission, or once more the one that failed before. */
  readonly open: (tx: Tx, id: string, before: Submission | undefined, opening: Opening<S>) => Promise<void>
  readonly update: (tx: Tx, id: string, changes: SubmissionChanges) => Promise<void>
  /** Writes verdicts on the records of a submission. */
  readonly writeVerdicts: (tx: Tx, id: string, verdicts: readonly S['verdict'][]) => Promise<void>
  /** Closes a submission that the authority was asked about. */
  readonly settle: (tx: Tx, submission: Submission, settlement: Settlement<S>, stamp: string) => Promise<void>
  /** Records of a submission without a verdict, as they went out. */
  readonly openEntries: (db: Rows, id: string) => Promise<readonly S['entry'][]>
  /** Keys of those that went out with another message that the authority may have taken. */
  readonly sentBefore: (
    db: Rows,
    environment: Environment,
    id: string,
    entries: readonly S['entry'][],
  ) => Promise<ReadonlySet<string>>
}

/** The submission of a queue whose outcome is open, or which could not go out; undefined where there is none. */
export const lastSubmission = async <S extends Types>(
  ledger: Ledger<S>,
  db: Rows,
  { submission_id }: { readonly submission_id: string | null },
): Promise<Submission | undefined> => (submission_id === null ? undefined : ledger.find(db, submission_id))

/** Whether the outcome of a submission is open: the authority is asked before anything else goes. */
export const isOpen = <S extends Types>(
  { statuses }: Ledger<S>,
  submission: Submission | undefined,
): submission is Submission => submission !== undefined && submission.status !== statuses.failed

/** Whether no answer has said anything of a submission. */
export const isUnanswered = <S extends Types>(
  { statuses: { sending, unknown } }: Ledger<S>,
  { status }: Submission,
): boolean => status === sending || status === unknown

/** An outage is one row, however long it takes: the submission that failed is opened again. */
export const idFor = (before: Submission | undefined): string => before?.id ?? randomUUID()

export const keysOf = (entries: readonly Entry[]): string[] => entries.map(({ key }) => key)
