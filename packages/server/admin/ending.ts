/** Maps errors to messages and exit codes. */

import {
  fileProblem,
  isDatabaseUnreachable,
  isDiskFull,
  isPathBlockedByFile,
  isWriteLocked,
} from 'cuadra-storage/storage-faults.ts'
import { CuadraError, type ErrorKind, isCondition } from '#core/errors/index.ts'
import { ApiError } from '../src/errors/api-error.ts'

export interface ErrorExit {
  readonly exitCode: number
  /** Printed to stderr. */
  readonly message: string
  /** Printed by a command with `--json`. */
  readonly json?: { readonly code: string; readonly path: string; readonly message: string }
}

const REFUSED = 1
const WRONG_USE = 2

/** Messages by kind of error. For all other kinds, the message of the error itself is printed. */
const MESSAGES: Partial<Record<ErrorKind, string>> = {
  busy: 'The database is busy. Nothing was changed. Try again.',
  unknown:
    'The connection to the database was lost while saving, so the change may or may not be saved. Check before you try again.',
}

/** Returns the message and exit code of an error. The stack is omitted, because it does not help an administrator. */
export function errorExitOf(error: unknown): ErrorExit {
  const { message } = error as Error
  if (isCondition(error, 'database_damaged')) {
    const { condition: code, path = '' } = error
    return { exitCode: WRONG_USE, message, json: { code, path, message } }
  }
  if (error instanceof ApiError)
    return { exitCode: REFUSED, message: String(error.body('', 'en').detail.message) }
  const kind = isWriteLocked(error) ? 'busy' : error instanceof CuadraError ? error.kind : undefined
  if (kind !== undefined)
    return { exitCode: kind === 'usage' ? WRONG_USE : REFUSED, message: MESSAGES[kind] ?? message }
  if (isDiskFull(error))
    return { exitCode: REFUSED, message: 'The disk is full. Nothing was changed. Free space and try again.' }
  if (isPathBlockedByFile(error))
    return {
      exitCode: WRONG_USE,
      message: `CUADRA_DATA_DIR ${(error as NodeJS.ErrnoException).path} is not a folder.`,
    }
  if (isDatabaseUnreachable(error))
    return {
      exitCode: REFUSED,
      message: `Cannot reach the database (${message}). Check CUADRA_DATABASE_URL.`,
    }
  const problem = fileProblem(error)
  if (problem) return { exitCode: REFUSED, message: problem }
  return { exitCode: REFUSED, message: `unexpected error: ${message ?? String(error)}` }
}
