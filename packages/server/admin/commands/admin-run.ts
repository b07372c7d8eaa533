/** Runs one command line and returns its exit code: 0 done, 1 rejected or problems found, 2 usage error. */
import { CommanderError } from 'commander'
import type { Io } from '../io.ts'
import { programOf } from './admin-program.ts'

const USAGE_ERROR = 2

export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await programOf(io).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed its message. Its `exitCode` is 0 after `--help` and `--version`.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
    const { errorExitOf } = await import('../ending.ts')
    const { exitCode, message, json } = errorExitOf(error)
    if (json && args.includes('--json')) io.out(`${JSON.stringify({ ok: false, error: json }, null, 2)}\n`)
    if (message !== '') io.err(`cuadra-admin: ${message}\n`)
    return exitCode
  }
}
