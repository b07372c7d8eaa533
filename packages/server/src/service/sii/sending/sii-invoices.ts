/**
 * Channels of issued and received invoices. They register records, modify them, and delete those with a wrong identity.
 */
import { sql } from 'kysely'
import type { Text, ValidationItem } from '#core/invoice/index.ts'
import { deadlineOf, type SiiRecord } from '#records/sii/index.ts'
import { CANONICAL_COLUMNS, lockInvoice, unchangedCanonical, unlessDamaged } from '../../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../../store/store.ts'
import { fromJson, toJson } from '../../../store/stored-json.ts'
import type { Book } from '../../../store/tables.ts'
import type { PendingSearch, SettlingContext } from '../../transmission/channel.ts'
import { keysOf } from '../../transmission/ledger.ts'
import { reportAgain } from '../cash-basis/movements.ts'
import { AEAT } from '../pending-records.ts'
import { queryInvoices } from './query-invoices.ts'
import {
  DOCUMENT_DAMAGED,
  deferredColumns,
  groupKeysByChanges,
  isDue,
  resultColumnsOf,
  rowOperationsOf,
  splitIntoBatches,
} from './row-operations.ts'
import type {
  BuildResult,
  DueEntry,
  Entry,
  EntryResult,
  NotSentReason,
  Sii,
  SiiChannel,
} from './sii-queue-types.ts'
import { type Deletion, deletionOf, identityIn, recordFor } from './sii-record.ts'
import { submitterTo } from './sii-response.ts'

type RecordRow = CompanyRow<'sii_records'>

/** A literal, because with a parameter the databases would not use the partial index. */
const PENDING_STATUS = sql.lit('pending')
const OPEN = sql<boolean>`sii_records.status = 'pending'`
/** Maximum number of consecutive changes of operation that responses may cause before the record counts as rejected. */
const MAX_TURNS = 3

async function waiting(
  db: Rows,
  book: Book,
  { now, most, invoiceId }: PendingSearch,
): Promise<readonly DueEntry[]> {
  let query = db
    .select('sii_records', { invoices: 'invoice_id' })
    .select(['sii_records.invoice_id', 'sii_records.deadline', 'sii_records.version'])
    .where('sii_records.book_type', '=', book)
    .where('sii_records.status', '=', PENDING_STATUS)
    .where(isDue('sii_records', now))
  if (invoiceId !== undefined) query = query.where('sii_records.invoice_id', '=', invoiceId)
  const rows = await query
    .orderBy('sii_records.deadline')
    // An invoice is sent before the invoices that correct or replace it.
    .orderBy('invoices.issue_date')
    .orderBy('sii_records.created_at')
    .orderBy('sii_records.invoice_id')
    .limit(most)
    .execute()
  return rows.map(({ invoice_id, deadline, version }) => ({ key: invoice_id, invoice_id, deadline, version }))
}

/** Returns rows with their invoices and documents. */
const foundOf = (db: Rows, book: Book, keys: readonly string[]) =>
  db
    .select('sii_records', { invoices: 'invoice_id', invoice_documents: 'invoice_id' })
    .select([
      'sii_records.invoice_id',
      'sii_records.tax_authority',
      'sii_records.operation_type',
      'sii_records.registered',
      'sii_records.accepted_at',
      'invoices.status',
      'invoices.imported',
      ...CANONICAL_COLUMNS,
    ])
    .where('sii_records.book_type', '=', book)
    .where('sii_records.invoice_id', 'in', keys)
    .execute()

type Found = Awaited<ReturnType<typeof foundOf>>[number]

const asDeletion = (record: Deletion): BuildResult => ({ is: 'built', operation: 'BAJA', record })

/** Whether an invoice is part of a book: issued invoices, even cancelled ones, and received ones without errors. */
const isInBook = (status: string | null): boolean =>
  status !== null && status !== 'draft' && status !== 'queued'

/** Joins the messages of problems in both languages. */
export function reasonOf(english: readonly ValidationItem[], spanish: readonly ValidationItem[]): Text {
  const textOf = (items: readonly ValidationItem[]): string =>
    items
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message)
      .join(' ')
  return { en: textOf(english), es: textOf(spanish) }
}

/** Returns why no record can be built, with the code of the first problem. */
export function noRecordReason(
  english: readonly ValidationItem[],
  spanish: readonly ValidationItem[],
): NotSentReason {
  const code = english.find(({ severity }) => severity === 'error')?.code ?? 'sii.record'
  return { code, blocked: { reason: 'no_record', values: { reason: reasonOf(english, spanish) } } }
}

/** Returns the result that defers a record because of the status of its invoice. */
const notSent = (reason: 'other_authority' | 'pending_review'): BuildResult => ({
  is: 'refused',
  code: reason,
  blocked: { reason },
})

/**
 * Builds the record that is due. The record at the tax authority determines the operation. If there is none, the
 * invoice is registered. If that record has the same identity, it is modified. If its number, date or issuer differs,
 * that record is deleted, and the invoice is then registered again.
 */
