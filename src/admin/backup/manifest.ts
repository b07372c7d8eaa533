/** What a backup says of itself: written last, so that a folder without it is none, and held against every part of it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import { VERSION } from '../../server/store/migrate.ts'
import type { ChainName, Environment } from '../../server/store/tables.ts'
import { ioReason } from '../../terminal/io-reason.ts'

export const MANIFEST = 'manifest.json'
/** The attached files, a line for each: key, size, SHA-256. */
export const FILE_LIST = 'files.ndjson.gz'
export const FORMAT = 'cuadra-backup'
const FORM = 1

/** A part of a backup as it was written. */
export interface Part {
  readonly file: string
  readonly size: number
  readonly sha256: string
}

export interface TablePart extends Part {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: number
}

/** The end of a chain: what the next record would follow. */
export interface ChainHead {
  readonly company_id: string
  readonly environment: Environment
  readonly chain: ChainName
  readonly sequence: number
  readonly huella: string | null
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof FORM
  readonly backup_id: string
  /** The program that made it. */
  readonly program: string
  /** UTC: what was committed before is in it. */
  readonly made_at: string
  /** The same moment as fiscal records write it. */
  readonly timestamp: string
  readonly store: 'sqlite' | 'postgres'
  /** Version of the tables. */
  readonly migration: number
  /** Tells the key that certificates are sealed with from others; null where there is no certificate. */
  readonly sealed_with: string | null
  readonly tables: readonly TablePart[]
  readonly files: { readonly count: number; readonly bytes: number; readonly list: Part }
  readonly chains: readonly ChainHead[]
  /** Attached files that were not as they should be when the backup was made. */
  readonly problems: readonly string[]
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The text of a manifest, which ends with its own SHA-256. */
export const manifestText = (manifest: Omit<Manifest, 'format' | 'version'>): string => {
  const whole = { format: FORMAT, version: FORM, ...manifest }
  return `${JSON.stringify({ ...whole, sha256: hashOf(JSON.stringify(whole)) }, null, 1)}\n`
}

const NAME = /^tables\/[a-z_]+\.ndjson\.gz$/

/** Whether the members are there that are looked at before anything is believed. */
function isManifest(value: unknown): value is Manifest {
  const { tables, files, migration, chains, backup_id } = value as Partial<Manifest>
  return (
    Array.isArray(tables) &&
    tables.every(
      ({ table, columns, rows, file }: TablePart) =>
        typeof table === 'string' &&
        Array.isArray(columns) &&
        columns.length > 0 &&
        Number.isSafeInteger(rows) &&
        NAME.test(file),
    ) &&
    files?.list?.file === FILE_LIST &&
    Number.isSafeInteger(migration) &&
    Array.isArray(chains) &&
    typeof backup_id === 'string'
  )
}

/** Reads a manifest. Throws a `CuadraError` for a folder without one, a changed one, and one of a newer program. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CuadraError(
      code === 'ENOENT'
        ? `${folder} is no backup: it has no ${MANIFEST}. Name a folder that \`cuadra-admin backup\` has finished; one whose name ends with .part-... is half a backup.`
        : `${file} cannot be read: ${ioReason(error)}.`,
    )
  }
  const changed = new CuadraError(
    `${file} is damaged, or was changed after the backup was made. Nothing was restored; take another backup.`,
  )
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    throw changed
  }
  if (typeof value !== 'object' || value === null) throw changed
  const { sha256, ...whole } = value
  if (whole.format !== FORMAT || typeof whole.version !== 'number') throw changed
  if (whole.version > FORM)
    throw new CuadraError(`${folder} was made by a newer program, in another form. Restore it with that one.`)
  if (sha256 !== hashOf(JSON.stringify(whole)) || !isManifest(whole)) throw changed
  const { migration, program } = whole
  if (migration > VERSION)
    throw new CuadraError(
      `${folder} has version ${migration} of the tables (cuadra ${program}), this program knows ${VERSION}. Restore it with the program that made it, or a newer one.`,
    )
  return whole
}
