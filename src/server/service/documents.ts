/** Attached files of invoices: their rows. How a file gets to the disk is in `documents/`. */
import type { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { abandonAll, removeFiles } from '../documents/pending.ts'
import { ApiError } from '../errors/api-error.ts'
import type { InvoiceRow } from '../store/invoices.ts'
import type { Tx } from '../store/store.ts'
import type { AttachmentsTable } from '../store/tables.ts'
import type { Call } from './call.ts'
import { acting, addEvent } from './events.ts'
import { requireInvoice, requireLocked } from './require-invoice.ts'

export type AttachmentRow = Selectable<AttachmentsTable>
type IsKind = (row: InvoiceRow) => boolean

/** `Attached document` of the specification. */
export const documentAnswer = (row: AttachmentRow) => ({
  public_id: row.document_id,
  doc_type: row.doc_type,
  file_name: row.file_name,
  content_type: row.content_type,
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
  created_at: row.created_at,
})

/** Documents of an invoice, oldest first. */
export async function documentsOf({ app, company }: Call, invoiceId: string, isKind: IsKind) {
  const { read } = app.store
  await requireInvoice(read, company.id, invoiceId, isKind)
  const rows = await read
    .selectFrom('attachments')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .orderBy('created_at')
    .orderBy('document_id')
    .execute()
  return rows.map(documentAnswer)
}

/** The row of a document. Throws `invoice_not_found` or `document_not_found`. */
export async function requireDocument(
  { app, company }: Call,
  invoiceId: string,
  documentId: string,
  isKind: IsKind,
): Promise<AttachmentRow> {
  const { read } = app.store
  await requireInvoice(read, company.id, invoiceId, isKind)
  const row = await read
    .selectFrom('attachments')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  if (!row) throw new ApiError('document_not_found')
  return row
}

/** The bytes of a document. One that is deleted at this moment is not found. */
export async function contentOf(call: Call, row: AttachmentRow, isKind: IsKind): Promise<Readable> {
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
  const { app, company } = call
  await requireLocked(tx, company.id, invoiceId, isKind)
  const row = await tx.db
    .selectFrom('attachments')
    .select(['file_key', 'file_name'])
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  if (!row) throw new ApiError('document_not_found')
  await abandonAll(tx, app, company.id, [row.file_key])
  await tx.db
    .deleteFrom('attachments')
    .where('company_id', '=', company.id)
    .where('document_id', '=', documentId)
    .execute()
  await addEvent(tx, acting(call), invoiceId, {
    code: 'document_deleted',
    details: { doc_id: documentId, file_name: row.file_name },
  })
  tx.afterCommit(() => removeFiles(app, company.id, [row.file_key]))
}

/** Removes the documents of an invoice that is being deleted, and locked; their files go after the commit. */
export async function removeDocumentsOf(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  const { app, company } = call
  const rows = await tx.db
    .selectFrom('attachments')
    .select('file_key')
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .execute()
  if (rows.length === 0) return
  const keys = rows.map(({ file_key }) => file_key)
  await abandonAll(tx, app, company.id, keys)
  await tx.db
    .deleteFrom('attachments')
    .where('company_id', '=', company.id)
    .where('invoice_id', '=', invoiceId)
    .execute()
  tx.afterCommit(() => removeFiles(app, company.id, keys))
}
