/** Records that wait for the authority, and what is written of them when it has spoken. */
import { sql } from 'kysely'
import type { StoredState } from '../../../../verifactu/index.ts'
import type { Own, Rows, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'

const COLUMNS = [
  'sequence',
  'invoice_id',
  'num_serie',
  'fecha_expedicion',
  'tipo',
  'huella',
  'created_at',
] as const

export type Waiting = Pick<Own<'verifactu_records'>, (typeof COLUMNS)[number]>

/** Written out: a parameter would keep SQLite from the index that holds nothing but these. */
const PENDING = sql.lit('pending')

const pendingOf = (db: Rows, environment: Environment) =>
  db.select('verifactu_records').where('environment', '=', environment).where('estado', '=', PENDING)

/** How many records wait, counted up to a limit. */
export async function countWaiting(db: Rows, environment: Environment, most: number): Promise<number> {
  const rows = await pendingOf(db, environment).select('sequence').orderBy('sequence').limit(most).execute()
  return rows.length
}

export interface Range {
  readonly from?: number
  readonly to?: number
  /** A record that is set apart. */
  readonly except?: number | null
}

const ranged = (db: Rows, environment: Environment, { from = 0, to, except = null }: Range) => {
  let query = pendingOf(db, environment).where('sequence', '>=', from)
  if (to !== undefined) query = query.where('sequence', '<=', to)
  if (except !== null) query = query.where('sequence', '!=', except)
  return query.orderBy('sequence')
}

/** The first records that wait, in the order of the chain, with their XML. */
export const waitingWithXml = (db: Rows, environment: Environment, range: Range, most: number) =>
  ranged(db, environment, range)
    .select([...COLUMNS, 'xml_sent'])
    .limit(most)
    .execute()

export const waitingIn = (db: Rows, environment: Environment, range: Range): Promise<Waiting[]> =>
  ranged(db, environment, range).select(COLUMNS).execute()

/** What became of a record. */
export interface Verdict {
  readonly estado: 'accepted' | 'accepted_with_errors' | 'rejected'
  readonly submitted_at: string
  readonly submission_id: string
  readonly aeat_csv: string | null
}

/** So many places of the chain in one statement. */
const AT_ONCE = 500

/** Writes what became of records. Those that do not wait any more are left as they are: a verdict is given once. */
export async function settleRecords(
  tx: Tx,
  environment: Environment,
  sequences: readonly number[],
  verdict: Verdict,
  stamp: string,
): Promise<void> {
  for (let start = 0; start < sequences.length; start += AT_ONCE)
    await tx
      .update('verifactu_records', { ...verdict, updated_at: stamp })
      .where('environment', '=', environment)
      .where('sequence', 'in', sequences.slice(start, start + AT_ONCE))
      .where('estado', '=', PENDING)
      .execute()
}

type Line = Omit<Own<'verifactu_submission_lines'>, 'submission_id' | 'line'>

const LINES_AT_ONCE = 200

/** Writes the lines of a submission, after those that it has. */
export async function addLines(tx: Tx, submission_id: string, lines: readonly Line[]): Promise<void> {
  const { last } = await tx
    .select('verifactu_submission_lines')
    .select(({ fn }) => fn.max('line').as('last'))
    .where('submission_id', '=', submission_id)
    .executeTakeFirstOrThrow()
  const first = Number(last ?? 0) + 1
  const rows = lines.map((line, index) => ({ submission_id, line: first + index, ...line }))
  for (let start = 0; start < rows.length; start += LINES_AT_ONCE)
    await tx.insert('verifactu_submission_lines', rows.slice(start, start + LINES_AT_ONCE))
}

/** The state of a record by what the authority says of it; null for a word that nobody knows. */
export function estadoOf(state: StoredState): Verdict['estado'] | null {
  if (state === 'accepted' || state === 'accepted_with_errors' || state === 'rejected') return state
  return null
}

/** The last place of the chain: all that was made until now has waited with what was held up. */
export async function endOfChain(tx: Tx, environment: Environment): Promise<number> {
  const row = await tx
    .select('verifactu_chains')
    .select('sequence')
    .where('environment', '=', environment)
    .where('chain', '=', 'records')
    .executeTakeFirst()
  return Number(row?.sequence ?? 0)
}
