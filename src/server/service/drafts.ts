/** Drafts: saved under the client's reference, with their business errors; schema errors are not saved. */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'
import {
  deleteInvoice,
  documentOf,
  type InvoiceRow,
  insertInvoice,
  isDraftKind,
  lockInvoice,
  orderOf,
  requireLocked,
  updateInvoice,
} from '../store/invoices.ts'
import type { Reader, Tx } from '../store/store.ts'
import { columnsOf } from './columns.ts'
import { removeDocumentsOf } from './documents.ts'
import { acting, addEvent } from './events.ts'
import { type Judged, judge, requireStorable } from './judge.ts'
import { recordProblems } from './verifactu-records.ts'

const REASONS = {
  not_draft: { en: 'it is no draft any more', es: 'ya no es un borrador' },
  other_ref: {
    en: 'its meta.external_ref belongs to another invoice',
    es: 'su meta.external_ref es de otra factura',
  },
  queued: { en: 'it is reserved by a bulk issue', es: 'está reservada por una emisión masiva' },
} as const

export const updateRefused = (reason: keyof typeof REASONS): ApiError =>
  new ApiError('invoice_update_not_allowed', { reason: REASONS[reason] })

export interface SaveResult {
  readonly success: boolean
  readonly id: string
  readonly errors: readonly unknown[]
}

/** The invoice of the issued kind that has a reference, locked. */
export async function lockByReference(tx: Tx, companyId: string, externalRef: string): Promise<InvoiceRow | undefined> {
  const query = tx.db
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('direction', '=', 'issued')
    .where('external_ref', '=', externalRef)
  return (tx.locks ? query.forUpdate() : query).executeTakeFirst()
}

/** Judges a document as a draft of this company. Throws what keeps it from being saved. */
export async function judgeDraft(db: Reader | Tx['db'], call: Call, document: unknown): Promise<Judged> {
  const judged = requireStorable(call, judge(call, document, 'draft', { totals: 'check' }))
  return judged.is_valid ? { ...judged, errors: [...judged.errors, ...(await recordProblems(db, call, judged.data))] } : judged
}

/** The draft that a document is to be written into; undefined: a new one. */
async function draftToUpdate(tx: Tx, call: Call, externalRef: string | null, invoiceId: string | undefined): Promise<InvoiceRow | undefined> {
  const named = invoiceId === undefined ? undefined : await lockInvoice(tx, call.company.id, invoiceId)
  if (invoiceId !== undefined && !named) throw new ApiError('invoice_not_found')
  const referred = externalRef === null ? undefined : await lockByReference(tx, call.company.id, externalRef)
  if (named && referred && named.invoice_id !== referred.invoice_id) throw updateRefused('other_ref')
  const row = named ?? referred
  if (row?.status === 'queued') throw updateRefused('queued')
  if (row && !isDraftKind(row)) throw updateRefused('not_draft')
  return row
}

/** Writes a judged document: into the draft it belongs to, or as a new one. */
export async function saveDraft(tx: Tx, call: Call, sent: unknown, judged: Judged, invoiceId?: string): Promise<SaveResult> {
  const { data, errors, is_valid } = judged
  const columns = columnsOf(data)
  const row = await draftToUpdate(tx, call, columns.external_ref, invoiceId)
  const who = acting(call)
  const document = { sent: JSON.stringify(sent), canonical: JSON.stringify(data), errors: JSON.stringify(errors) }
  const has_errors = is_valid ? 0 : 1
  if (row) {
    await updateInvoice(tx, row, { ...columns, has_errors, updated_at: who.stamp }, document)
    await addEvent(tx, who, row.invoice_id, { code: 'updated', from: row.status, to: row.status })
    return { success: is_valid, id: row.invoice_id, errors }
  }
  const fresh = { series: null, number: null, issue_date: null }
  const invoice_id = randomUUID()
  await insertInvoice(
    tx,
    {
      company_id: call.company.id,
      invoice_id,
      direction: 'issued',
      status: 'draft',
      imported: 0,
      ...columns,
      ...fresh,
      ...orderOf(fresh),
      issue_year: null,
      fiscal_date: null,
      has_errors,
      created_at: who.stamp,
      updated_at: who.stamp,
    },
    document,
  )
  await addEvent(tx, who, invoice_id, { code: 'created', from: null, to: 'draft' })
  return { success: is_valid, id: invoice_id, errors }
}

/** Validates a saved draft as it would be issued today, and keeps the result. */
export async function revalidateDraft(tx: Tx, call: Call, invoiceId: string) {
  const row = await requireLocked(tx, call.company.id, invoiceId, isDraftKind)
  const { sent } = await documentOf(tx.db, call.company.id, invoiceId)
  const { data, errors, is_valid } = await judgeDraft(tx.db, call, JSON.parse(sent))
  const who = acting(call)
  await updateInvoice(
    tx,
    row,
    { ...columnsOf(data), has_errors: is_valid ? 0 : 1, updated_at: who.stamp },
    { canonical: JSON.stringify(data), errors: JSON.stringify(errors) },
  )
  await addEvent(tx, who, invoiceId, { code: 'validated', from: row.status, to: row.status, details: { is_valid } })
  return { id: invoiceId, is_valid, status: row.status, errors }
}

export async function deleteDraft(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  // Any invoice of the issued kind is found: one that is issued answers why it stays.
  const row = await requireLocked(tx, call.company.id, invoiceId, ({ direction }) => direction === 'issued')
  if (row.status !== 'draft') throw new ApiError('invoice_delete_not_allowed', { reasons: [row.status === 'queued' ? 'queued' : 'not_a_draft'] })
  const who = acting(call)
  await removeDocumentsOf(tx, call, invoiceId)
  await deleteInvoice(tx, row)
  await addEvent(tx, who, invoiceId, { code: 'deleted', from: 'draft', to: null })
}
