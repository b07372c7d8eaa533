/**
 * Channels of collections and payments of invoices with regime key 07. A payment is sent after its invoice, because the
 * tax authority accepts only payments of registered invoices. The tax authority gives payments no identity, so a
 * message contains at most one payment of each invoice. If no response arrives, the payments at the authority are
 * counted by date, amount and means of payment.
 */
import { sql } from 'kysely'
import { toMinor } from '#core/money/index.ts'
import { fromFecha, fromImporte } from '#records/fiscal/index.ts'
import {
  collectionRecord,
  meansOf,
  paymentRecord,
  type SiiPayment,
  type SiiRecord,
} from '#records/sii/index.ts'
import { CANONICAL_COLUMNS, unchangedCanonical, unlessDamaged } from '../../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../../store/store.ts'
import { fromJson } from '../../../store/stored-json.ts'
import type { Book } from '../../../store/tables.ts'
import type { Connection, PendingSearch, QueryResult, SettlingContext } from '../../transmission/channel.ts'
import { keysOf } from '../../transmission/ledger.ts'
import { INVOICE_REJECTIONS } from '../cash-basis/cash-basis-messages.ts'
import { syncMovements } from '../cash-basis/movements.ts'
import { isCancelled } from '../cash-basis/payments.ts'
import { queryPayments } from './query-payments.ts'
import {
  DOCUMENT_DAMAGED,
  deferredColumns,
  isDue,
  resultColumnsOf,
  rowOperationsOf,
  splitIntoBatches,
} from './row-operations.ts'
import { noRecordReason } from './sii-invoices.ts'
import type {
  AuthorityRecord,
  BuildResult,
  DueEntry,
  Entry,
  EntryResult,
  Sii,
  SiiChannel,
} from './sii-queue-types.ts'
import { submitterTo } from './sii-response.ts'

type Movement = CompanyRow<'sii_movements'>

const FORCED = '03'
/** Version of every row. Movements do not change while in flight, because a change adds another row. */
const VERSION = 0

/** A literal, because with a parameter the databases would not use the partial index. */
const OPEN = sql<boolean>`sii_movements.status in ('pending', 'rejected')`

/** Selects movements that may be sent: their invoice is registered and has no pending modification. */
function open(db: Rows, book: Book, now: number) {
  return (
    db
      .select('sii_movements', { sii_records: 'invoice_id' })
      .where('sii_movements.book_type', '=', book)
      .where(OPEN)
      .where(isDue('sii_movements', now))
      .where('sii_records.book_type', '=', book)
      .where('sii_records.accepted_at', 'is not', null)
      .where('sii_records.status', 'not in', ['pending', 'deleted'])
      // A rejected movement may be sent if its invoice was the cause and has been registered again since.
      .where(({ or, and, eb, ref }) =>
        or([
          eb('sii_movements.status', '=', 'pending'),
          and([
            eb('sii_movements.error_code', 'in', INVOICE_REJECTIONS),
            eb('sii_records.accepted_at', '>', ref('sii_movements.updated_at')),
          ]),
        ]),
      )
  )
}

async function waiting(
  db: Rows,
  book: Book,
  { now, most, invoiceId }: PendingSearch,
): Promise<readonly DueEntry[]> {
  const all = open(db, book, now)
  const wanted = invoiceId === undefined ? all : all.where('sii_movements.invoice_id', '=', invoiceId)
  const rows = await wanted
    .select(['sii_movements.movement_id', 'sii_movements.invoice_id', 'sii_movements.deadline'])
    .orderBy('sii_movements.deadline')
    .orderBy('sii_movements.created_at')
    .orderBy('sii_movements.movement_id')
    .execute()
  const first = new Map<string, DueEntry>()
  for (const { movement_id: key, invoice_id, deadline } of rows) {
    if (!first.has(invoice_id)) first.set(invoice_id, { key, invoice_id, deadline, version: VERSION })
    if (first.size === most) break
  }
  return [...first.values()]
}

