/**
 * Pending files: files that are not attached yet, and files to be removed. A row in `pending_files` is committed before
 * the first byte of a file is written, and the transaction that adds the attachment deletes this row. So every file has
 * a row in one of the two tables, even after a power failure. To remove a file, the same steps are done in reverse.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isUnwritable } from 'cuadra-storage/storage-faults.ts'
import type { App } from '../../app/app.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyStore, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'

/** Keys of files that this process is writing. Any other pending file of this process is abandoned. */
const writing = new Set<string>()
export const isBeingWritten = (fileKey: string): boolean => writing.has(fileKey)

/** Inserts the row of a file that this process will write. No byte may be written before the row is committed. */
async function addPendingFile({ owner, clock }: App, store: CompanyStore, fileKey: string) {
  writing.add(fileKey)
  try {
    await store.transaction(
      (tx) => tx.insert('pending_files', { file_key: fileKey, owner, created_ms: clock.now() }),
      { isOwn: true },
    )
  } catch (error) {
    writing.delete(fileKey)
    throw error
  }
}

/** Deletes the pending row of a file, in the transaction that adds its attachment. */
export async function attachPendingFile(tx: Tx, { owner }: App, fileKey: string): Promise<void> {
  const { numDeletedRows } = await tx
    .delete('pending_files', { file_key: fileKey, owner })
    .executeTakeFirstOrThrow()
  // The file is gone: the sweeper of another process assumed that this process had ended.
  if (numDeletedRows === 0n) throw new ApiError('service_unavailable', {}, { 'Retry-After': '1' })
  tx.afterCommit(async () => void writing.delete(fileKey))
}

/** Marks files for removal, in the transaction that deletes their attachments. */
export async function markForRemoval(tx: Tx, { clock }: App, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  const created_ms = clock.now()
  await tx.insert(
    'pending_files',
    fileKeys.map((file_key) => ({ file_key, created_ms })),
  )
}

/** Removes files that no process is writing, and then their rows. */
export async function removeFiles({ files }: App, store: CompanyStore, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  for (const key of fileKeys) await files.remove(key)
  await store.transaction((tx) => tx.delete('pending_files').where('file_key', 'in', fileKeys).execute())
}

/**
 * Removes the owner of a pending file if it is still `owner`. Returns false if another process has already done this,
 * or if the upload has attached the file.
 */
export async function releasePendingFile(store: CompanyStore, fileKey: string, owner: string) {
  return store.transaction((tx) => tx.change('pending_files', { owner: null }, { file_key: fileKey, owner }))
}

/** Discards a pending file of this process. A file that is attached is kept. */
async function discardPendingFile(app: App, store: CompanyStore, fileKey: string): Promise<void> {
  try {
    const ours = await releasePendingFile(store, fileKey, app.owner).catch(async (error: unknown) => {
      // The store accepts no writes, so no row changes. While the row names this process, the file is not attached.
      if (!isUnwritable(error)) throw error
      const row = await store.find('pending_files', { file_key: fileKey }).select('owner').executeTakeFirst()
      return row?.owner === app.owner
    })
    if (ours) await removeFiles(app, store, [fileKey])
  } catch (error) {
    app.log.warn({ err: error }, 'a pending file is left for the sweeper')
  } finally {
    writing.delete(fileKey)
  }
}

export interface NewFile {
  readonly key: string
  /** Inserts the pending row of the file, then writes the file. */
  readonly write: (content: Readable) => Promise<void>
}

/** Does work that may write a file and attach it. A file that was written but not attached is removed. */
export async function withFile<T>(
  { app, company, store }: Call,
  work: (file: NewFile) => Promise<T>,
): Promise<T> {
  const key = `${company.id}/${randomUUID()}`
  const write = async (content: Readable) => {
    await addPendingFile(app, store, key)
    await app.files.write(key, content)
  }
  try {
    return await work({ key, write })
  } finally {
    if (isBeingWritten(key)) await discardPendingFile(app, store, key)
  }
}
