/** Uploads attachments. A file is written as pending and flushed, then attached. If a step fails, it is removed. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { contentTypeOf, docTypeOf, safeFileName } from '../../documents/file-names.ts'
import { receiveFile, requireMultipartForm } from '../../documents/multipart.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { AttachedDocument } from '../../shapes/schemas.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Call } from '../access/call.ts'
import { created, type EncodedResponse, type JsonResponse } from '../access/http-response.ts'
import { hasResponse, idempotentRequest } from '../access/idempotency.ts'
import { requireInvoice, requireLocked } from '../invoice/require-invoice.ts'
import { type AttachmentRow, attach, documentResponse } from './attached-documents.ts'
import { withFile } from './pending-files.ts'

/** Maximum file size in bytes (API specification, section "Limits"). */
const MAX_FILE_BYTES = 16 * 1024 * 1024

type IsKind = (row: InvoiceRow) => boolean
type Added = EncodedResponse | JsonResponse<201, AttachedDocument>

/** Stores the file of a form as an attachment of an invoice. */
export async function addDocument(
  call: Call,
  incoming: IncomingMessage,
  invoiceId: string,
  { prefix, isKind }: { readonly prefix: `/${string}`; readonly isKind: IsKind },
): Promise<Added> {
  const { app, store } = call
  const boundary = requireMultipartForm(incoming, MAX_FILE_BYTES)
  // A repeated request gets its earlier response, even if the invoice has been deleted since.
  if (!(await hasResponse(call))) await requireInvoice(store, invoiceId, isKind)
  const limits = { maxBytes: MAX_FILE_BYTES, seconds: app.config.requestTimeout }
  return withFile(call, async ({ key: file_key, write }) => {
    const { fileName, contentType, size, sha256 } = await receiveFile(incoming, boundary, limits, write)
    if (size === 0) throw new ApiError('empty_file')
    const file_name = safeFileName(fileName)
    const content_type = contentTypeOf(contentType, file_name)
    const file: AttachmentRow = {
      document_id: randomUUID(),
      invoice_id: invoiceId,
      doc_type: docTypeOf(content_type),
      file_name,
      content_type,
      metadata: null,
      size,
      sha256,
      file_key,
      created_at: app.clock.stamp(),
    }
    // Two attempts of a client have bodies with different boundaries, so name, type and content identify the request.
    const request = idempotentRequest(call, file_name, content_type, sha256)
    return store.transaction((tx) =>
      request.runInTransaction(tx, async () => {
        // The invoice may have been deleted since the upload began, so it is checked again and locked.
        await requireLocked(tx, invoiceId, isKind)
        await attach(tx, call, file)
        return created(documentResponse(file), `${prefix}/${invoiceId}/documents/${file.document_id}`)
      }),
    )
  })
}
