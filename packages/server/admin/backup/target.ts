/**
 * The target of a restore: an empty data folder and an empty database. Everything is first written to a separate folder
 * inside the data folder, so that an interrupted restore leaves nothing that could be mistaken for valid data. No
 * server starts while that folder exists.
 */
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flush, makeDurableFolder, PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { CuadraError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import type { Config } from '../../src/environment/config.ts'
import { hasEnded } from '../../src/environment/process-owner.ts'
import { unfinishedRestoreFolder } from '../../src/environment/restoring.ts'
import { readTableColumns } from '../../src/store/dump.ts'
import { DATABASE_FILE, openUnmigrated } from '../../src/store/store.ts'

type Location = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Entries allowed in an empty data folder: an encryption key copied there before, and `lost+found` of a volume. */
const HARMLESS = new Set(['secret.key', 'lost+found'])
const STATE = 'restore.json'

interface State {
  readonly restore_id: string
  readonly owner: string
}

async function stateIn(part: string): Promise<State | null> {
  try {
    return JSON.parse(await readFile(join(part, STATE), 'utf8')) as State
  } catch {
    return null
  }
}

const entriesOf = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CuadraError(`Cannot use CUADRA_DATA_DIR ${folder}: ${ioReason(error)}. Name a folder.`)
  })

/** Returns the last restore stored in the target database; null if the database has no tables. */
async function lastRestoreIn(target: Location): Promise<string | null | undefined> {
  if (!target.databaseUrl && !existsSync(join(target.dataDir, DATABASE_FILE))) return null
  const db = await openUnmigrated(target)
  try {
    const tables = await readTableColumns(db, target.databaseUrl !== undefined)
    if (tables.size === 0) return null
    if (!tables.has('restores')) return undefined
    const row = await db
      .selectFrom('restores')
      .select('restore_id')
      .orderBy('restored_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.restore_id
  } finally {
    await db.destroy()
  }
}

const notEmpty = ({ dataDir }: Location, isFolder: boolean): CuadraError =>
  new CuadraError(
    isFolder
      ? `CUADRA_DATA_DIR ${dataDir} is not empty. Set it to an empty folder, or move the content elsewhere. Do not delete it: it may have data that the backup lacks.`
      : `The database of CUADRA_DATABASE_URL has tables. Create an empty database (\`createdb\`) and set CUADRA_DATABASE_URL to it.`,
  )

/** An empty target, claimed by one restore. */
export class RestoreTarget {
  /** The folder to which everything is written first. */
  readonly part: string
  readonly #target: Location

  private constructor(target: Location) {
    this.#target = target
    this.part = unfinishedRestoreFolder(target)
  }

  /**
   * Claims the target. `isDone` means that an earlier restore was interrupted after its commit, so there is nothing
   * left to write.
   */
  static async claim(
    target: Location,
    state: State,
  ): Promise<{ readonly target: RestoreTarget; readonly isDone: boolean }> {
    const own = new RestoreTarget(target)
    const { part } = own
    const before = existsSync(part) ? await stateIn(part) : undefined
    if (before && !hasEnded(before.owner) && before.owner !== state.owner)
      throw new CuadraError(
        `Another restore into ${target.dataDir} is running (${before.owner}). Wait until it ends.`,
      )
    if (before !== undefined) {
      const last = await lastRestoreIn(target)
      if (before && last === before.restore_id) return { target: own, isDone: true }
      // Everything except the key was written by the interrupted restore, which began with an empty folder.
      for (const name of await entriesOf(target.dataDir))
        if (!HARMLESS.has(name)) await rm(join(target.dataDir, name), { recursive: true, force: true })
    }
    if ((await entriesOf(target.dataDir)).some((name) => !HARMLESS.has(name))) throw notEmpty(target, true)
    if ((await lastRestoreIn(target)) !== null) throw notEmpty(target, false)
    await makeDurableFolder(target.dataDir)
    await mkdir(part, { mode: PRIVATE_MODES.folder })
    await writeFile(join(part, STATE), `${JSON.stringify(state)}\n`, { mode: PRIVATE_MODES.file })
    await flush(part)
    await flush(target.dataDir)
    return { target: own, isDone: false }
  }

  /** Moves the attached files into the data folder. */
  async moveFiles(): Promise<void> {
    const files = join(this.part, 'files')
    if (existsSync(files)) await rename(files, join(this.#target.dataDir, 'files'))
    await flush(this.#target.dataDir)
  }

  /**
   * Moves the embedded database into the data folder, which completes the restore. It moves a copy, because the library
   * may still hold a lock on the file that it wrote.
   */
  async moveDatabase(): Promise<void> {
    const { dataDir } = this.#target
    const copy = join(this.part, `copy-of-${DATABASE_FILE}`)
    await copyFile(join(this.part, DATABASE_FILE), copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const handle = await open(copy, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(copy, join(dataDir, DATABASE_FILE))
    await flush(dataDir)
  }

  /** Removes the folder of the restore. */
  async finish(): Promise<void> {
    await rm(this.part, { recursive: true, force: true })
    await flush(this.#target.dataDir).catch(() => undefined)
  }

  /** Removes everything that a failed restore wrote. */
  async abandon(): Promise<void> {
    await rm(join(this.#target.dataDir, 'files'), { recursive: true, force: true }).catch(() => undefined)
    await this.finish().catch(() => undefined)
  }
}
