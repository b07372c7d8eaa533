/** Why a command ends without doing its work, and with which exit code. */
import { isCondition } from '../errors/conditions.ts'
import { CuadraError, type ErrorKind } from '../errors/index.ts'
import { ApiError } from '../server/errors/api-error.ts'
import { fileProblem, isAway, isBusy, isFull, isNoFolder } from '../storage/faults.ts'

export interface Ending {
  readonly exitCode: number
  /** For stderr; empty where everything has been said. */
  readonly messages: string
  /** What a command that was asked for JSON prints. */
  readonly json?: { readonly code: string; readonly path: string; readonly message: string }
}

const REFUSED = 1
const WRONG_USE = 2

/** What a kind of error is told in; of the others the message says it. */
const MESSAGES: Partial<Record<ErrorKind, string>> = {
  busy: 'The database is busy. Nothing was changed; try again.',
  unknown:
    'The connection to the database was lost while the change was being saved: it may have been saved or not. Look before you do it again.',
}

/** What an administrator is told of anything that was thrown. No stack: it would say nothing that can be mended. */
export function endingOf(error: unknown): Ending {
  const { message } = error as Error
  if (isCondition(error, 'database_damaged')) {
    const { condition: code, path = '' } = error
    return { exitCode: WRONG_USE, messages: message, json: { code, path, message } }
  }
  if (error instanceof ApiError)
    return { exitCode: REFUSED, messages: String(error.body('', 'en').detail.message) }
  const kind = isBusy(error) ? 'busy' : error instanceof CuadraError ? error.kind : undefined
  if (kind !== undefined)
    return { exitCode: kind === 'usage' ? WRONG_USE : REFUSED, messages: MESSAGES[kind] ?? message }
  if (isFull(error))
    return { exitCode: REFUSED, messages: 'The disk is full. Nothing was changed; make room and try again.' }
  if (isNoFolder(error))
    return {
      exitCode: WRONG_USE,
      messages: `CUADRA_DATA_DIR ${(error as NodeJS.ErrnoException).path} is not a folder.`,
    }
  if (isAway(error))
    return {
      exitCode: REFUSED,
      messages: `The database cannot be reached (${message}). Check CUADRA_DATABASE_URL.`,
    }
  const problem = fileProblem(error)
  if (problem) return { exitCode: REFUSED, messages: problem }
  return { exitCode: REFUSED, messages: `unexpected failure: ${message ?? String(error)}` }
}
