/** What the data folder remembers of the last backup: for `doctor`, and for the metrics of the servers. */
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE } from '../../storage/private-files.ts'
import type { Config } from './config.ts'

export interface LastBackup {
  readonly backup_id: string
  /** UTC. */
  readonly made_at: string
  readonly out: string
  /** Whether every attached file was as it should be. */
  readonly whole: boolean
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'last-backup.json')

/** Null where no backup was made from this data folder. */
export function lastBackup(config: Pick<Config, 'dataDir'>): LastBackup | null {
  try {
    const found = JSON.parse(readFileSync(fileOf(config), 'utf8')) as LastBackup
    return Number.isNaN(Date.parse(`${found.made_at}Z`)) ? null : found
  } catch {
    // Not there, or not readable: then nothing is known of one.
    return null
  }
}

/** Milliseconds since 1970 of its moment. */
export const timestampOfBackup = ({ made_at }: LastBackup): number => Date.parse(`${made_at}Z`)

export async function noteBackup(config: Pick<Config, 'dataDir'>, backup: LastBackup): Promise<void> {
  const file = fileOf(config)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(backup)}\n`, { mode: PRIVATE.file })
  await rename(draft, file)
}
