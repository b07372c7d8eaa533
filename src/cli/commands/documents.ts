/** `cuadra validate`, `explain` and `reconcile`: their options. */
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import type { Operation, Text } from '../../api/index.ts'
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

interface JudgeFlags extends DocumentFlags {
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
        cli.say({ en: 'It must be a number from 0 to 256.', es: 'Debe ser un número de 0 a 256.' }),
      )
    return number
  }

function fixOf(cli: Cli, { fix, dryRun }: JudgeFlags): 'write' | 'say' | null {
  if (dryRun && !fix)
    throw cli.refusal({
      en: '--dry-run is for --fix: validate alone writes nothing',
      es: '--dry-run es para --fix: validate por sí solo no escribe nada',
    })
  return fix ? (dryRun ? 'say' : 'write') : null
}

const OPTIONS: DeclaredOptions = {
  '--operation <name>': {
    en: 'what the invoice is checked for',
    es: 'para qué se comprueba la factura',
    choices: ['draft', 'issue', 'import', 'received'],
  },
  ...COMPANY,
  ...TODAY,
  '--totals <mode>': {
    en: 'replace the totals sent, or check them',
    es: 'sustituye los totales enviados, o los comprueba',
    choices: ['recalculate', 'check'],
  },
  ...FORMAT,
  '-q, --quiet': {
    en: 'print only documents that are not valid',
    es: 'imprime solo los documentos no válidos',
  },
  '--no-data': {
    en: 'leave the completed invoice out of JSON answers and the totals out of text',
    es: 'omite la factura completada en JSON y los totales en texto',
  },
  '--ndjson': {
    en: 'every input holds one document a line',
    es: 'cada entrada tiene un documento por línea',
  },
  '--workers <number>': {
    en: 'threads for a batch; without it, the cores but one',
    es: 'hilos para un lote; sin ella, los núcleos menos uno',
    parse: threads,
  },
}

/** Of `validate` alone. */
const FIX: DeclaredOptions = {
  '--fix': {
    en: 'mend in the files what has one certain mend, and say what',
    es: 'corrige en los ficheros lo que tiene una única corrección segura, y dice qué',
  },
  '--dry-run': {
    en: 'with --fix: say what it would mend, write nothing',
    es: 'con --fix: dice qué corregiría, sin escribir nada',
  },
}

const FILES: Text = {
  en: 'JSON, NDJSON (.ndjson, .jsonl) and XML files (Facturae, UBL, CII), folders of them, or - for the standard input',
  es: 'ficheros JSON, NDJSON (.ndjson, .jsonl) y XML (Facturae, UBL, CII), carpetas de ellos, o - para la entrada estándar',
}

export function addDocumentCommand(cli: Cli, program: Command, name: Settings['command'], about: Text): void {
  const options = name === 'validate' ? { ...OPTIONS, ...FIX } : OPTIONS
  const outline = { name, about, argument: '[files...]', argumentText: FILES, options }
  addCommand(cli, program, outline).action(async (names: string[], flags: JudgeFlags) => {
    const fix = fixOf(cli, flags)
    const ndjson = flags.ndjson === true
    const given = checkFiles(cli, names, ndjson, fix)
    const files = (await filesIn(cli, given, undefined)).map(({ file }) => file)
    const inputs = { files, ndjson, workers: flags.workers ?? Math.max(1, availableParallelism() - 1), fix }
    const { operation, totals, data: withData } = flags
    const settings = await settingsOf(cli, flags, { operation, totals })
    const shape = shapeOf(inputs)
    cli.done(await runDocuments(cli, inputs, { ...settings, command: name, withData, shape }))
  })
}
