/** Runs `cuadra validate`, `explain` and `reconcile`. */
import { UsageError } from '#core/errors/index.ts'
import { runBatch } from '../batch/run-batch.ts'
import { WorkerPool } from '../batch/worker-pool.ts'
import { USAGE } from '../generated/texts/usage.ts'
import { checkDocument, type DocumentResult, type Origin } from '../input/check-document.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import type { Settings } from '../input/input-settings.ts'
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
import { NO_PROGRESS, type Progress, progressBar } from '../report/progress.ts'
import { reporterOf } from '../report/report-formats.ts'
import { Output } from '../report/report-output.ts'
import { tallyOf } from '../report/reporter.ts'

export interface Inputs {
  readonly files: readonly string[]
  /** Whether to read every input as one document per line, whatever its file name. */
  readonly ndjson: boolean
  /** Number of threads; 0 checks batches without threads. */
  readonly workers: number
  /** Whether fixes are written to the files or only reported; null without `--fix`. */
  readonly fix: 'write' | 'report' | null
}

const isBatch = (file: string, { ndjson }: Inputs): boolean => ndjson || isBatchName(file)

/** Returns the form of the JSON output for these inputs. */
export const shapeOf = (inputs: Inputs): Settings['shape'] =>
  inputs.files.some((file) => isBatch(file, inputs))
    ? 'lines'
    : inputs.files.length === 1
      ? 'single'
      : 'several'

/** Returns the progress bar of a batch, shown only on a terminal. */
export async function progressOf(cli: Cli, files: readonly string[], settings: Settings) {
  const { err, env } = cli
  if (!err.isTTY || env.CI || settings.shape !== 'lines') return NO_PROGRESS
  return progressBar(err, await sizeOf(cli, files), colorsOf(settings.color), () => performance.now())
}

/** Processes each file and reports files that cannot be read. Returns whether any file could not be read. */
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

/** Checks a document and, with `--fix`, fixes it in its file or reports the fixes. */
async function fix(
  cli: Cli,
  file: string,
  bytes: Uint8Array,
  inputs: Inputs,
  settings: Settings,
): Promise<DocumentResult> {
  const origin = { file: shownName(file), index: null, line: 1 }
  const result = await check(bytes, origin, settings)
  if (inputs.fix === null || looksLikeXml(bytes)) return result
  const { fixDocument } = await import('../input/fixes.ts')
  const fixed = fixDocument(result.text, origin, settings)
  const { fixes } = fixed
  if (fixes.length > 0 && inputs.fix === 'write') await rewrite(cli, file, bytes, fixed.text)
  return { ...fixed.result, outcome: { ...fixed.result.outcome, fixes } }
}

/** Checks one document in JSON or XML. */
async function check(bytes: Uint8Array, origin: Origin, settings: Settings): Promise<DocumentResult> {
  if (!looksLikeXml(bytes)) return checkDocument(bytes, origin, settings)
  const { checkXml } = await import('../input/check-xml.ts')
  return checkXml(bytes, origin, settings)
}

/** Checks all inputs and returns the exit code. */
export async function runDocuments(cli: Cli, inputs: Inputs, settings: Settings): Promise<number> {
  const progress = await progressOf(cli, inputs.files, settings)
  const output = new Output(cli.out, reporterOf(settings), progress)
  const pool = inputs.workers > 0 ? new WorkerPool(inputs.workers, settings) : null
  try {
    await output.begin()
    const unreadable = await eachFile(cli, inputs.files, progress, async (file) => {
      if (isBatch(file, inputs))
        return runBatch(shownName(file), openStream(cli, file), settings, output, pool)
      const result = await fix(cli, file, await readAll(cli, file), inputs, settings)
      await output.append(output.reporter.one(result), tallyOf([result.outcome]))
    })
    await output.end()
    return unreadable ? 2 : output.invalid > 0 ? 1 : 0
  } finally {
    progress.hide()
    await pool?.close()
  }
}

/** Rejects contradictory arguments, and returns the files to read. */
export function filesToRead(
  cli: Cli,
  files: readonly string[],
  ndjson: boolean,
  fix: Inputs['fix'] = null,
): readonly string[] {
  if (fix && ndjson) throw cli.usageError(USAGE.fix_of_batch)
  if (fix === 'write' && files.includes(STDIN)) throw cli.usageError(USAGE.fix_of_standard_input)
  if (files.length === 0 && ndjson) return [STDIN]
  if (files.length === 0) throw cli.usageError(USAGE.no_file)
  checkStdin(cli, files)
  return files
}
