/** Routes of attachments. Drafts, issued and received invoices have the same four operations. */
import { isKnown } from '#entry/web/index.ts'
import { attachmentDisposition } from '../../documents/header-value.ts'
import type { Scope } from '../../service/access/call.ts'
import { type EncodedResponse, noContent, ok } from '../../service/access/http-response.ts'
import {
  deleteDocument,
  documentsOf,
  openContent,
  requireDocument,
} from '../../service/attachments/attached-documents.ts'
import { addDocument } from '../../service/attachments/upload.ts'
import { listOf } from '../../shapes/builders.ts'
import { AttachedDocument } from '../../shapes/schemas.ts'
import { type Route, type RouteCall, route } from '../request/route.ts'
import { DRAFTS, type InvoiceResource, ISSUED, RECEIVED } from './shared.ts'

interface DocumentPath {
  readonly invoice_id: string
  readonly doc_id: string
}

/** Returns a file unchanged. The headers keep browsers from displaying or running it, whatever its media type is. */
async function download(
  call: RouteCall<DocumentPath>,
  isKind: InvoiceResource['isKind'],
): Promise<EncodedResponse> {
  const row = await requireDocument(call, call.params.invoice_id, call.params.doc_id, isKind)
  const tag = `"${row.sha256}"`
  const kept = { ETag: tag, 'Cache-Control': 'private, no-cache' }
  if (isKnown(call.incoming.headers['if-none-match'] ?? null, tag)) return { status: 304, headers: kept }
  return {
    status: 200,
    stream: await openContent(call, row, isKind),
    headers: {
      ...kept,
      'Content-Type': row.content_type,
      'Content-Length': String(row.size),
      'Content-Disposition': attachmentDisposition(row.file_name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  }
}

function documentRoutes(resource: InvoiceResource, write: Scope): Route[] {
  const { prefix, nameWithArticle, isKind } = resource
  const all = `${prefix}/{invoice_id}/documents` as const
  const one = `${all}/{doc_id}` as const
  return [
    route(`get ${all}`, {
      summary: `List the documents of ${nameWithArticle}`,
      scope: 'invoices:read',
      responses: { 200: listOf(AttachedDocument) },
      handle: async (call) => ok(await documentsOf(call, call.params.invoice_id, isKind)),
    }),
    route(`post ${all}`, {
      summary: `Attach a file to ${nameWithArticle}`,
      scope: write,
      body: { kind: 'multipart' },
      responses: { 201: AttachedDocument },
      errors: ['file_too_large', 'empty_file'],
      idempotency: true,
      handle: (call) => addDocument(call, call.incoming, call.params.invoice_id, resource),
    }),
    route(`get ${one}`, {
      summary: `Download a document of ${nameWithArticle}`,
      scope: 'invoices:read',
      responses: { 200: '*/*', 304: null },
      handle: (call) => download(call, isKind),
    }),
    route(`delete ${one}`, {
      summary: `Delete a document of ${nameWithArticle}`,
      scope: write,
      responses: { 204: null },
      write: async (call, tx) => {
        await deleteDocument(tx, call, call.params.invoice_id, call.params.doc_id, isKind)
        return noContent
      },
    }),
  ]
}

export const DOCUMENT_ROUTES: readonly Route[] = [
  ...documentRoutes(DRAFTS, 'invoices:write'),
  ...documentRoutes(ISSUED, 'invoices:write'),
  ...documentRoutes(RECEIVED, 'received:write'),
]