const rowsOf = (db: Rows, keys: readonly string[]): Promise<Movement[]> =>
  db.select('sii_movements').selectAll().where('movement_id', 'in', keys).execute()

/** Whether a movement need not be sent: it reports a cancelled payment, or reverses an unreported one. */
async function isObsolete(
  db: Rows,
  { payment_id, book_type, movement_id, amount }: Movement,
): Promise<boolean> {
  if (payment_id === null || !(await isCancelled(db, book_type, payment_id))) return false
  const reported = await db
    .find('sii_movements', { payment_id })
    .select('amount')
    .where('movement_id', '<>', movement_id)
    .where('status', 'in', ['accepted', 'accepted_with_errors'])
    .execute()
  return reported.reduce((sum, one) => sum + toMinor(one.amount), toMinor(amount)) !== 0
}

const paymentIn = ({ date, amount, kind, method, account }: Movement): SiiPayment => ({
  date,
  amount,
  ...(method === null ? {} : { payment_method_code: method }),
  ...(account === null ? {} : { account }),
  ...(kind === 'accrual' ? { forced_accrual: true } : {}),
})

/** Builds the record of a payment, with the identity under which the tax authority has registered the invoice. */
async function buildRecord(db: Rows, movement: Movement): Promise<BuildResult> {
  if (await isObsolete(db, movement)) return { is: 'nothing' }
  const [row] = await db
    .select('sii_records', { invoice_documents: 'invoice_id' })
    .select(['sii_records.invoice_id', 'sii_records.registered', ...CANONICAL_COLUMNS])
    .where('sii_records.invoice_id', '=', movement.invoice_id)
    .where('sii_records.book_type', '=', movement.book_type)
    .execute()
  const data = row && unchangedCanonical(row)
  if (!data) return { is: 'nothing' }
  const isCollection = movement.book_type === 'ISSUED'
  const record = isCollection ? collectionRecord : paymentRecord
  const result = record(data, [paymentIn(movement)])
  if (!result.ok) {
    const again = record(data, [paymentIn(movement)], { locale: 'es' })
    return { is: 'refused', ...noRecordReason(result.items, again.items) }
  }
  const registered = fromJson(row.registered)
  return {
    is: 'built',
    operation: isCollection ? 'COBROS' : 'PAGOS',
    record: { ...result.record, ...(registered && { IDFactura: registered.IDFactura }) } as SiiRecord,
  }
}

async function markInFlight(
  tx: Tx,
  entries: readonly Entry[],
  submissionId: string,
): Promise<ReadonlySet<string>> {
  const still = new Set<string>()
  for (const { key } of entries) {
    const { numUpdatedRows } = await tx
      .update('sii_movements', { status: 'pending', sending_id: submissionId })
      .where('movement_id', '=', key)
      .where('status', 'in', ['pending', 'rejected'])
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) still.add(key)
  }
  return still
}

/** Returns the columns to write for a result. */
function changesAfter(result: EntryResult, settling: SettlingContext<Sii>): Partial<Movement> {
  const { outcome: status } = result
  const { submissionColumns, error, noError, again } = resultColumnsOf(result, settling)
  if (status === 'again') return again
  if (status !== 'accepted' && status !== 'accepted_with_errors')
    return { ...submissionColumns, ...error, status: 'rejected' }
  return {
    ...submissionColumns,
    ...(status === 'accepted' ? noError : error),
    status,
    accepted_at: settling.stamp,
  }
}

async function settle(
  tx: Tx,
  book: Book,
  settling: SettlingContext<Sii>,
  results: readonly EntryResult[],
): Promise<void> {
  for (const result of results) {
    const { key, invoice_id } = result.entry
    const changes = changesAfter(result, settling)
    const { numUpdatedRows } = await tx
      .update('sii_movements', changes)
      .where('movement_id', '=', key)
      // A row that is in flight with another message by now waits for the response to that message.
      .where('sending_id', '=', settling.submission.id)
      .executeTakeFirstOrThrow()
    // If a payment was cancelled in flight and then rejected, its reversal is withdrawn.
    if (numUpdatedRows === 1n && changes.status === 'rejected')
      await syncMovements(tx, settling.outbox.sending.app.clock, invoice_id, book)
  }
}