async function buildRecord(db: Rows, row: Found | undefined): Promise<BuildResult> {
  if (!row) return { is: 'nothing' }
  const { status, invoice_id } = row
  const registered = fromJson(row.registered)
  if (row.tax_authority !== AEAT) return notSent('other_authority')
  const data = unchangedCanonical(row)
  if (data === null || status === null)
    // The invoice was deleted here while its registration was in flight, so it must be deleted at the tax authority.
    return registered === null ? { is: 'nothing' } : asDeletion(registered)
  if (!isInBook(status))
    return registered === null && row.accepted_at === null ? { is: 'nothing' } : notSent('pending_review')
  const result = await recordFor(db, invoice_id, data, status)
  if (!result.ok) {
    const again = await recordFor(db, invoice_id, data, status, 'es')
    return { is: 'refused', ...noRecordReason(result.items, again.items) }
  }
  return operationOf(row, registered, result.record)
}

/** Returns the record with its operation. If the record at the authority has another identity, returns its deletion. */
function operationOf(row: Found, registered: Deletion | null, record: SiiRecord): BuildResult {
  if (registered !== null)
    return identityIn(registered) === identityIn(record)
      ? { is: 'built', operation: 'A1', record }
      : asDeletion(registered)
  // An imported invoice may have been registered by another system.
  const mayBeThere = row.accepted_at !== null || row.imported === 1
  const operation = row.operation_type === 'A1' && mayBeThere ? 'A1' : 'A0'
  return { is: 'built', operation, record }
}

/** Returns the rows with these keys, locked until the end of the transaction. */
async function locked(tx: Tx, book: Book, keys: readonly string[]): Promise<Map<string, RecordRow>> {
  const rows = new Map<string, RecordRow>()
  for (const some of splitIntoBatches(keys))
    for (const row of await tx
      .lock('sii_records', { book_type: book })
      .selectAll()
      .where('invoice_id', 'in', some)
      .execute())
      rows.set(row.invoice_id, row)
  return rows
}

async function change(
  tx: Tx,
  book: Book,
  keys: readonly string[],
  changes: Partial<RecordRow>,
): Promise<void> {
  for (const some of splitIntoBatches(keys)) {
    const own = tx.update('sii_records', changes).where('book_type', '=', book)
    await own.where('invoice_id', 'in', some).execute()
  }
}

async function markInFlight(
  tx: Tx,
  book: Book,
  entries: readonly Entry[],
  submissionId: string,
): Promise<ReadonlySet<string>> {
  const rows = await locked(tx, book, keysOf(entries))
  const still = entries.filter(({ key, version }) => {
    const row = rows.get(key)
    return row !== undefined && row.version === version && row.status === 'pending'
  })
  const keys = keysOf(still)
  await change(tx, book, keys, { sending_id: submissionId })
  return new Set(keys)
}

/** A row and the result of its record. */
interface RowResult extends ReturnType<typeof resultColumnsOf> {
  readonly row: RecordRow
  readonly entry: Entry
  readonly stamp: string
  /** Whether the invoice was deleted while the record was in flight. */
  readonly isGone: boolean
  /** Whether the row changed while the record was in flight. The newer content is sent next. */
  readonly isOld: boolean
  /** The columns of a modification or deletion, whose deadline counts from today. */
  readonly modification: Pick<RecordRow, 'status' | 'operation_type' | 'deadline'>
}

type RowChanges = Partial<RecordRow> | null

const registeredAs = ({ record }: Entry) => toJson(deletionOf(record))

function afterRegistration(
  { entry, stamp, isOld, submissionColumns, error, noError, modification }: RowResult,
  status: 'accepted' | 'accepted_with_errors',
): RowChanges {
  const registered = { ...submissionColumns, registered: registeredAs(entry), accepted_at: stamp, turns: 0 }
  if (isOld) return { ...registered, ...noError, ...modification }
  return { ...registered, ...(status === 'accepted' ? noError : error), status }
}

function afterDeletion({
  row,
  entry,
  isGone,
  isOld,
  submissionColumns,
  error,
  noError,
}: RowResult): RowChanges {
  if (isGone) return null
  const none = { ...submissionColumns, registered: null, accepted_at: null, operation_type: 'A0' } as const
  // The record was deleted in order to be registered again, or another system deleted it before a modification.
  return entry.operation === 'BAJA' || isOld
    ? { ...none, ...noError, status: 'pending', turns: row.turns + 1 }
    : { ...none, ...error, status: 'deleted' }
}

/** Handles a record of which the authority has other data, or none: changes the operation, up to a limit. */
function afterTurn(
  { row, submissionColumns, error, noError }: RowResult,
  known: RowChanges,
  next: RowChanges,
): RowChanges {
  return row.turns >= MAX_TURNS
    ? { ...submissionColumns, ...known, ...error, status: 'rejected' }
    : { ...submissionColumns, ...noError, turns: row.turns + 1, ...known, ...next }
}

