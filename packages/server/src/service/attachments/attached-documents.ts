/** Reads and writes the rows of attached files. The modules in `documents/` read and write the files themselves. */
import type { Readable } from 'node:stream'
import { ApiError } from '../../errors/api-error.ts'
import type { AttachedDocument } from '../../shapes/schemas.ts'
import { deleteInvoice, type InvoiceRow } from '../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { type Action, actionOf, addEvent, type NewEvent } from '../invoice/events.ts'
import { requireInvoice, requireLocked } from '../invoice/require-invoice.ts'
import { attachPendingFile, markForRemoval, removeFiles } from './pending-files.ts'

export type AttachmentRow = CompanyRow<'attachments'>
type IsKind = (row: InvoiceRow) => boolean

/** Returns an attachment in the form `Attached document` of the API specification. */
export const documentResponse = (row: AttachmentRow): AttachedDocument => ({
  public_id: row.document_id,
  doc_type: row.doc_type,
  file_name: row.file_name,
  content_type: row.content_type,
  metadata: fromJson(row.metadata),
  created_at: row.created_at,
})

/** Attaches a written file to its invoice, which must be locked. */
export async function attach(tx: Tx, call: Call, file: AttachmentRow): Promise<void> {
  await attachPendingFile(tx, call.app, file.file_key)
  await tx.insert('attachments', file)
  await addEvent(tx, actionOf(call, file.created_at), file.invoice_id, {
    code: 'document_added',
    details: { doc_id: file.document_id, file_name: file.file_name },
  })
}

/** Attaches a written file, or updates the metadata if the invoice already has a file with the same content. */
export async function attachOnce(tx: Tx, call: Call, file: AttachmentRow): Promise<void> {
  const { invoice_id, sha256, metadata } = file
  if (!(await tx.change('attachments', { metadata }, { invoice_id, sha256 }))) await attach(tx, call, file)
}

/** Returns the documents of an invoice, oldest first. */
export async function documentsOf({ store }: Call, invoiceId: string, isKind: IsKind) {
  await requireInvoice(store, invoiceId, isKind)
  const rows = await store
    .find('attachments', { invoice_id: invoiceId })
    .selectAll()
    .orderBy('created_at')
    .orderBy('document_id')
    .execute()
  return rows.map(documentResponse)
}

async function documentIn(db: Rows, invoiceId: string, documentId: string): Promise<AttachmentRow> {
  const row = await db
    .find('attachments', { invoice_id: invoiceId, document_id: documentId })
    .selectAll()
    .executeTakeFirst()
  if (!row) throw new ApiError('document_not_found')
  return row
}

/** Returns the row of a document. Throws `invoice_not_found` or `document_not_found`. */
export async function requireDocument(
  { store }: Call,
  invoiceId: string,
  documentId: string,
  isKind: IsKind,
): Promise<AttachmentRow> {
  await requireInvoice(store, invoiceId, isKind)
  return documentIn(store, invoiceId, documentId)
}

export const isAttached = async (db: Rows, documentId: string): Promise<boolean> =>
  (await db.find('attachments', { document_id: documentId }).select('document_id').executeTakeFirst()) !==
  undefined

/** Returns the content of a document. Throws `document_not_found` if another request has just deleted it. */
export async function openContent(call: Call, row: AttachmentRow, isKind: IsKind): Promise<Readable> {
  try {
    return await call.app.files.read(row.file_key)
  } catch (error) {
    await requireDocument(call, row.invoice_id, row.document_id, isKind)
    throw error
  }
}

export async function deleteDocument(
  tx: Tx,
  call: Call,
  invoiceId: string,
  documentId: string,
  isKind: IsKind,
): Promise<void> {
  const { app } = call
  await requireLocked(tx, invoiceId, isKind)
  const row = await documentIn(tx, invoiceId, documentId)
  await markForRemoval(tx, app, [row.file_key])
  await tx.delete('attachments').where('document_id', '=', documentId).execute()
  await addEvent(tx, actionOf(call), invoiceId, {
    code: 'document_deleted',
    details: { doc_id: documentId, file_name: row.file_name },
  })
  tx.afterCommit(() => removeFiles(app, call.store, [row.file_key]))
}

/** Deletes a locked invoice with its attachments. Their files are removed after the commit. */
export async function deleteInvoiceWithFiles(
  tx: Tx,
  call: Call,
  who: Action,
  row: InvoiceRow,
  details: NonNullable<NewEvent['details']> = {},
): Promise<void> {
  const { app } = call
  const { invoice_id, status } = row
  const rows = await tx.find('attachments', { invoice_id }).select('file_key').execute()
  const keys = rows.map(({ file_key }) => file_key)
  if (keys.length > 0) {
    await markForRemoval(tx, app, keys)
    await tx.delete('attachments').where('invoice_id', '=', invoice_id).execute()
    tx.afterCommit(() => removeFiles(app, call.store, keys))
  }
  await deleteInvoice(tx, row)
  await addEvent(tx, who, invoice_id, { code: 'deleted', from: status, to: null, details })
}
