/** `restore`: restores a backup into an empty target, verifies it, and finds out what was issued since the backup. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import { readConfig } from '../../src/environment/config.ts'
import { print } from '../admin-output.ts'
import { parseCounter } from '../arguments.ts'
import type { Io } from '../io.ts'
import { withApp } from '../session.ts'
import { acceptanceText, restoreResultText } from './admin-restore-text.ts'
import { acceptRestored, restoreFrom } from './admin-restore-work.ts'
import { countText, type Flags } from './commands.ts'

interface RestoreFlags extends Flags {
  readonly from?: string
  readonly accept?: true
  readonly anyway?: true
  readonly skipNumbers?: number
  readonly numbersChecked?: true
}

export function add(restore: Command, io: Io): void {
  restore
    .option('--from <folder>', 'folder of the backup')
    .option('--accept', 'allow servers to start with the restored data')
    .option(
      '--skip-numbers <n>',
      'with --accept: skip this many numbers in every series, more than were assigned after the backup',
      parseCounter,
    )
    .option(
      '--numbers-checked',
      'with --accept: you have compared the next number of each series with the last invoices of customers',
    )
    .option('--anyway', 'with --accept: ignore all obstacles, although numbers could be assigned twice')
    .action(async (flags: RestoreFlags) => {
      const { from, accept, anyway = false, skipNumbers = 0, numbersChecked = false, json } = flags
      if ((from === undefined) === (accept === undefined))
        throw new UsageError('Use --from FOLDER to restore, and then --accept to allow servers to start.')
      if (from === undefined) {
        const { dataDir, databaseUrl } = readConfig(io.env)
        if (!databaseUrl && !existsSync(dataDir))
          throw new UsageError(`CUADRA_DATA_DIR ${dataDir} does not exist.`)
        const done = await withApp(io, (app) => acceptRestored(app, { anyway, skipNumbers, numbersChecked }))
        print(io, json, done, () => acceptanceText(done))
        return
      }
      if (anyway || numbersChecked || skipNumbers > 0)
        throw new UsageError('--skip-numbers, --numbers-checked and --anyway need --accept.')
      const done = await restoreFrom(io, from)
      print(io, json, done, () => restoreResultText(done))
      const broken = done.companies.filter(({ ok }) => !ok)
      if (broken.length > 0)
        throw new CuadraError(
          `The backup is restored, but ${countText(broken.length, 'company', 'companies')} in it had failures. Run \`cuadra-admin verify\`.`,
        )
    })
}
