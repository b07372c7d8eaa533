/** Removes files that a crash, a full disk or a lost connection left behind. */
import type { App } from '../../app/app.ts'
import { hasEnded } from '../../environment/process-owner.ts'
import { repeat } from '../../environment/repeat.ts'
import type { Row } from '../../store/tables.ts'
import { deleteExpiredKeys } from '../access/idempotency.ts'
import { isBeingWritten, releasePendingFile, removeFiles } from './pending-files.ts'

const HOUR = 3_600_000
const INTERVAL_MS = 5 * 60_000

type Pending = Row<'pending_files'>

/** Whether a file will never be attached. After an hour, a file of another process counts as abandoned. */
function isAbandoned({ owner, file_key, created_ms }: Pending, own: string, now: number): boolean {
  if (owner === null) return true
  if (owner === own) return !isBeingWritten(file_key)
  if (now - Number(created_ms) > HOUR) return true
  return hasEnded(owner)
}

/** Removes a file, unless its upload has just attached it. */
async function remove(app: App, { company_id, file_key, owner }: Pending): Promise<boolean> {
  const store = app.store.of(company_id)
  if (owner !== null && !(await releasePendingFile(store, file_key, owner))) return false
  const held = await store.find('attachments', { file_key }).select('document_id').executeTakeFirst()
  if (held) {
    app.log.error(
      { document_id: held.document_id },
      'an attachment still has a pending file; its file is kept',
    )
    return false
  }
  await removeFiles(app, store, [file_key])
  return true
}

/**
 * Removes the abandoned files of all companies, and deletes expired idempotency keys. Returns the number of removed
 * files. Several processes may do this at the same time. `pending_files` is read completely, because it has few rows.
 */
async function sweep(app: App): Promise<number> {
  const now = app.clock.now()
  const rows = await app.store
    .acrossCompanies('the sweeper looks after every company; it removes one by one')
    .selectFrom('pending_files')
    .selectAll()
    .execute()
  let removed = 0
  for (const row of rows) if (isAbandoned(row, app.owner, now) && (await remove(app, row))) removed++
  await app.store.transaction((tx) => deleteExpiredKeys(tx, now), { isOwn: true })
  return removed
}

/** Sweeps now and every five minutes. After a failure, the next sweep tries again. */
export async function startSweeping(app: App): Promise<() => Promise<void>> {
  const once = () =>
    sweep(app).then(
      (removed) => removed > 0 && app.log.warn({ removed }, 'files left behind were removed'),
      (error: unknown) => app.log.error({ err: error }, 'the sweeper failed'),
    )
  await once()
  return repeat(INTERVAL_MS, once)
}
