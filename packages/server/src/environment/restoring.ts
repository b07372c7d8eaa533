/**
 * Detects an unfinished restore in a data folder. No other program may use the folder before the restore is complete.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CuadraError } from '#core/errors/index.ts'
import type { Config } from './config.ts'

type DataFolder = Pick<Config, 'dataDir'>

/** Returns the folder in which a restore prepares all its files. */
export const unfinishedRestoreFolder = ({ dataDir }: DataFolder): string => join(dataDir, 'restore.part')

/** Throws a `CuadraError` if the data folder contains an unfinished restore. */
export function requireNoHalfRestore(config: DataFolder): void {
  if (existsSync(unfinishedRestoreFolder(config)))
    throw new CuadraError(
      `${config.dataDir} contains an unfinished restore, which is running or was killed. Wait for it, or run the same \`cuadra-admin restore --from FOLDER\` again to restart or finish it.`,
    )
}
