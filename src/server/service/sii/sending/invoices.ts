/** The books of invoices: registered, modified where the agency has them, deleted where their identity was wrong. */
import { sql } from 'kysely'
import type { CanonicalInvoice, ValidationItem } from '../../../../invoice/index.ts'
import { deadlineOf } from '../../../../sii/index.ts'
import type { Own, Rows, Tx } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'
import { columnsOf } from '../../sending/stops.ts'
import { askForInvoices } from './ask.ts'
import type { Due, Entry, Kind, Look, Made, NoRecord, Settling, Verdict } from './kind.ts'
import { type Deletion, deletionOf, identityIn, recordFor } from './record.ts'

type RecordRow = Own<'sii_records'>

/** Written out: a parameter would keep the stores from the index that holds nothing but these. */
const PENDING = sql.lit('pending')
/** So many rows in one statement. */
const AT_ONCE = 200
/** An operation that an answer asks for is not changed more often than this in a row. */
const MOST_TURNS = 3
/** After a technical failure of one record. */
const LATER = 900_000

const batches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )

async function waiting(db: Rows, book: Book, { now, most, invoiceId }: Look): Promise<readonly Due[]> {
  let query = db
    .select('sii_records')
    .select(['invoice_id', 'deadline', 'version'])
    .where('status', '=', PENDING)
    .where('book_type', '=', book)
    .where('not_before_ms', '<=', now)
  if (invoiceId !== undefined) query = query.where('invoice_id', '=', invoiceId)
  const rows = await query.orderBy('deadline').orderBy('invoice_id').limit(most).execute()
  return rows.map(({ invoice_id, deadline, version }) => ({ key: invoice_id, invoice_id, deadline, version }))
}

interface Found extends Pick<RecordRow, 'operation_type' | 'registered' | 'accepted_at'> {
  readonly status: string | null
  readonly imported: number | null
  readonly canonical: string | null
}

async function found(db: Rows, book: Book, keys: readonly string[]): Promise<Map<string, Found>> {
  const all = new Map<string, Found>()
  for (const some of batches(keys)) {
    const rows = await db
      .select('sii_records', { invoices: 'invoice_id', invoice_documents: 'invoice_id' })
      .select([
        'sii_records.invoice_id',
        'sii_records.operation_type',
        'sii_records.registered',
        'sii_records.accepted_at',
        'invoices.status',
        'invoices.imported',
        'invoice_documents.canonical',
      ])
      .where('sii_records.book_type', '=', book)
      .where('sii_records.invoice_id', 'in', some)
      .execute()
    for (const { invoice_id, ...row } of rows) if (invoice_id !== null) all.set(invoice_id, row as Found)
  }
  return all
}

const asDeletion = (registered: string): Made => {
  const record = JSON.parse(registered) as Deletion
  return { is: 'made', operation: 'BAJA', record }
}

/** In the book are invoices that were issued, cancelled ones too, and those that were received without errors. */
const isInBook = (status: string | null): boolean =>
  status !== null && status !== 'draft' && status !== 'queued'

/** Words of items in both languages, and the code of the first. */
export function whyNot(english: readonly ValidationItem[], spanish: readonly ValidationItem[]): NoRecord {
  const told = (items: readonly ValidationItem[]): string =>
    items
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message)
      .join(' ')
  const code = english.find(({ severity }) => severity === 'error')?.code ?? 'sii.record'
  return { code, words: { en: told(english), es: told(spanish) } }
}

/**
 * What the agency is to be told now. It decides by what it holds: nothing is registered, the same invoice is modified,
 * and one whose number, day or issuer were others is deleted before it is registered anew.
 */
async function made(db: Rows, row: Found | undefined): Promise<Made> {
  if (!row) return { is: 'nothing' }
  const { registered, canonical, status } = row
  if (canonical === null || status === null)
    // The invoice was deleted while it was on its way, and the agency has it.
    return registered === null ? { is: 'nothing' } : asDeletion(registered)
  if (!isInBook(status)) return { is: 'nothing' }
  const data = JSON.parse(canonical) as CanonicalInvoice
  const result = await recordFor(db, data, status)
  if (!result.ok) {
    const again = await recordFor(db, data, status, 'es')
    return { is: 'refused', ...whyNot(result.items, again.items) }
  }
  const { record } = result
  if (registered !== null)
    return identityIn(JSON.parse(registered) as Deletion) === identityIn(record)
      ? { is: 'made', operation: 'A1', record }
      : asDeletion(registered)
  // What was never told here may have been told by another system, where the invoice comes from one.
  const mayBeThere = row.accepted_at !== null || row.imported === 1
  const operation = row.operation_type === 'A1' && mayBeThere ? 'A1' : 'A0'
  return { is: 'made', operation, record }
}

