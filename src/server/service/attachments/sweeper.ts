/** Removes files that nobody works on any more: what a crash, a full disk or a lost connection left behind. */
import type { App } from '../../app/app.ts'
import { hasEnded } from '../../environment/owner.ts'
import { repeat } from '../../environment/repeat.ts'
import type { Row } from '../../store/tables.ts'
import { forget } from '../access/idempotency.ts'
import { disown, isWriting, removeFiles } from './pending.ts'

const HOUR = 3_600_000
const EVERY = 5 * 60_000

type Pending = Row<'pending_files'>

/** Whether nobody will finish this file. A process of another machine is taken for dead after an hour. */
function isLeft({ owner, file_key, created_ms }: Pending, own: string, now: number): boolean {
  if (owner === null) return true
  if (owner === own) return !isWriting(file_key)
  if (now - Number(created_ms) > HOUR) return true
  return hasEnded(owner)
}

/** Removes one file, unless its upload ends at this moment. */
async function remove(app: App, { company_id, file_key, owner }: Pending): Promise<boolean> {
  const store = app.store.of(company_id)
  if (owner !== null && !(await disown(store, file_key, owner))) return false
  const held = await store
    .select('attachments')
    .select('document_id')
    .where('file_key', '=', file_key)
    .executeTakeFirst()
  if (held) {
    app.log.error({ document_id: held.document_id }, 'an attachment has a row of a pending file: left alone')
    return false
  }
  await removeFiles(app, store, [file_key])
  return true
}

/**
 * Removes every file that was left behind, of all companies: the table holds only what is under way. Any number of
 * processes may sweep at once. Answers how many went. Forgets old idempotency keys on the way.
 */
async function sweep(app: App): Promise<number> {
  const now = app.clock.now()
  const rows = await app.store
    .acrossCompanies('the sweeper looks after every company; it removes one by one')
    .selectFrom('pending_files')
    .selectAll()
    .execute()
  let removed = 0
  for (const row of rows) if (isLeft(row, app.owner, now) && (await remove(app, row))) removed++
  await app.store.transaction((tx) => forget(tx, now), { isOwn: true })
  return removed
}

/** Sweeps now and every few minutes. A sweep that fails is not the end of the server: the next one follows. */
export async function startSweeping(app: App): Promise<() => Promise<void>> {
  const once = () =>
    sweep(app).then(
      (removed) => removed > 0 && app.log.warn({ removed }, 'files that were left behind are removed'),
      (error: unknown) => app.log.error({ err: error }, 'the sweeper failed'),
    )
  await once()
  return repeat(EVERY, once)
}
