/** Options of `cuadra validate`, `explain` and `reconcile`. */
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import type { Operation, Text } from '../../api/index.ts'
import { FILES, FIX } from '../generated/texts/input.ts'
import type { Cli } from '../input/cli.ts'
import {
  addCommand,
  COMPANY,
  type DeclaredOptions,
  type DocumentFlags,
  FORMAT,
  settingsOf,
  TODAY,
} from '../input/flags.ts'
import { filesIn } from '../input/folders.ts'
import type { Settings } from '../input/settings.ts'
import { checkFiles, runDocuments, shapeOf } from './run-documents.ts'

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
  if (dryRun && !fix)
    throw cli.usageError({
      en: '--dry-run needs --fix: validate alone writes nothing',
      es: '--dry-run requiere --fix: validate por sí solo no escribe nada',
    })
  return fix ? (dryRun ? 'report' : 'write') : null
}

const OPTIONS: DeclaredOptions = {
  '--operation <name>': {
    en: 'validate for this operation',
    es: 'valida para esta operación',
    choices: ['draft', 'issue', 'import', 'received'],
  },
  ...COMPANY,
  ...TODAY,
  '--totals <mode>': {
    en: 'recalculate the totals sent, or check them',
    es: 'recalcula los totales enviados, o los comprueba',
    choices: ['recalculate', 'check'],
  },
  ...FORMAT,
  '-q, --quiet': {
    en: 'print only invalid documents',
    es: 'imprime solo los documentos no válidos',
  },
  '--no-data': {
    en: 'omit the completed invoice from JSON and the totals from text',
    es: 'omite la factura completada en JSON y los totales en texto',
  },
  '--ndjson': {
    en: 'read one document per line',
    es: 'lee un documento por línea',
  },
  '--workers <number>': {
    en: 'threads for a batch (default: number of cores minus one)',
    es: 'hilos para un lote (por defecto, el número de núcleos menos uno)',
    parse: threads,
  },
}

export function addDocumentCommand(cli: Cli, program: Command, name: Settings['command'], about: Text): void {
  const options = name === 'validate' ? { ...OPTIONS, ...FIX } : OPTIONS
  const outline = { name, about, argument: '[files...]', argumentText: FILES, options }
  addCommand(cli, program, outline).action(async (names: string[], flags: CheckFlags) => {
    const fix = fixOf(cli, flags)
    const ndjson = flags.ndjson === true
    const given = checkFiles(cli, names, ndjson, fix)
    const files = (await filesIn(cli, given, undefined)).map(({ file }) => file)
    const inputs = { files, ndjson, workers: flags.workers ?? Math.max(1, availableParallelism() - 1), fix }
    const { operation, totals, data: withData } = flags
    const settings = await settingsOf(cli, flags, { operation, totals })
    const shape = shapeOf(inputs)
    cli.setExitCode(await runDocuments(cli, inputs, { ...settings, command: name, withData, shape }))
  })
}
