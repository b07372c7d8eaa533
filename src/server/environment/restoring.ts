/** A restore that is under way in a data folder, or was killed there: nothing else may use the folder until it is done. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import type { Config } from './config.ts'

type DataFolder = Pick<Config, 'dataDir'>

/** The folder in which a restore makes everything. */
export const unfinishedRestore = ({ dataDir }: DataFolder): string => join(dataDir, 'restore.part')

/** Throws a `CuadraError` for a data folder with half a restore. */
export function requireNoHalfRestore(config: DataFolder): void {
  if (existsSync(unfinishedRestore(config)))
    throw new CuadraError(
      `${config.dataDir} holds half a restore: one is going on, or was killed. Wait for it, or run the same \`cuadra-admin restore --from FOLDER\` again: it begins anew, or finishes.`,
    )
}