/** Rows of these keys, locked until the end of the transaction. */
async function locked(tx: Tx, book: Book, keys: readonly string[]): Promise<Map<string, RecordRow>> {
  const rows = new Map<string, RecordRow>()
  for (const some of batches(keys))
    for (const row of await tx
      .lock('sii_records')
      .selectAll()
      .where('book_type', '=', book)
      .where('invoice_id', 'in', some)
      .execute())
      rows.set(row.invoice_id, row)
  return rows
}

const change = (
  tx: Tx,
  book: Book,
  keys: readonly string[],
  changes: Partial<RecordRow>,
): Promise<unknown[]> =>
  Promise.all(
    batches(keys).map((some) =>
      tx
        .update('sii_records', changes)
        .where('book_type', '=', book)
        .where('invoice_id', 'in', some)
        .execute(),
    ),
  )

async function depart(
  tx: Tx,
  book: Book,
  entries: readonly Entry[],
  submissionId: string,
): Promise<ReadonlySet<string>> {
  const rows = await locked(
    tx,
    book,
    entries.map(({ key }) => key),
  )
  const still = entries.filter(({ key, version }) => {
    const row = rows.get(key)
    return row !== undefined && row.version === version && row.status === 'pending'
  })
  const keys = still.map(({ key }) => key)
  await change(tx, book, keys, { sending_id: submissionId })
  return new Set(keys)
}

/** What is written of a row after a verdict; null: the row goes, there is nothing to tell of it any more. */
function after(row: RecordRow, verdict: Verdict, settling: Settling): Partial<RecordRow> | null {
  const { entry, became, code, description } = verdict
  const { stamp, submission, app } = settling
  const isGone = row.operation_type === 'BAJA'
  // Changed while it was on its way: the newer content goes next.
  const isOld = row.version !== entry.version || isGone
  const words = { error_code: code, error_description: description }
  const none = { error_code: null, error_description: null }
  const told = {
    sending_id: null,
    last_submission_id: submission.internal_id,
    submitted_at: submission.submitted_at,
    updated_at: stamp,
  }
  const turned = { ...told, ...none, turns: row.turns + 1 }
  const modification = {
    operation_type: isGone ? ('BAJA' as const) : ('A1' as const),
    deadline: deadlineOf({ book: row.book_type, known_date: app.clock.today() }).deadline,
  }
  switch (became) {
    case 'accepted':
    case 'accepted_with_errors': {
      const registered = JSON.stringify(deletionOf(entry.record))
      const held = { ...told, registered, accepted_at: stamp, turns: 0 }
      return isOld
        ? { ...held, ...none, ...modification, status: 'pending' }
        : { ...held, ...(became === 'accepted' ? none : words), status: became }
    }
    case 'deleted': {
      if (isGone) return null
      const empty = { ...told, registered: null, accepted_at: null }
      // Deleted so that it can be registered anew; or somebody else has deleted what was to be modified.
      if (entry.operation === 'BAJA' || isOld)
        return { ...empty, ...none, operation_type: 'A0', status: 'pending', turns: row.turns + 1 }
      return { ...empty, ...words, operation_type: 'A0', status: 'deleted' }
    }
    case 'differs': {
      const registered = JSON.stringify(deletionOf(entry.record))
      const known = { registered, accepted_at: row.accepted_at ?? stamp }
      if (row.turns >= MOST_TURNS) return { ...told, ...known, ...words, status: 'rejected' }
      return { ...turned, ...known, ...modification, status: 'pending' }
    }
    case 'absent':
      if (isGone) return null
      if (row.turns >= MOST_TURNS) return { ...told, ...words, registered: null, status: 'rejected' }
      return { ...turned, registered: null, accepted_at: null, operation_type: 'A0', status: 'pending' }
    case 'again':
      return { ...told, ...words, not_before_ms: app.clock.now() + LATER }
    case 'rejected':
      if (isGone) return row.registered === null ? null : { ...told, ...words, status: 'rejected' }
      return isOld ? { ...told, ...none, status: 'pending' } : { ...told, ...words, status: 'rejected' }
  }
}