function afterRejection({ row, isGone, isOld, submissionColumns, error, noError }: RowResult): RowChanges {
  if (isGone && row.registered === null) return null
  return isOld && !isGone
    ? { ...submissionColumns, ...noError, status: 'pending' }
    : { ...submissionColumns, ...error, status: 'rejected' }
}

/** Returns the columns to write for a result; null if no record is needed any more and the row must be deleted. */
function changesAfter(row: RecordRow, result: EntryResult, settling: SettlingContext<Sii>): RowChanges {
  const { entry, outcome } = result
  const { stamp, outbox } = settling
  const isGone = row.operation_type === 'BAJA'
  const known_date = outbox.sending.app.clock.today()
  const { deadline } = deadlineOf({ book: row.book_type, known_date })
  const rowResult: RowResult = {
    ...resultColumnsOf(result, settling),
    row,
    entry,
    stamp,
    isGone,
    isOld: row.version !== entry.version || isGone,
    modification: { status: 'pending', operation_type: isGone ? 'BAJA' : 'A1', deadline },
  }
  switch (outcome) {
    case 'accepted':
    case 'accepted_with_errors':
      return afterRegistration(rowResult, outcome)
    case 'deleted':
      return afterDeletion(rowResult)
    case 'differs': {
      const known = { registered: registeredAs(entry), accepted_at: row.accepted_at ?? stamp }
      return afterTurn(rowResult, known, rowResult.modification)
    }
    case 'absent': {
      const next = { accepted_at: null, operation_type: 'A0', status: 'pending' } as const
      return isGone ? null : afterTurn(rowResult, { registered: null }, next)
    }
    case 'again':
      return rowResult.again
    case 'rejected':
      return afterRejection(rowResult)
  }
}

/** Outcomes after which the tax authority no longer has the record. */
const GONE: readonly EntryResult['outcome'][] = ['deleted', 'absent']

const remove = (tx: Tx, book: Book, key: string): Promise<unknown> =>
  tx.delete('sii_records', { book_type: book, invoice_id: key }).execute()

async function settle(
  tx: Tx,
  book: Book,
  settling: SettlingContext<Sii>,
  results: readonly EntryResult[],
): Promise<void> {
  const gone = results.flatMap(({ outcome, entry: { key } }) => (GONE.includes(outcome) ? [key] : [])).sort()
  // Locks the invoice before its record, in the same order as a change of the invoice does.
  for (const key of gone) await lockInvoice(tx, key)
  const rows = await locked(tx, book, keysOf(results.map(({ entry }) => entry)))
  const settled = results.flatMap((result) => {
    const row = rows.get(result.entry.key)
    // A row that is in flight with another message by now waits for the response to that message.
    return row?.sending_id === settling.submission.id
      ? [[row.invoice_id, changesAfter(row, result, settling)] as const]
      : []
  })
  for (const { changes, keys } of groupKeysByChanges(settled, (one) => one))
    if (changes) await change(tx, book, keys, changes)
    else for (const key of keys) await remove(tx, book, key)
  for (const key of gone)
    if (rows.get(key)?.registered != null) await reportAgain(tx, settling.outbox.sending.app.clock, key, book)
}

/** Returns the channel of issued or received invoices. */
const invoicesOf = (book: Book, address: 'issued' | 'received'): SiiChannel => ({
  ...rowOperationsOf('sii_records', 'invoice_id', book, OPEN),
  name: book,
  book,
  address,
  submit: submitterTo({ book, address }),
  waiting: (db, search) => waiting(db, book, search),
  async buildRecords(db, dues) {
    const keys = dues.map(({ key }) => key)
    const rows: Found[] = []
    for (const some of splitIntoBatches(keys)) rows.push(...(await foundOf(db, book, some)))
    const byKey = new Map(rows.map((row) => [row.invoice_id, row]))
    const all = new Map<string, BuildResult>()
    for (const key of keys)
      all.set(key, (await unlessDamaged(buildRecord(db, byKey.get(key)))) ?? DOCUMENT_DAMAGED)
    return all
  },
  markInFlight: (tx, entries, submissionId) => markInFlight(tx, book, entries, submissionId),
  async defer(tx, { key, version }, why, now) {
    await tx.change('sii_records', deferredColumns(why, now), { book_type: book, invoice_id: key, version })
  },
  async drop(tx, { key, version }) {
    const own = { book_type: book, invoice_id: key, version, status: 'pending' }
    await tx.delete('sii_records', own).where('registered', 'is', null).execute()
  },
  queryAuthority: (connection, entries) => queryInvoices(connection, book, entries),
  settle: (tx, settling, results) => settle(tx, book, settling, results),
})

export const ISSUED_CHANNEL = invoicesOf('ISSUED', 'issued')
export const RECEIVED_CHANNEL = invoicesOf('RECEIVED', 'received')
