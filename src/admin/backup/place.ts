/**
 * Where a backup is put back: a data folder and a database that have nothing yet. All of it is made in a folder of its
 * own inside, so that a restore that is killed leaves nothing that could be taken for the data; while that folder is
 * there no server starts.
 */
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import type { Config } from '../../server/environment/config.ts'
import { hasEnded } from '../../server/environment/owner.ts'
import { unfinishedRestore } from '../../server/environment/restoring.ts'
import { tablesThere } from '../../server/store/dump.ts'
import { DATABASE_FILE, openBare } from '../../server/store/store.ts'
import { flushFolder, makeLastingFolder, PRIVATE } from '../../storage/private-files.ts'
import { ioReason } from '../../terminal/io-reason.ts'

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/** What may be in a data folder that has no data: the key may be put there first, and a volume has `lost+found`. */
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
    throw new CuadraError(`CUADRA_DATA_DIR ${folder} cannot be used: ${ioReason(error)}. Name a folder.`)
  })

/** The restore that the database knows as its last; null where it has no tables. */
async function lastRestoreIn(place: Place): Promise<string | null | undefined> {
  if (!place.databaseUrl && !existsSync(join(place.dataDir, DATABASE_FILE))) return null
  const db = await openBare(place)
  try {
    const tables = await tablesThere(db, place.databaseUrl !== undefined)
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

const notEmpty = ({ dataDir }: Place, isFolder: boolean): CuadraError =>
  new CuadraError(
    isFolder
      ? `CUADRA_DATA_DIR ${dataDir} is not empty. A backup is put back into an empty folder only: set CUADRA_DATA_DIR to a new one, or move what is there aside (not away: it may hold what the backup has not).`
      : `The database of CUADRA_DATABASE_URL has tables. A backup is put back into an empty database only: make a new one (\`createdb\`) and set CUADRA_DATABASE_URL to it.`,
  )

/** A place that is empty, and where nobody else restores. */
export class RestorePlace {
  /** The folder in which everything is made. */
  readonly part: string
  readonly #relativePath: Place

  private constructor(place: Place) {
    this.#relativePath = place
    this.part = unfinishedRestore(place)
  }

  /**
   * Takes the place. `isDone`: an earlier restore into it was killed when all of it was there; nothing is left to do but
   * to say so.
   */
  static async take(
    place: Place,
    state: State,
  ): Promise<{ readonly place: RestorePlace; readonly isDone: boolean }> {
    const own = new RestorePlace(place)
    const { part } = own
    const before = existsSync(part) ? await stateIn(part) : undefined
    if (before && !hasEnded(before.owner) && before.owner !== state.owner)
      throw new CuadraError(
        `Somebody else is restoring into ${place.dataDir} (${before.owner}). Wait for it.`,
      )
    if (before !== undefined) {
      const last = await lastRestoreIn(place)
      if (before && last === before.restore_id) return { place: own, isDone: true }
      // Whatever is here, but for the key, is of the restore that was killed: it began with an empty folder.
      for (const name of await entriesOf(place.dataDir))
        if (!HARMLESS.has(name)) await rm(join(place.dataDir, name), { recursive: true, force: true })
    }
    if ((await entriesOf(place.dataDir)).some((name) => !HARMLESS.has(name))) throw notEmpty(place, true)
    if ((await lastRestoreIn(place)) !== null) throw notEmpty(place, false)
    await makeLastingFolder(place.dataDir)
    await mkdir(part, { mode: PRIVATE.folder })
    await writeFile(join(part, STATE), `${JSON.stringify(state)}\n`, { mode: PRIVATE.file })
    await flushFolder(part)
    await flushFolder(place.dataDir)
    return { place: own, isDone: false }
  }

  /** Puts the attached files where they belong. */
  async placeFiles(): Promise<void> {
    const files = join(this.part, 'files')
    if (existsSync(files)) await rename(files, join(this.#relativePath.dataDir, 'files'))
    await flushFolder(this.#relativePath.dataDir)
  }

  /**
   * Puts the embedded database where it belongs: from here on the folder has the data. It is a copy that gets the name:
   * the library may not have let go of the file that it wrote, and locks belong to files, not to names.
   */
  async placeDatabase(): Promise<void> {
    const { dataDir } = this.#relativePath
    const copy = join(this.part, `copy-of-${DATABASE_FILE}`)
    await copyFile(join(this.part, DATABASE_FILE), copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const handle = await open(copy, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(copy, join(dataDir, DATABASE_FILE))
    await flushFolder(dataDir)
  }

  /** The end, whichever way it went. */
  async finish(): Promise<void> {
    await rm(this.part, { recursive: true, force: true })
    await flushFolder(this.#relativePath.dataDir).catch(() => undefined)
  }

  /** Nothing is left of a restore that failed. */
  async abandon(): Promise<void> {
    await rm(join(this.#relativePath.dataDir, 'files'), { recursive: true, force: true }).catch(() => undefined)
    await this.finish().catch(() => undefined)
  }
}