async function settle(tx: Tx, book: Book, settling: Settling, verdicts: readonly Verdict[]): Promise<void> {
  const rows = await locked(
    tx,
    book,
    verdicts.map(({ entry }) => entry.key),
  )
  /** Most rows of a message have the same said of them. */
  const groups = new Map<string, { readonly changes: Partial<RecordRow>; readonly keys: string[] }>()
  for (const verdict of verdicts) {
    const row = rows.get(verdict.entry.key)
    // A verdict is given once: what is on its way with another message waits for that one's.
    if (!row || row.sending_id !== settling.submission.public_id) continue
    const changes = after(row, verdict, settling)
    if (!changes) {
      await tx
        .delete('sii_records')
        .where('invoice_id', '=', row.invoice_id)
        .where('book_type', '=', book)
        .execute()
      continue
    }
    const name = JSON.stringify(changes)
    const group = groups.get(name) ?? { changes, keys: [] }
    group.keys.push(row.invoice_id)
    groups.set(name, group)
  }
  for (const { changes, keys } of groups.values()) await change(tx, book, keys, changes)
}

/** Issued or received invoices. */
const invoicesOf = (book: Book): Kind => ({
  name: book,
  book,
  address: book === 'ISSUED' ? 'issued' : 'received',
  waiting: (db, look) => waiting(db, book, look),
  companies: async (all, now) => {
    const rows = await all
      .selectFrom('sii_records')
      .leftJoin('sii_config', 'sii_config.company_id', 'sii_records.company_id')
      .select('sii_records.company_id')
      .distinct()
      .where('sii_records.status', '=', PENDING)
      .where('sii_records.book_type', '=', book)
      .where(({ and, or, eb }) =>
        or([
          eb('sii_records.sending_id', 'is not', null),
          and([eb('sii_config.auto_submit', '=', 1), eb('sii_records.not_before_ms', '<=', now)]),
        ]),
      )
      .execute()
    return rows.map(({ company_id }) => company_id)
  },
  async make({ db }, dues) {
    const keys = dues.map(({ key }) => key)
    const rows = await found(db, book, keys)
    const all = new Map<string, Made>()
    for (const key of keys) all.set(key, await made(db, rows.get(key)))
    return all
  },
  depart: (tx, entries, submissionId) => depart(tx, book, entries, submissionId),
  async comeBack(tx, keys) {
    await change(tx, book, keys, { sending_id: null })
  },
  async holdBack(tx, { key, version }, { code, words }, until) {
    const { error_message } = columnsOf({ stop: 'no_record', told: { reason: words } })
    await tx
      .update('sii_records', { error_code: code, error_description: error_message, not_before_ms: until })
      .where('book_type', '=', book)
      .where('invoice_id', '=', key)
      .where('version', '=', version)
      .execute()
  },
  async release(tx, invoiceId) {
    let held = tx
      .update('sii_records', { not_before_ms: 0 })
      .where('book_type', '=', book)
      .where('status', '=', PENDING)
      .where('not_before_ms', '>', 0)
    if (invoiceId !== undefined) held = held.where('invoice_id', '=', invoiceId)
    await held.execute()
  },
  async drop(tx, { key, version }) {
    const [row] = (await locked(tx, book, [key])).values()
    if (!row || row.version !== version || row.status !== 'pending') return
    // What the agency holds stays as it is.
    const gone =
      row.registered === null
        ? tx.delete('sii_records').where('book_type', '=', book).where('invoice_id', '=', key).execute()
        : change(tx, book, [key], { status: 'accepted' })
    await gone
  },
  ask: (asking, entries) => askForInvoices(asking, book, entries),
  settle: (tx, settling, verdicts) => settle(tx, book, settling, verdicts),
})

export const ISSUED = invoicesOf('ISSUED')
export const RECEIVED = invoicesOf('RECEIVED')
