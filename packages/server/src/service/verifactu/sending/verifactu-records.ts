/** Records that are pending, and how their results are stored. */
import { sql } from 'kysely'
import { inBatches } from '../../../store/batches.ts'
import type { CompanyRow, Rows, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'

export const COLUMNS = [
  'environment',
  'sequence',
  'invoice_id',
  'num_serie',
  'fecha_expedicion',
  'tipo',
  'huella',
  'created_at',
  'xml_sent',
] as const

export interface PendingRecord
  extends Readonly<Pick<CompanyRow<'verifactu_records'>, (typeof COLUMNS)[number]>> {
  /** Sequence in the chain. */
  readonly key: string
}

/** Returns the identity that the authority uses for an invoice: number and date. */
export const invoiceIdentityOf = ({
  num_serie,
  fecha_expedicion,
}: Pick<PendingRecord, 'num_serie' | 'fecha_expedicion'>): string =>
  `${num_serie.trim()} ${fecha_expedicion.trim()}`

export const withKey = (row: Omit<PendingRecord, 'key'>): PendingRecord => ({
  ...row,
  key: String(row.sequence),
})

/** A literal, because with a parameter SQLite would not use the partial index. */
const PENDING_STATUS = sql.lit('pending')

const pendingOf = (db: Rows, environment: Environment) =>
  db.find('verifactu_records', { environment }).where('estado', '=', PENDING_STATUS)

/** Returns the sequences of the first pending records. */
export const waitingSequences = (db: Rows, environment: Environment, most: number) =>
  pendingOf(db, environment).select('sequence').orderBy('sequence').limit(most).execute()

/** Counts pending records up to a limit. */
export const countWaiting = async (db: Rows, environment: Environment, most: number): Promise<number> =>
  (await waitingSequences(db, environment, most)).length

interface Range {
  readonly from?: number
  readonly to?: number
  /** Sequence of a record to skip, which the search for a malformed record set aside. */
  readonly except?: number | null
  readonly most?: number
}

/** Returns the first pending records in the order of the chain, with their XML. */
export async function firstPendingRecords(
  db: Rows,
  environment: Environment,
  { from = 0, to, except = null, most }: Range,
): Promise<readonly PendingRecord[]> {
  let query = pendingOf(db, environment).where('sequence', '>=', from)
  if (to !== undefined) query = query.where('sequence', '<=', to)
  if (except !== null) query = query.where('sequence', '!=', except)
  if (most !== undefined) query = query.limit(most)
  const rows = await query.select(COLUMNS).orderBy('sequence').execute()
  return rows.map(withKey)
}

/** Stores the outcome of records. Records that are no longer pending keep their status. */
export async function settleRecords(
  tx: Tx,
  environment: Environment,
  sequences: readonly number[],
  outcome: Partial<CompanyRow<'verifactu_records'>>,
): Promise<void> {
  for (const some of inBatches(sequences, 500))
    await tx
      .update('verifactu_records', outcome)
      .where('environment', '=', environment)
      .where('sequence', 'in', some)
      .where('estado', '=', PENDING_STATUS)
      .execute()
}

type Line = Omit<CompanyRow<'verifactu_submission_lines'>, 'submission_id' | 'line'>

/** Adds response lines to a submission, after its existing lines. */
export async function addLines(tx: Tx, submission_id: string, lines: readonly Line[]): Promise<void> {
  const { last } = await tx
    .find('verifactu_submission_lines', { submission_id })
    .select(({ fn }) => fn.max('line').as('last'))
    .executeTakeFirstOrThrow()
  const first = Number(last ?? 0) + 1
  const rows = lines.map((line, index) => ({ submission_id, line: first + index, ...line }))
  for (const some of inBatches(rows, 200)) await tx.insert('verifactu_submission_lines', some)
}
