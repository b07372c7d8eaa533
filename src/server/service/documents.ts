/** Attached files of invoices. */
import type { Call } from '../http/route.ts'
import type { Tx } from '../store/store.ts'

/** Removes the documents of an invoice that is being deleted; their files go after the commit. */
export async function removeDocumentsOf({ db, afterCommit }: Tx, call: Call, invoiceId: string): Promise<void> {
  const companyId = call.company.id
  const rows = await db
    .selectFrom('attachments')
    .select('file_key')
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', invoiceId)
    .execute()
  if (rows.length === 0) return
  const keys = rows.map(({ file_key }) => file_key)
  await db
    .insertInto('pending_files')
    .values(keys.map((file_key) => ({ company_id: companyId, file_key, owner: null, created_ms: call.app.clock.now() })))
    .execute()
  await db.deleteFrom('attachments').where('company_id', '=', companyId).where('invoice_id', '=', invoiceId).execute()
  afterCommit(() => sweepFiles(call.app, companyId, keys))
}

/** Removes files that nobody holds any more, and then the rows that say so. */
export async function sweepFiles({ files, store }: Call['app'], companyId: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await files.remove(key)
  await store.transaction(({ db }) =>
    db.deleteFrom('pending_files').where('company_id', '=', companyId).where('file_key', 'in', keys).execute(),
  )
}
