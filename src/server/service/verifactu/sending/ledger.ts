/** Submissions as rows: opened before anything goes out, closed with what became of it. */
import { randomUUID } from 'node:crypto'
import type { CompanyStore, Own, Rows, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { columnsOf, type Stopped } from '../../sending/stops.ts'

type Row = Own<'verifactu_submissions'>

/** What sending looks at: not the messages, which are long. */
const COLUMNS = [
  'submission_id',
  'estado_envio',
  'aeat_csv',
  'attempts',
  'first_sequence',
  'last_sequence',
  'submitted_at',
  'created_at',
] as const
export type Submission = Pick<Row, (typeof COLUMNS)[number]>

/** States of ours, beside those in which the authority answers. */
export const STATES = {
  /** On its way; after a crash it may have arrived or not. */
  sending: 'sending',
  /** Nothing of it was taken: it goes again. */
  failed: 'failed',
  /** It may have been taken or not: the authority is asked. */
  unknown: 'unknown',
  /** The authority was asked, and has it. */
  settled: 'settled',
  /** The authority was asked, and has nothing of it. */
  notReceived: 'not_received',
} as const

const findSubmission = (db: Rows, id: string): Promise<Submission | undefined> =>
  db.select('verifactu_submissions').select(COLUMNS).where('submission_id', '=', id).executeTakeFirst()

/** The submission whose outcome is open; undefined where there is none. */
export const openSubmission = async (
  db: Rows,
  { submission_id }: { readonly submission_id: string | null },
): Promise<Submission | undefined> => (submission_id === null ? undefined : findSubmission(db, submission_id))

interface Opening {
  readonly environment: Environment
  readonly records: readonly { readonly sequence: number }[]
  readonly xml: string | null
  readonly estado_envio: string
  readonly stamp: string
}

/** Opens a submission, or the one that could not go out once more: an outage is one row, however long it takes. */
export async function open(tx: Tx, before: Submission | undefined, opening: Opening): Promise<string> {
  const { environment, records, xml, estado_envio, stamp } = opening
  const range = {
    record_count: records.length,
    first_sequence: records[0]?.sequence ?? null,
    last_sequence: records.at(-1)?.sequence ?? null,
    xml,
    estado_envio,
  }
  if (before?.estado_envio === STATES.failed) {
    const attempts = (before.attempts ?? 0) + 1
    await update(tx, before.submission_id, { ...range, attempts })
    return before.submission_id
  }
  const submission_id = randomUUID()
  await tx.insert('verifactu_submissions', {
    submission_id,
    environment,
    submission_type: VOLUNTARY,
    ...range,
    attempts: 1,
    created_at: stamp,
  })
  return submission_id
}

export async function update(tx: Tx, id: string, changes: Partial<Row>): Promise<void> {
  await tx.update('verifactu_submissions', changes).where('submission_id', '=', id).execute()
}

/** Says why a submission did not go through. */
export const fail = (tx: Tx, id: string, stopped: Stopped, changes: Partial<Row> = {}): Promise<void> =>
  update(tx, id, { ...columnsOf(stopped), ...changes })

/** Answers to requests are a matter of their own: they change nothing of what was sent by itself. */
const VOLUNTARY = 'remision_voluntaria'

/** Whether a record went out before, in another submission than this. */
export async function wereSentBefore(
  store: CompanyStore,
  environment: Environment,
  except: string,
  sequences: readonly number[],
): Promise<(record: { readonly sequence: number }) => boolean> {
  const [least, most] = [Math.min(...sequences), Math.max(...sequences)]
  const rows = await store
    .select('verifactu_submissions')
    .select(['first_sequence', 'last_sequence'])
    .where('environment', '=', environment)
    .where('submission_id', '!=', except)
    .where('submission_type', '=', VOLUNTARY)
    .where('submitted_at', 'is not', null)
    .where('last_sequence', '>=', least)
    .where('first_sequence', '<=', most)
    .execute()
  return ({ sequence }) =>
    rows.some(
      ({ first_sequence: first, last_sequence: last }) =>
        first !== null && last !== null && first <= sequence && sequence <= last,
    )
}
