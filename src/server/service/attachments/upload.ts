/** Adding a file to an invoice: announced, written and flushed, and then held by its row, all of it or nothing. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { receiveFile, requireForm } from '../../documents/multipart.ts'
import { contentTypeOf, docTypeOf, safeFileName } from '../../documents/names.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { AttachedDocument } from '../../shapes/schemas.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { created, type Encoded, type JsonAnswer } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { type Claim, claim, hashOf, isClaimed, settle } from '../access/idempotency.ts'
import { acting, addEvent } from '../invoice/events.ts'
import { requireInvoice, requireLocked } from '../invoice/require-invoice.ts'
import { type AttachmentRow, documentAnswer } from './documents.ts'
import { adopt, announce, giveUp, isKept } from './pending.ts'

/** Specification, section "Limits". */
const MAX_FILE_BYTES = 16 * 1024 * 1024

type IsKind = (row: InvoiceRow) => boolean
type Added = Encoded | JsonAnswer<201, AttachedDocument>

/** Forms differ in their boundaries from try to try: the same request is the same file under the same name. */
function claimOf(call: Call, path: string, file: AttachmentRow): Claim | null {
  if (call.idempotencyKey === undefined) return null
  return {
    keyId: call.keyId,
    idempotencyKey: call.idempotencyKey,
    requestHash: hashOf('post', path, file.file_name, file.content_type, file.sha256),
    now: call.app.clock.now(),
  }
}

/** Makes a written file an attachment, unless the same request has been answered before: then it is not new. */
function keep(call: Call, isKind: IsKind, file: AttachmentRow, key: Claim | null) {
  return call.store.transaction(async (tx): Promise<{ readonly answer: Added; readonly isNew: boolean }> => {
    const earlier = key && (await claim(tx, key))
    if (earlier) return { answer: earlier, isNew: false }
    // The invoice may have been deleted since the upload began; it cannot be from here on.
    const invoice = await requireLocked(tx, file.invoice_id, isKind)
    await adopt(tx, call.app, file.file_key)
    await tx.insert('attachments', file)
    await addEvent(tx, acting(call, file.created_at), invoice.invoice_id, {
      code: 'document_added',
      details: { doc_id: file.document_id, file_name: file.file_name },
    })
    const answer = created(documentAnswer(file))
    if (key) await settle(tx, key, answer)
    return { answer, isNew: true }
  })
}

/** Stores the file of a form with an invoice of a kind. `path` is the address, which an idempotency key remembers. */
export async function addDocument(
  call: Call,
  incoming: IncomingMessage,
  path: string,
  invoiceId: string,
  isKind: IsKind,
): Promise<Added> {
  const { app, company, store } = call
  const boundary = requireForm(incoming, MAX_FILE_BYTES)
  // A request that was answered before is answered again, whatever has become of the invoice since.
  if (!(await isClaimed(call))) await requireInvoice(store, invoiceId, isKind)
  const fileKey = `${company.id}/${randomUUID()}`
  const limits = { maxBytes: MAX_FILE_BYTES, seconds: app.config.requestTimeout }
  let isAnnounced = false
  try {
    const { fileName, contentType, size, sha256 } = await receiveFile(
      incoming,
      boundary,
      limits,
      async (content) => {
        await announce(app, store, fileKey)
        isAnnounced = true
        await app.files.write(fileKey, content)
      },
    )
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
      file_key: fileKey,
      created_at: app.clock.stamp(),
    }
    const { answer, isNew } = await keep(call, isKind, file, claimOf(call, path, file))
    if (isNew) isKept(fileKey)
    else await giveUp(app, store, fileKey)
    return answer
  } catch (error) {
    if (isAnnounced) await giveUp(app, store, fileKey)
    throw error
  }
}
