/** The manifest of a backup lists every part with its hash. It is written last, which marks the backup as complete. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CuadraError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import { statusOf, unpublishedText, VERSION } from '../../src/store/migrate.ts'
import type { ChainName, Environment } from '../../src/store/tables.ts'

export const MANIFEST = 'manifest.json'
/** List of the attached files, one per line: key, size, SHA-256. */
export const FILE_LIST = 'files.ndjson.gz'
export const FORMAT = 'cuadra-backup'
const FORMAT_VERSION = 1

/** A file of a backup. */
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

/** The end of a chain: its last record. */
export interface ChainHead {
  readonly company_id: string
  readonly environment: Environment
  readonly chain: ChainName
  readonly sequence: number
  readonly huella: string | null
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof FORMAT_VERSION
  readonly backup_id: string
  /** Version of the program that made the backup. */
  readonly program: string
  /** UTC timestamp. The backup contains everything committed before it. */
  readonly made_at: string
  /** `made_at` in the format of timestamps in fiscal records. */
  readonly timestamp: string
  readonly store: 'sqlite' | 'postgres'
  /** Version of the database tables: the number of the last migration. */
  readonly migration: number
  /** Fingerprint of the table declarations. The restoring program compares it with its own. */
  readonly fingerprint: string
  /** Fingerprint of the key that encrypts the certificates; null without certificates. */
  readonly sealed_with: string | null
  readonly tables: readonly TablePart[]
  readonly files: { readonly count: number; readonly bytes: number; readonly list: Part }
  readonly chains: readonly ChainHead[]
  /** Attached files that were missing or changed when the backup was made. */
  readonly problems: readonly string[]
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the text of a manifest, which ends with its own SHA-256. */
export const manifestText = (manifest: Omit<Manifest, 'format' | 'version'>): string => {
  const content = { format: FORMAT, version: FORMAT_VERSION, ...manifest }
  return `${JSON.stringify({ ...content, sha256: hashOf(JSON.stringify(content)) }, null, 1)}\n`
}

const NAME = /^tables\/[a-z_]+\.ndjson\.gz$/

/** Whether a value has the members that a manifest needs. */
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

/** Reads a manifest. Throws a `CuadraError` if it is missing or changed, or if this program has other tables. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CuadraError(
      code === 'ENOENT'
        ? `${folder} is not a backup: it has no ${MANIFEST}. Name a complete backup; a folder named .part-... is unfinished.`
        : `Cannot read ${file}: ${ioReason(error)}.`,
    )
  }
  const changed = new CuadraError(
    `${file} is damaged, or was changed after the backup was made. Nothing was restored. Use another backup.`,
  )
  let value: Record<string, unknown>
  try {
    value = JSON.parse(text) as Record<string, unknown>
  } catch {
    throw changed
  }
  if (typeof value !== 'object' || value === null) throw changed
  const { sha256, ...content } = value
  if (content.format !== FORMAT || typeof content.version !== 'number') throw changed
  if (content.version > FORMAT_VERSION)
    throw new CuadraError(
      `${folder} was made by a newer program, in another format. Restore it with that program.`,
    )
  if (sha256 !== hashOf(JSON.stringify(content)) || !isManifest(content)) throw changed
  const { migration, program, fingerprint } = content
  const status = statusOf({ version: migration, fingerprint })
  if (status === 'newer')
    throw new CuadraError(
      `${folder} has version ${migration} of the tables (cuadra ${program}); this program supports up to ${VERSION}. Restore it with the program that made it, or a newer one.`,
    )
  if (status !== 'current')
    throw new CuadraError(
      `${unpublishedText(folder, migration)} Nothing was restored. Start with a new database instead. To keep the data, restore the backup with the version that made it, and run its \`cuadra-admin export\`.`,
    )
  return content
}
