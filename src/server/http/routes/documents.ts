/** Attachments: the same four operations on drafts, issued and received invoices. */
import { isKnown } from '../../../web/etag.ts'
import { attachmentNamed } from '../../documents/header-value.ts'
import { addDocument } from '../../documents/upload.ts'
import { type Answer, type Call, noContent, ok, type Scope } from '../../service/call.ts'
import { contentOf, deleteDocument, documentsOf, requireDocument } from '../../service/documents.ts'
import { type InvoiceRow, isDraftKind, isIssuedKind, isReceivedKind } from '../../store/invoices.ts'
import type { Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { idOf } from './shared.ts'

type IsKind = (row: InvoiceRow) => boolean

const documentIdOf = ({ params }: Call): string => params.doc_id ?? ''

/** A file as it was sent, for saving: a browser neither shows nor runs it, whatever it says that it is. */
async function download(call: Call, isKind: IsKind): Promise<Answer> {
  const row = await requireDocument(call, idOf(call), documentIdOf(call), isKind)
  const tag = `"${row.sha256}"`
  const kept = { ETag: tag, 'Cache-Control': 'private, no-cache' }
  if (isKnown(call.incoming.headers['if-none-match'] ?? null, tag)) return { status: 304, headers: kept }
  return {
    status: 200,
    stream: await contentOf(call, row, isKind),
    headers: {
      ...kept,
      'Content-Type': row.content_type,
      'Content-Length': String(row.size),
      'Content-Disposition': attachmentNamed(row.file_name),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  }
}

function documentRoutes(prefix: string, isKind: IsKind, write: Scope): Route[] {
  const all = `${prefix}/{invoice_id}/documents`
  const one = `${all}/{doc_id}`
  const group = 'Attachments'
  return [
    {
      method: 'get',
      path: all,
      group,
      summary: 'Its documents, oldest first',
      scope: 'invoices:read',
      answers: { 200: shapes.listOf(ref('AttachedDocument')) },
      handle: async (call) => ok(await documentsOf(call, idOf(call), isKind)),
    },
    {
      method: 'post',
      path: all,
      group,
      summary: 'Attach a file',
      scope: write,
      body: { kind: 'multipart' },
      answers: { 201: ref('AttachedDocument') },
      errors: ['file_too_large', 'empty_file'],
      idempotent: true,
      handle: (call) => addDocument(call, all.replace('{invoice_id}', idOf(call)), idOf(call), isKind),
    },
    {
      method: 'get',
      path: one,
      group,
      summary: 'Download a document',
      scope: 'invoices:read',
      answers: { 200: '*/*', 304: null },
      handle: (call) => download(call, isKind),
    },
    {
      method: 'delete',
      path: one,
      group,
      summary: 'Delete a document',
      scope: write,
      answers: { 204: null },
      write: async (call, tx) => {
        await deleteDocument(tx, call, idOf(call), documentIdOf(call), isKind)
        return noContent
      },
    },
  ]
}

export const DOCUMENT_ROUTES: readonly Route[] = [
  ...documentRoutes('/drafts', isDraftKind, 'invoices:write'),
  ...documentRoutes('/issued-invoices', isIssuedKind, 'invoices:write'),
  ...documentRoutes('/received-invoices', isReceivedKind, 'received:write'),
]
