/**
 * Files that no attachment holds yet, or not any more. A row is committed before the first byte of a file is written,
 * and goes in the transaction that adds the attachment: whenever the power fails, every file is named by one of the
 * two. A removal is the same backwards.
 */
import type { App } from '../app.ts'
import { ApiError } from '../errors/api-error.ts'
import { isFull } from '../store/faults.ts'
import type { Tx } from '../store/store.ts'

/** Keys of files that this process is writing: a row of ours that is not among them was left behind. */
const writing = new Set<string>()
export const isWriting = (fileKey: string): boolean => writing.has(fileKey)

/** Says that this process is about to write a file. Nothing may be written before this has been committed. */
export async function announce({ store, owner, clock }: App, companyId: string, fileKey: string) {
  writing.add(fileKey)
  try {
    await store.transaction(
      ({ db }) =>
        db
          .insertInto('pending_files')
          .values({ company_id: companyId, file_key: fileKey, owner, created_ms: clock.now() })
          .execute(),
      { isOwn: true },
    )
  } catch (error) {
    writing.delete(fileKey)
    throw error
  }
}

/** In the transaction that adds the attachment: from now on that one holds the file. */
export async function adopt({ db }: Tx, { owner }: App, companyId: string, fileKey: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('pending_files')
    .where('company_id', '=', companyId)
    .where('file_key', '=', fileKey)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  // A sweeper took this process for dead, and its file away.
  if (numDeletedRows === 0n) throw new ApiError('service_unavailable', {}, { 'Retry-After': '1' })
}

/** In the transaction that deletes attachments: their files are to go. */
export async function abandonAll({ db }: Tx, { clock }: App, companyId: string, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  const created_ms = clock.now()
  await db
    .insertInto('pending_files')
    .values(fileKeys.map((file_key) => ({ company_id: companyId, file_key, owner: null, created_ms })))
    .execute()
}

/** Removes files whose rows have no owner any more, and then those rows. */
export async function removeFiles({ files, store }: App, companyId: string, fileKeys: readonly string[]) {
  if (fileKeys.length === 0) return
  for (const key of fileKeys) await files.remove(key)
  await store.transaction(({ db }) =>
    db
      .deleteFrom('pending_files')
      .where('company_id', '=', companyId)
      .where('file_key', 'in', fileKeys)
      .execute(),
  )
}

/**
 * Takes a row from the owner that was read with it. False: somebody was faster, be it the upload itself, whose file
 * is an attachment now.
 */
export async function disown({ store }: App, companyId: string, fileKey: string, owner: string) {
  return store.transaction(async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable('pending_files')
      .set({ owner: null })
      .where('company_id', '=', companyId)
      .where('file_key', '=', fileKey)
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Gives up a file that this process has announced. One that has become an attachment after all stays. */
export async function giveUp(app: App, companyId: string, fileKey: string): Promise<void> {
  try {
    const ours = await disown(app, companyId, fileKey, app.owner).catch(async (error: unknown) => {
      // No room to write that down: the file goes first, if the row says that nobody holds it.
      if (!isFull(error)) throw error
      const row = await app.store.read
        .selectFrom('pending_files')
        .select('owner')
        .where('company_id', '=', companyId)
        .where('file_key', '=', fileKey)
        .executeTakeFirst()
      return row?.owner === app.owner
    })
    if (ours) await removeFiles(app, companyId, [fileKey])
  } catch (error) {
    app.log.warn({ err: error }, 'a file is left to the sweeper')
  } finally {
    writing.delete(fileKey)
  }
}

/** An announced file has become an attachment. */
export const isKept = (fileKey: string): void => void writing.delete(fileKey)
