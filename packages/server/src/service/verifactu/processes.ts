/**
 * Processes that serve requests. Each updates its row every minute, in a table that all companies share. The table
 * shows whether the system is operating, and since when.
 */
import type { App } from '../../app/app.ts'
import { hasEnded } from '../../environment/process-owner.ts'
import type { Shared, Tx } from '../../store/store.ts'
import type { Row } from '../../store/tables.ts'

export type CurrentProcess = Pick<App, 'store' | 'clock' | 'owner'>

/** Milliseconds between two heartbeats. */
export const HEARTBEAT_MS = 60_000
/**
 * Milliseconds without a heartbeat after which a process on any machine counts as ended. This also applies to a
 * heartbeat that is this far in the future: it was written before the clock was set back.
 */
const SILENT_MS = 3 * HEARTBEAT_MS
/**
 * Milliseconds for which rows of ended processes are kept, because events of companies may still need their last
 * heartbeat.
 */
const KEPT_MS = 90 * 86_400_000

type Process = Row<'processes'>

const isAlive = (process: Process, { owner, clock }: CurrentProcess): boolean =>
  process.leaving === 0 &&
  (process.owner === owner ||
    (Math.abs(clock.now() - process.seen_ms) < SILENT_MS && !hasEnded(process.owner)))

export interface Processes {
  readonly alive: readonly Process[]
  /** Finds a process, running or ended; undefined if it is unknown. */
  readonly byOwner: (owner: string) => Process | undefined
}

export async function processesNow(shared: Shared, here: CurrentProcess): Promise<Processes> {
  const rows = await shared.selectFrom('processes').selectAll().execute()
  return {
    alive: rows.filter((row) => isAlive(row, here)),
    byOwner: (owner) => rows.find((row) => row.owner === owner),
  }
}

/** Returns this process if it serves requests (the command line does not), otherwise another one that does. */
export async function servingProcess(shared: Shared, here: CurrentProcess): Promise<string | null> {
  const { alive } = await processesNow(shared, here)
  const own = alive.find(({ owner }) => owner === here.owner)
  return (own ?? alive[0])?.owner ?? null
}

/**
 * Writes the heartbeat of this process, and deletes processes that ended long ago. This also tests whether the database
 * accepts changes.
 */
export async function writeHeartbeat({ store, clock, owner }: CurrentProcess): Promise<void> {
  const now = clock.now()
  await store.transaction(
    async ({ shared }) => {
      await shared
        .insertInto('processes')
        .values({ owner, started_ms: now, seen_ms: now, leaving: 0 })
        .onConflict((on) => on.column('owner').doUpdateSet({ seen_ms: now }))
        .execute()
      await shared
        .deleteFrom('processes')
        .where('seen_ms', '<', now - KEPT_MS)
        .execute()
    },
    { isOwn: true },
  )
  store.faults.noteWrite()
}

/** Marks this process as leaving, so that others do not hand companies over to it. */
export const markLeaving = ({ store, owner }: CurrentProcess): Promise<unknown> =>
  store.transaction(
    ({ shared }) => shared.updateTable('processes').set({ leaving: 1 }).where('owner', '=', owner).execute(),
    { isOwn: true },
  )

export const deleteProcess = ({ store, owner }: CurrentProcess): Promise<unknown> =>
  store.transaction(({ shared }) => shared.deleteFrom('processes').where('owner', '=', owner).execute(), {
    isOwn: true,
  })

/** Returns another running process. It cannot leave until this transaction ends. */
export async function findSuccessor(tx: Tx, here: CurrentProcess): Promise<string | null> {
  const { alive } = await processesNow(tx.shared, here)
  for (const { owner } of alive) {
    if (owner === here.owner) continue
    const query = tx.shared.selectFrom('processes').select('leaving').where('owner', '=', owner)
    const row = await (tx.locks ? query.forUpdate() : query).executeTakeFirst()
    if (row?.leaving === 0) return owner
  }
  return null
}
