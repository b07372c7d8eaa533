/**
 * Files that no attachment holds yet, or not any more. A row is committed before the first byte of a file is written,
 * and goes in the transaction that adds the attachment: whenever the power fails, every file is named by one of the
 * two. A removal works the same way in reverse.
 */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { isFull } from '../../../storage/faults.ts'
import type { App } from '../../app/app.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyStore, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'

/** Keys of files that this process is writing: a row of ours that is not among them was left behind. */
const writing = new Set<string>()
export const isWriting = (fileKey: string): boolean => writing.has(fileKey)

/** Says that this process is about to write a file. Nothing may be written before this has been committed. */
async function announce({ owner, clock }: App, store: CompanyStore, fileKey: string) {
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

/** In the transaction that adds the attachment: from now on that one holds the file. */
export async function adopt(tx: Tx, { owner }: App, fileKey: string): Promise<void> {
  const { numDeletedRows } = await tx
    .delete('pending_files')
    .where('file_key', '=', fileKey)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  // A sweeper took this process for dead, and its file away.
  if (numDeletedRows === 0n) throw new ApiError('service_unavailable', {}, { 'Retry-After': '1' })
  tx.afterCommit(async () => void writing.delete(fileKey))
}

/** In the transaction that deletes attachments: their files are to go. */
export async function abandonAll(tx: Tx, { clock }: App, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  const created_ms = clock.now()
  await tx.insert(
    'pending_files',
    fileKeys.map((file_key) => ({ file_key, created_ms })),
  )
}

/** Removes files whose rows have no owner any more, and then those rows. */
export async function removeFiles({ files }: App, store: CompanyStore, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  for (const key of fileKeys) await files.remove(key)
  await store.transaction((tx) => tx.delete('pending_files').where('file_key', 'in', fileKeys).execute())
}

/**
 * Takes a row from the owner that was read with it. False: somebody was faster, be it the upload itself, whose file
 * is an attachment now.
 */
export async function disown(store: CompanyStore, fileKey: string, owner: string) {
  return store.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .update('pending_files', { owner: null })
      .where('file_key', '=', fileKey)
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Gives up a file that this process has announced. One that has become an attachment after all stays. */
async function giveUp(app: App, store: CompanyStore, fileKey: string): Promise<void> {
  try {
    const ours = await disown(store, fileKey, app.owner).catch(async (error: unknown) => {
      // No room to write that down: the file goes first, if the row says that nobody holds it.
      if (!isFull(error)) throw error
      const row = await store
        .select('pending_files')
        .select('owner')
        .where('file_key', '=', fileKey)
        .executeTakeFirst()
      return row?.owner === app.owner
    })
    if (ours) await removeFiles(app, store, [fileKey])
  } catch (error) {
    app.log.warn({ err: error }, 'a file is left to the sweeper')
  } finally {
    writing.delete(fileKey)
  }
}

/** A file that is about to be written. */
export interface NewFile {
  readonly key: string
  /** Announces and writes it. */
  readonly write: (content: Readable) => Promise<void>
}

/** Does work that may write a file and make it an attachment. What is written and not kept is given up. */
export async function withFile<T>(
  { app, company, store }: Call,
  work: (file: NewFile) => Promise<T>,
): Promise<T> {
  const key = `${company.id}/${randomUUID()}`
  const write = async (content: Readable) => {
    await announce(app, store, key)
    await app.files.write(key, content)
  }
  try {
    return await work({ key, write })
  } finally {
    if (isWriting(key)) await giveUp(app, store, key)
  }
}
