#!/usr/bin/env node
/** The command `cuadra`. Exit codes: 0 all valid, 1 some not valid, 2 wrong use or input that cannot be read. */
import { CommanderError } from 'commander'
import { UsageError } from '../errors/index.ts'
import { programOf } from './commands/program.ts'
import { localeOf, say, speak } from './input/tongue.ts'

const WRONG_USE = 2

/** A reader that has seen enough (`| head`) closes the pipe: that is no error, and nobody is left to be told. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(
        `cuadra: ${say({ en: 'cannot write', es: 'no se puede escribir' })}: ${error.code ?? error.message}\n`,
      )
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : WRONG_USE)
  })

const done = (code: number): void => {
  process.exitCode = code
}

speak(localeOf(process.argv.slice(2), process.env))

try {
  await programOf(done).parseAsync(process.argv)
} catch (error) {
  // Commander has printed its own message; its `exitCode` is 0 after `--help` and `--version`.
  if (error instanceof CommanderError) done(error.exitCode === 0 ? 0 : WRONG_USE)
  else {
    const words =
      error instanceof UsageError
        ? error.message
        : `${say({ en: 'unexpected failure', es: 'fallo inesperado' })}: ${String(error)}`
    process.stderr.write(`cuadra: ${words}\n`)
    done(WRONG_USE)
  }
}
