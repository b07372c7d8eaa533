/** `restore`: puts a backup back into an empty place, holds it against itself, and asks what was issued since. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { CuadraError, UsageError } from '../../errors/index.ts'
import { readConfig } from '../../server/environment/config.ts'
import { counter } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer } from '../output.ts'
import { withApp } from '../session.ts'
import { type Flags, plural } from './commands.ts'
import { acceptedText, restoredText } from './restore-text.ts'
import { accepted, restored } from './restore-work.ts'

interface RestoreFlags extends Flags {
  readonly from?: string
  readonly accept?: true
  readonly anyway?: true
  readonly skipNumbers?: number
  readonly numbersChecked?: true
}

export function add(restore: Command, io: Io): void {
  restore
    .option('--from <folder>', 'the backup')
    .option('--accept', 'let servers serve what was restored, once you know what was issued since the backup')
    .option(
      '--skip-numbers <n>',
      'with --accept: every series goes on so many numbers later, beyond those that were assigned after the backup',
      counter,
    )
    .option(
      '--numbers-checked',
      'with --accept: the next number of each series was compared with the last invoices of customers',
    )
    .option('--anyway', 'with --accept: although it is not known, or numbers could be assigned twice')
    .action(async (flags: RestoreFlags) => {
      const { from, accept, anyway = false, skipNumbers = 0, numbersChecked = false, json } = flags
      if ((from === undefined) === (accept === undefined))
        throw new UsageError('Say --from FOLDER to restore, and then --accept to serve.')
      if (from === undefined) {
        const { dataDir, databaseUrl } = readConfig(io.env)
        if (!databaseUrl && !existsSync(dataDir))
          throw new UsageError(`CUADRA_DATA_DIR ${dataDir} is not there.`)
        const done = await withApp(io, (app) => accepted(app, { anyway, skipNumbers, numbersChecked }))
        answer(io, json, done, () => acceptedText(done))
        return
      }
      if (anyway || numbersChecked || skipNumbers > 0)
        throw new UsageError('--skip-numbers, --numbers-checked and --anyway go with --accept.')
      const done = await restored(io, from)
      answer(io, json, done, () => restoredText(done))
      const broken = done.companies.filter(({ ok }) => !ok)
      if (broken.length > 0)
        throw new CuadraError(
          `All of the backup is restored, and ${plural(broken.length, 'company has', 'companies have')} breaks that were in it. Run \`cuadra-admin verify\`.`,
        )
    })
}
