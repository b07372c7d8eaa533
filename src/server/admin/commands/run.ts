/** Runs one command line and answers its exit code: 0 done, 1 refused or not in order, 2 wrong use. */

import { endingOf } from '../ending.ts'
import type { Io } from '../io.ts'
import { programOf } from './program.ts'

export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await programOf(io).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    const { exitCode, words } = endingOf(error)
    if (words !== '') io.err(`cuadra-admin: ${words}\n`)
    return exitCode
  }
}
