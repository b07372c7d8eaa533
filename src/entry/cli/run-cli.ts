/** Runs one command line and returns its exit code: 0 all valid, 1 some invalid, 2 usage error or unreadable input. */
import { CommanderError } from 'commander'
import { UsageError } from '#core/errors/index.ts'
import { programOf } from './commands/cli-program.ts'
import { type Cli, cliOf, type Io, localeOf } from './input/cli.ts'

export const USAGE_ERROR = 2

export const unexpectedErrorText = (translate: Cli['translate'], error: unknown): string =>
  `${translate({ en: 'unexpected error', es: 'error inesperado' })}: ${String(error)}`

export async function run(args: readonly string[], io: Io): Promise<number> {
  let exitCode = 0
  const cli = cliOf(io, localeOf(args, io.env), (code) => {
    exitCode = code
  })
  try {
    await programOf(cli).parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed its message. Its `exitCode` is 0 after `--help` and `--version`.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
    const message = error instanceof UsageError ? error.message : unexpectedErrorText(cli.translate, error)
    io.err.write(`cuadra: ${message}\n`)
    return USAGE_ERROR
  }
}
