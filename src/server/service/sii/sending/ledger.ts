/** Submissions as rows: written before anything goes out, and completed with what became of it. */
import { randomUUID } from 'node:crypto'
import { readSii, type SiiOperation, type SiiRecord } from '../../../../sii/index.ts'
import type { Own, Rows, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { columnsOf, type Stopped } from '../../sending/stops.ts'
import { internalIdOf } from '../pending.ts'
import type { Entry, Kind, Verdict } from './kind.ts'

type Row = Own<'sii_submissions'>
type ItemRow = Own<'sii_submission_items'>

/** What sending looks at: not the messages, which are long. */
const COLUMNS = [
  'public_id',
  'internal_id',
  'kind',
  'operation_type',
  'global_status',
  'submitted_at',
  'created_at',
  'csv',
  'attempts',
] as const
export type Submission = Pick<Row, (typeof COLUMNS)[number]>

/** `sent` is also what is on its way, or may be; of an `error` the agency has taken nothing. */
export const SENT = 'sent'
export const ERROR = 'error'

const failureOf = (stopped: Stopped) => {
  const { error_code, error_message } = columnsOf(stopped)
  return { error_code, error_description: error_message }
}

/** The submission whose outcome is open, or which could not go out; undefined where there is none. */
export const openSubmission = async (
  db: Rows,
  { submission_id }: { readonly submission_id: string | null },
): Promise<Submission | undefined> =>
  submission_id === null
    ? undefined
    : db.select('sii_submissions').select(COLUMNS).where('public_id', '=', submission_id).executeTakeFirst()

export interface Opening {
  readonly environment: Environment
  readonly kind: Kind
  readonly operation: SiiOperation
  readonly entries: readonly Entry[]
  readonly xml: string | null
  readonly global_status: typeof SENT | typeof ERROR
  readonly stamp: string
}

const ITEMS_AT_ONCE = 200

async function writeItems(
  tx: Tx,
  public_id: string,
  entries: readonly Entry[],
  item_status: string,
): Promise<void> {
  await tx.delete('sii_submission_items').where('public_id', '=', public_id).execute()
  const rows = entries.map(({ key, version, invoice_id, invoice_number }, line) => ({
    public_id,
    line,
    invoice_id,
    invoice_number,
    item_status,
    error_code: null,
    error_description: null,
    aeat_record_state: null,
    record_key: key,
    version,
  }))
  for (let start = 0; start < rows.length; start += ITEMS_AT_ONCE)
    await tx.insert('sii_submission_items', rows.slice(start, start + ITEMS_AT_ONCE))
}

/**
 * Opens a submission, or the one that could not go out once more: an outage is one row, however long it takes. Answers
 * its number.
 */
export async function open(
  tx: Tx,
  id: string,
  before: Submission | undefined,
  { environment, kind, operation, entries, xml, global_status, stamp }: Opening,
): Promise<number> {
  const internal_id = internalIdOf(id)
  const message = {
    environment,
    kind: kind.name,
    book_type: kind.book,
    operation_type: operation as Row['operation_type'],
    global_status,
    record_count: entries.length,
    xml,
  }
  if (before) await update(tx, before.public_id, { ...message, attempts: (before.attempts ?? 0) + 1 })
  else
    await tx.insert('sii_submissions', {
      public_id: id,
      internal_id,
      ...message,
      attempts: 1,
      created_at: stamp,
    })
  await writeItems(tx, id, entries, global_status)
  return internal_id
}

/** The id of a submission that is opened: that of the one that could not go out, or a new one. */
export const idFor = (before: Submission | undefined): string => before?.public_id ?? randomUUID()

export async function update(tx: Tx, id: string, changes: Partial<Row>): Promise<void> {
  await tx.update('sii_submissions', changes).where('public_id', '=', id).execute()
}

/** Says why a submission did not go through, or is not known to have. */
export async function fail(tx: Tx, id: string, stopped: Stopped, changes: Partial<Row> = {}): Promise<void> {
  await update(tx, id, { ...failureOf(stopped), ...changes })
  if (changes.global_status === ERROR) await giveUp(tx, id)
}

/** What has no verdict by now was not taken: it goes with another submission. */
export async function giveUp(tx: Tx, id: string): Promise<void> {
  await tx
    .update('sii_submission_items', { item_status: ERROR })
    .where('public_id', '=', id)
    .where('item_status', '=', SENT)
    .execute()
}

const STATUSES: Readonly<Record<Verdict['became'], string>> = {
  accepted: 'accepted',
  accepted_with_errors: 'accepted_with_errors',
  deleted: 'deleted',
  // The answer refused the record; what is made of that goes with another message.
  differs: 'rejected',
  absent: 'rejected',
  rejected: 'rejected',
  again: 'rejected',
}

/** Writes what became of the items of a submission. */
export async function writeVerdicts(tx: Tx, id: string, verdicts: readonly Verdict[]): Promise<void> {
  const groups = new Map<string, { readonly changes: Partial<ItemRow>; readonly keys: string[] }>()
  for (const { entry, became, literal, code, description } of verdicts) {
    const changes = {
      item_status: STATUSES[became],
      aeat_record_state: literal,
      error_code: code,
      error_description: description,
    }
    const name = JSON.stringify(changes)
    const group = groups.get(name) ?? { changes, keys: [] as string[] }
    group.keys.push(entry.key)
    groups.set(name, group)
  }
  for (const { changes, keys } of groups.values())
    for (let start = 0; start < keys.length; start += ITEMS_AT_ONCE)
      await tx
        .update('sii_submission_items', changes)
        .where('public_id', '=', id)
        .where('record_key', 'in', keys.slice(start, start + ITEMS_AT_ONCE))
        .execute()
}

/**
 * Which of these records went out with an earlier message that the agency may have taken: what it has of them under
 * other data may be ours.
 */
export async function sentBefore(
  db: Rows,
  id: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const sent = new Set<string>()
  for (let start = 0; start < keys.length; start += ITEMS_AT_ONCE) {
    const rows = await db
      .select('sii_submission_items', { sii_submissions: 'public_id' })
      .select('sii_submission_items.record_key')
      .where('sii_submission_items.record_key', 'in', keys.slice(start, start + ITEMS_AT_ONCE))
      .where('sii_submission_items.public_id', '!=', id)
      .where('sii_submissions.xml', 'is not', null)
      .where(({ or, eb }) =>
        or([
          eb('sii_submissions.global_status', '!=', ERROR),
          eb('sii_submissions.error_code', 'in', ['not_received', 'settled_with_csv']),
        ]),
      )
      .execute()
    for (const { record_key } of rows) if (record_key !== null) sent.add(record_key)
  }
  return sent
}

/** The records of a message, in their order. */
function recordsIn(xml: string): readonly SiiRecord[] {
  const read = readSii(xml)
  if (!read.ok) throw new Error(`a stored message cannot be read: ${read.items[0]?.message}`)
  const { Cabecera: _, ...rest } = read.value as Readonly<Record<string, unknown>>
  return Object.values(rest).flat() as SiiRecord[]
}

/** What of a submission has no verdict yet, with the records as they went out. */
export async function openEntries(db: Rows, id: string): Promise<readonly Entry[]> {
  const { xml, operation_type } = await db
    .select('sii_submissions')
    .select(['xml', 'operation_type'])
    .where('public_id', '=', id)
    .executeTakeFirstOrThrow()
  if (xml === null) return []
  const records = recordsIn(xml)
  const rows = await db
    .select('sii_submission_items')
    .select(['line', 'record_key', 'version', 'invoice_id', 'invoice_number'])
    .where('public_id', '=', id)
    .where('item_status', '=', SENT)
    .orderBy('line')
    .execute()
  return rows.flatMap(({ line, record_key, version, invoice_id, invoice_number }): Entry[] => {
    const record = records[line]
    if (!record || record_key === null) return []
    const entry = { key: record_key, version: version ?? 0, invoice_id, invoice_number }
    return [{ ...entry, operation: operation_type, record }]
  })
}