/** Identifies a payment by date, amount and means, which is all that the tax authority returns. */
const paymentKey = (date: string, cents: number, means: string): string => `${date} ${cents} ${means}`

const sentPaymentKey = ({ record }: Entry): string => {
  const [payment] = 'Cobros' in record ? record.Cobros.Cobro : 'Pagos' in record ? record.Pagos.Pago : []
  return paymentKey(fromFecha(payment?.Fecha) ?? '', fromImporte(payment?.Importe) ?? 0, payment?.Medio ?? '')
}

/** Counts the payments of an invoice with this date, amount and means that the tax authority has accepted. */
async function countKnown(db: Rows, book: Book, invoiceId: string, triple: string): Promise<number> {
  const rows = await db
    .find('sii_movements', { invoice_id: invoiceId, book_type: book })
    .select(['date', 'amount', 'method', 'kind'])
    .where('status', 'in', ['accepted', 'accepted_with_errors'])
    .execute()
  return rows.filter(({ date, amount, method, kind }) => {
    const means = kind === 'accrual' ? FORCED : meansOf(method ?? undefined)
    return paymentKey(date, toMinor(amount), means) === triple
  }).length
}

async function queryAuthority(
  connection: Connection<Sii>,
  book: Book,
  entries: readonly Entry[],
): Promise<QueryResult<Sii>> {
  const authorityRecords = new Map<string, AuthorityRecord>()
  for (const entry of entries) {
    const asked = await queryPayments(connection, book, entry.record)
    if (!asked.ok) return asked
    const triple = sentPaymentKey(entry)
    const same = asked.payments.filter(
      ({ date, amount, means }) => paymentKey(date ?? '', toMinor(amount ?? 0), means ?? '') === triple,
    )
    if (same.length > (await countKnown(connection.store, book, entry.invoice_id, triple)))
      authorityRecords.set(entry.key, {
        isSame: true,
        state: 'accepted',
        literal: 'Correcto',
        code: null,
        description: null,
        csv: same.at(-1)?.csv ?? null,
      })
  }
  return { ok: true, authorityRecords }
}

/** Returns the channel of collections of issued invoices, or of payments of received ones. */
const movementsOf = (
  name: 'COLLECTIONS' | 'PAYMENTS',
  book: Book,
  address: 'collections' | 'payments',
): SiiChannel => ({
  ...rowOperationsOf('sii_movements', 'movement_id', book, OPEN),
  name,
  book,
  address,
  submit: submitterTo({ book, address }),
  waiting: (db, search) => waiting(db, book, search),
  async buildRecords(db, dues) {
    const all = new Map<string, BuildResult>()
    for (const keys of splitIntoBatches(keysOf(dues)))
      for (const movement of await rowsOf(db, keys))
        all.set(movement.movement_id, (await unlessDamaged(buildRecord(db, movement))) ?? DOCUMENT_DAMAGED)
    return all
  },
  markInFlight,
  async defer(tx, { key }, why, now) {
    await tx.change('sii_movements', deferredColumns(why, now), { movement_id: key })
  },
  async drop(tx, { key }) {
    await tx
      .update('sii_movements', { status: 'withdrawn' })
      .where('movement_id', '=', key)
      .where('sending_id', 'is', null)
      .execute()
  },
  queryAuthority: (connection, entries) => queryAuthority(connection, book, entries),
  settle: (tx, settling, results) => settle(tx, book, settling, results),
})

export const COLLECTIONS_CHANNEL = movementsOf('COLLECTIONS', 'ISSUED', 'collections')
export const PAYMENTS_CHANNEL = movementsOf('PAYMENTS', 'RECEIVED', 'payments')
