/** Exports attached files under safe, unique names, with their data in `documents.ndjson`. */
import type { App } from '../../src/app/app.ts'
import { safeFileName } from '../../src/documents/file-names.ts'
import { openIfExists } from '../../src/documents/measuring-stream.ts'
import { isAttached } from '../../src/service/attachments/attached-documents.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import type { ExportFolder } from './export-folder.ts'
import { shardOf } from './export-invoices.ts'

/** Characters that some file system or shell treats specially. */
const AWKWARD = /[^\p{L}\p{N} ._()-]/gu
const LONGEST = 100

/**
 * Returns a recognisable file name. The id at its start makes it unique, and prevents device names and hidden files.
 */
const nameOf = (fileName: string): string => {
  const safe = safeFileName(fileName)
    .replaceAll(AWKWARD, '_')
    .replace(/(?<![ .])[ .]+$/, '')
  const extension = /\.[\p{L}\p{N}]{1,10}$/u.exec(safe)?.[0] ?? ''
  const body = [...safe.slice(0, safe.length - extension.length)].slice(0, LONGEST).join('')
  return `${body}${extension}`
}

/** Messages about documents that could not be exported. */
export type Problems = string[]

export async function exportDocuments(app: App, db: Rows, folder: ExportFolder): Promise<Problems> {
  const problems: Problems = []
  async function* documents() {
    for await (const row of rowsInKeyOrder(db.select('attachments').selectAll(), 'document_id')) {
      const { company_id: _, file_key, metadata, ...columns } = row
      const path = `documents/${shardOf(row.invoice_id)}/${row.invoice_id}/${row.document_id} ${nameOf(row.file_name)}`
      const content = await openIfExists(app.files, file_key)
      if (!content) {
        // If the document was deleted after the snapshot, its missing file is not a problem.
        if (await isAttached(app.store.of(db.companyId), row.document_id))
          problems.push(`${row.file_name} (${row.document_id}) has no file ${file_key}`)
        continue
      }
      const { size, sha256 } = await folder.copy(path, content)
      if (size !== row.size || sha256 !== row.sha256)
        problems.push(`${row.file_name} (${row.document_id}) is not the file that was attached`)
      yield { ...columns, metadata: fromJson(metadata), path }
    }
  }
  await folder.lines('documents.ndjson', 'documents', documents())
  return problems
}
