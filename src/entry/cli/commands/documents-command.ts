/** Options of `cuadra validate`, `explain` and `reconcile`. */
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import type { Operation, Text } from '#engine/index.ts'
import { DOCUMENTS, FILES, FIX } from '../generated/texts/options.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from '../input/cli.ts'
import { filesIn } from '../input/folders.ts'
import {
  addCommand,
  type DeclaredOptions,
  type DocumentFlags,
  FORMAT,
  settingsOf,
  TODAY,
  withTexts,
} from '../input/input-flags.ts'
import type { Settings } from '../input/input-settings.ts'
import { filesToRead, runDocuments, shapeOf } from './run-documents.ts'

interface CheckFlags extends DocumentFlags {
  readonly operation?: Operation
  readonly totals?: 'recalculate' | 'check'
  readonly data: boolean
  readonly workers?: number
  readonly fix?: true
  readonly dryRun?: true
}

const threads =
  (cli: Cli) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number > 256)
      throw new InvalidArgumentError(
        cli.translate({ en: 'Use a number from 0 to 256.', es: 'Indique un número de 0 a 256.' }),
      )
    return number
  }

function fixOf(cli: Cli, { fix, dryRun }: CheckFlags): 'write' | 'report' | null {
  if (dryRun && !fix) throw cli.usageError(USAGE.dry_run_without_fix)
  return fix ? (dryRun ? 'report' : 'write') : null
}

const OPTIONS: DeclaredOptions = withTexts(DOCUMENTS, {
  '--operation <name>': { choices: ['draft', 'issue', 'import', 'received'] },
  '--today <date>': TODAY,
  '--totals <mode>': { choices: ['recalculate', 'check'] },
  '--format <name>': FORMAT,
  '--workers <number>': { parse: threads },
})

export function addDocumentCommand(cli: Cli, program: Command, name: Settings['command'], about: Text): void {
  const options = name === 'validate' ? { ...OPTIONS, ...FIX } : OPTIONS
  const outline = { name, about, argument: '[files...]', argumentText: FILES, options }
  addCommand(cli, program, outline).action(async (names: string[], flags: CheckFlags) => {
    const fix = fixOf(cli, flags)
    const ndjson = flags.ndjson === true
    const given = filesToRead(cli, names, ndjson, fix)
    const files = (await filesIn(cli, given, undefined)).map(({ file }) => file)
    const inputs = { files, ndjson, workers: flags.workers ?? Math.max(1, availableParallelism() - 1), fix }
    const { operation, totals, data: withData } = flags
    const settings = await settingsOf(cli, flags, { operation, totals })
    const shape = shapeOf(inputs)
    cli.setExitCode(await runDocuments(cli, inputs, { ...settings, command: name, withData, shape }))
  })
}
