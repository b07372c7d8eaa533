/**
 * Checks attached files: each exists, is unchanged, and has an attachment. The database is read from a snapshot, but
 * the files are not. Apparent problems are therefore checked again in the current database, which a running server may
 * have changed.
 */
import type { App } from '../../src/app/app.ts'
import { measureStream, openIfExists } from '../../src/documents/measuring-stream.ts'
import { type AttachmentRow, isAttached } from '../../src/service/attachments/attached-documents.ts'
import type { CompanyStore, Rows } from '../../src/store/store.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { verifyDigests } from './verify-digests.ts'
import type { Report, Subject } from './verify-report.ts'

type Attached = Pick<AttachmentRow, 'document_id' | 'file_name' | 'file_key' | 'size' | 'sha256'>

async function verifyFile(app: App, store: CompanyStore, report: Report, row: Attached): Promise<void> {
  const subject: Subject = { kind: 'attachment', id: row.document_id, name: row.file_name }
  const content = await openIfExists(app.files, row.file_key)
  const found = content && (await measureStream(content))
  const file = row.file_key
  const wrong = (['size', 'sha256'] as const).find((what) => found?.[what] !== row[what])
  if (!wrong || !(await isAttached(store, row.document_id))) return
  if (!found) report.fail('file_missing', subject, { file })
  else
    report.fail('file_differs', subject, {
      file,
      what: wrong,
      received: found[wrong],
      expected: row[wrong],
    })
}

export async function verifyAttachments(app: App, db: Rows, report: Report): Promise<void> {
  const attachments = db
    .select('attachments', { invoices: 'invoice_id' })
    .selectAll('attachments')
    .select('invoices.invoice_id as invoice')
  for await (const row of rowsInKeyOrder(attachments, 'attachments.document_id')) {
    const subject: Subject = { kind: 'attachment', id: row.document_id, name: row.file_name }
    report.checked('attachments')
    verifyDigests(report, subject, 'attachments', row)
    if (row.invoice === null) report.fail('attachment_without_invoice', subject)
    await verifyFile(app, app.store.of(db.companyId), report, row)
  }
}

/** Returns the keys of files that belong to an attachment, or whose upload or removal is in progress. */
async function heldOf(db: Rows, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>()
  // Reads pending files before and after attachments, so that a file that moves between the tables is not missed.
  for (const table of ['pending_files', 'attachments', 'pending_files'] as const) {
    const rows = await db.select(table).select('file_key').where('file_key', 'in', keys).execute()
    for (const { file_key } of rows) held.add(file_key)
  }
  return held
}

const exists = async (app: App, key: string): Promise<boolean> =>
  app.files.read(key).then(
    (stream) => {
      stream.destroy()
      return true
    },
    // Any other error means that the file exists, for example an invalid file name.
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  )

const KEYS = 200

export async function verifyFiles(app: App, companyId: string, report: Report): Promise<void> {
  const store = app.store.of(companyId)
  let keys: string[] = []
  const flush = async () => {
    if (keys.length === 0) return
    report.checked('files', keys.length)
    const held = await heldOf(store, keys)
    for (const key of keys)
      if (!held.has(key) && (await exists(app, key))) report.fail('file_orphan', { kind: 'file', id: key })
    keys = []
  }
  for await (const key of app.files.list(companyId)) if (keys.push(key) >= KEYS) await flush()
  await flush()
  const count = await store.countOf(store.select('pending_files'))
  if (count > 0) report.note('pending_files', { count })
}
