/** Options of `cuadra record`. */
import type { Command } from 'commander'
import { RECORD } from '../generated/texts/options.ts'
import type { Cli } from '../input/cli.ts'
import {
  addCommand,
  type CommandDefinition,
  parseDay,
  parseTimestamp,
  withTexts,
} from '../input/input-flags.ts'
import type { RecordFlags } from './record-run.ts'

const OUTLINE: CommandDefinition = {
  ...RECORD,
  name: 'record',
  argument: '<invoice>',
  options: withTexts(RECORD.options, {
    '--date <date>': { parse: parseDay },
    '--timestamp <timestamp>': { parse: parseTimestamp },
    '--zone <zone>': { choices: ['Europe/Madrid', 'Atlantic/Canary'], defaultValue: 'Europe/Madrid' },
    '--correction <kind>': { choices: ['none', 'rejected', 'never_registered'] },
    '--environment <name>': { choices: ['production', 'test'], defaultValue: 'production' },
  }),
}

export function addRecordCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (file: string, flags: RecordFlags) => {
    const { makeRecord } = await import('./record-run.ts')
    cli.setExitCode(await makeRecord(cli, file, flags))
  })
}
