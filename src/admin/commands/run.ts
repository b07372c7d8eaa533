/** Runs one command line and answers its exit code: 0 done, 1 refused or not in order, 2 wrong use. */
import { CommanderError } from 'commander'
import type { Io } from '../io.ts'
import { programOf } from './program.ts'

const WRONG_USE = 2

export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await programOf(io).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its own message; its `exitCode` is 0 after `--help` and `--version`.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE
    const { endingOf } = await import('../ending.ts')
    const { exitCode, messages, json } = endingOf(error)
    if (json && args.includes('--json')) io.out(`${JSON.stringify({ ok: false, error: json }, null, 2)}\n`)
    if (messages !== '') io.err(`cuadra-admin: ${messages}\n`)
    return exitCode
  }
}
