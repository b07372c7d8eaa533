/** The commands that judge documents: `validate`, `explain` and `reconcile`. */
import { UsageError } from '../../errors/index.ts'
import { runBatch } from '../batch/run.ts'
import { WorkerPool } from '../batch/worker-pool.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import {
  checkStdin,
  isBatchName,
  looksLikeXml,
  openStream,
  readAll,
  STDIN,
  shownName,
  sizeOf,
} from '../input/inputs.ts'
import { rewrite } from '../input/rewrite.ts'
import type { Settings } from '../input/settings.ts'
import { checkDocument, type Origin, type Verdict } from '../input/verdict.ts'
import { reporterOf } from '../report/formats.ts'
import { Output } from '../report/output.ts'
import { NO_PROGRESS, type Progress, progressBar } from '../report/progress.ts'

export interface Inputs {
  readonly files: readonly string[]
  /** Every input holds one document a line, whatever its name. */
  readonly ndjson: boolean
  /** 0: no threads. */
  readonly workers: number
  /** What is certain is mended: in the file, or in words only. */
  readonly fix: 'write' | 'say' | null
}

const isBatch = (file: string, { ndjson }: Inputs): boolean => ndjson || isBatchName(file)

/** How many answers there will be. */
export const shapeOf = (inputs: Inputs): Settings['shape'] =>
  inputs.files.some((file) => isBatch(file, inputs))
    ? 'lines'
    : inputs.files.length === 1
      ? 'single'
      : 'several'

/** The bar of a batch, which only a terminal has. */
export async function progressOf(cli: Cli, files: readonly string[], settings: Settings) {
  const { err, env } = cli
  if (!err.isTTY || env.CI || settings.shape !== 'lines') return NO_PROGRESS
  return progressBar(err, await sizeOf(cli, files), colorsOf(settings.color), () => performance.now())
}

/** Does the work of each file. One that cannot be read does not stop the others; true: there was one. */
export async function eachFile<F>(
  cli: Cli,
  files: readonly F[],
  progress: Progress,
  work: (file: F) => Promise<void>,
): Promise<boolean> {
  let unreadable = false
  for (const file of files)
    try {
      await work(file)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      progress.hide()
      cli.err.write(`cuadra: ${error.message}\n`)
      unreadable = true
    }
  return unreadable
}

/** Mends a document in its file, or says how it would. Each document is mended alone: a batch stays as it is. */
async function fix(
  cli: Cli,
  file: string,
  bytes: Uint8Array,
  inputs: Inputs,
  settings: Settings,
): Promise<Verdict> {
  const origin = { file: shownName(file), index: null, line: 1 }
  const verdict = await judge(bytes, origin, settings)
  if (inputs.fix === null || looksLikeXml(bytes)) return verdict
  const { fixDocument } = await import('../input/fixes.ts')
  const fixed = fixDocument(verdict.text, origin, settings)
  const { fixes } = fixed
  if (fixes.length > 0 && inputs.fix === 'write') await rewrite(cli, file, bytes, fixed.text)
  return { ...fixed.verdict, answer: { ...fixed.verdict.answer, fixes } }
}

/** XML has no business in a batch of lines; alone it is judged by what reads it. */
async function judge(bytes: Uint8Array, origin: Origin, settings: Settings): Promise<Verdict> {
  if (!looksLikeXml(bytes)) return checkDocument(bytes, origin, settings)
  const { checkXml } = await import('../input/xml-verdict.ts')
  return checkXml(bytes, origin, settings)
}

/** Judges all inputs and answers with the exit code. */
export async function runDocuments(cli: Cli, inputs: Inputs, settings: Settings): Promise<number> {
  const progress = await progressOf(cli, inputs.files, settings)
  const output = new Output(cli.out, reporterOf(settings), progress)
  const pool = inputs.workers > 0 ? new WorkerPool(inputs.workers, settings) : null
  try {
    await output.begin()
    const unreadable = await eachFile(cli, inputs.files, progress, async (file) => {
      if (isBatch(file, inputs))
        return runBatch(shownName(file), openStream(cli, file), settings, output, pool)
      const verdict = await fix(cli, file, await readAll(cli, file), inputs, settings)
      await output.piece(output.reporter.one(verdict), 1, verdict.answer.is_valid ? 0 : 1)
    })
    await output.end()
    return unreadable ? 2 : output.invalid > 0 ? 1 : 0
  } finally {
    progress.hide()
    await pool?.close()
  }
}

/** Refuses what can only be a mistake. */
export function checkFiles(
  cli: Cli,
  files: readonly string[],
  ndjson: boolean,
  fix: Inputs['fix'] = null,
): readonly string[] {
  if (fix && ndjson)
    throw cli.refusal({
      en: '--fix mends documents that have a file of their own, not lines of a batch: leave --ndjson out',
      es: '--fix corrige documentos con fichero propio, no líneas de un lote: quite --ndjson',
    })
  if (fix === 'write' && files.includes(STDIN))
    throw cli.refusal({
      en: '--fix writes files: name them, or add --dry-run to see what it would write',
      es: '--fix escribe ficheros: nómbrelos, o añada --dry-run para ver qué escribiría',
    })
  if (files.length === 0 && ndjson) return [STDIN]
  if (files.length === 0)
    throw cli.refusal({
      en: 'no file given; name files or folders, or - for the standard input',
      es: 'no se ha dado ningún fichero; indique ficheros o carpetas, o - para la entrada estándar',
    })
  checkStdin(cli, files)
  return files
}
