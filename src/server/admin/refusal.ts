/** Why a command ends without doing its work, and with which exit code. */
import { CommanderError } from 'commander'
import { CertificateError } from '../aeat/certificate-error.ts'
import { ConfigError } from '../config.ts'
import { ApiError } from '../errors/api-error.ts'
import { SecretError } from '../secrets.ts'
import { CompanyError } from '../service/company.ts'
import { KeyError } from '../service/keys.ts'
import { RatesFileError } from '../service/rates-file.ts'
import { fileProblem, isAway, isBusy, isFull, isNoFolder } from '../store/faults.ts'
import { OutcomeUnknown } from '../store/outcome.ts'
import { RaceError } from '../store/store.ts'

/** The command was understood, and what it asks for is not possible: exit code 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The command cannot be understood, or a file that it names cannot be read: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Ending {
  readonly exitCode: number
  /** For stderr; empty where everything has been said. */
  readonly words: string
}

const REFUSED = 1
const WRONG_USE = 2

const KNOWN = [Refusal, CompanyError, CertificateError, KeyError, RatesFileError, SecretError]

/** What an administrator is told of anything that was thrown. No stack: it would say nothing that can be mended. */
export function endingOf(error: unknown): Ending {
  // Commander has printed its own message; its `exitCode` is 0 after `--help` and `--version`.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : WRONG_USE, words: '' }
  const { message } = error as Error
  if (error instanceof UsageError || error instanceof ConfigError)
    return { exitCode: WRONG_USE, words: message }
  if (KNOWN.some((kind) => error instanceof kind)) return { exitCode: REFUSED, words: message }
  if (error instanceof ApiError)
    return { exitCode: REFUSED, words: String(error.body('', 'en').detail.message) }
  if (error instanceof RaceError || isBusy(error))
    return { exitCode: REFUSED, words: 'The database is busy. Nothing was changed; try again.' }
  if (error instanceof OutcomeUnknown)
    return {
      exitCode: REFUSED,
      words:
        'The connection to the database was lost while the change was being saved: it may have been saved or not. Look before you do it again.',
    }
  if (isFull(error))
    return { exitCode: REFUSED, words: 'The disk is full. Nothing was changed; make room and try again.' }
  if (isNoFolder(error))
    return {
      exitCode: WRONG_USE,
      words: `CUADRA_DATA_DIR ${(error as NodeJS.ErrnoException).path} is not a folder.`,
    }
  if (isAway(error))
    return {
      exitCode: REFUSED,
      words: `The database cannot be reached (${message}). Check CUADRA_DATABASE_URL.`,
    }
  const problem = fileProblem(error)
  if (problem) return { exitCode: REFUSED, words: problem }
  return { exitCode: REFUSED, words: `unexpected failure: ${message ?? String(error)}` }
}
