/** Stores the time and completeness of the last backup in the data folder, for `doctor` and the metrics. */
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import type { Config } from './config.ts'

export interface LastBackup {
  readonly backup_id: string
  /** Time of the backup, in UTC. */
  readonly made_at: string
  readonly out: string
  /** Whether every attached file was intact. */
  readonly complete: boolean
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'last-backup.json')

/** Returns the last backup made from this data folder; null if no backup was made. */
export function readLastBackup(config: Pick<Config, 'dataDir'>): LastBackup | null {
  try {
    const backup = JSON.parse(readFileSync(fileOf(config), 'utf8')) as LastBackup
    return Number.isNaN(Date.parse(`${backup.made_at}Z`)) ? null : backup
  } catch {
    // A missing or unreadable file means that no backup was made.
    return null
  }
}

/** Returns the time of a backup in milliseconds since 1970. */
export const timestampOfBackup = ({ made_at }: LastBackup): number => Date.parse(`${made_at}Z`)

export async function saveLastBackup(config: Pick<Config, 'dataDir'>, backup: LastBackup): Promise<void> {
  const file = fileOf(config)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(backup)}\n`, { mode: PRIVATE_MODES.file })
  await rename(draft, file)
}
