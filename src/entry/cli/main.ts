#!/usr/bin/env node
/** Entry point of the command `cuadra`. */
import { cliOf, type Io, localeOf } from './input/cli.ts'
import { run, USAGE_ERROR, unexpectedErrorText } from './run-cli.ts'

const { argv, env, stdin, stdout, stderr } = process
const args = argv.slice(2)
const io: Io = { env, cwd: process.cwd(), input: () => stdin, out: stdout, err: stderr }
const { translate } = cliOf(io, localeOf(args, env), () => undefined)

/** A reader such as `| head` may close the pipe early, which is not an error. */
for (const stream of [stdout, stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      stderr.write(
        `cuadra: ${translate({ en: 'cannot write', es: 'no se puede escribir' })}: ${error.code ?? error.message}\n`,
      )
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : USAGE_ERROR)
  })

/** Node would exit with 1, which here means invalid invoices. */
process.on('uncaughtException', (error) => {
  stderr.write(`cuadra: ${unexpectedErrorText(translate, error)}\n`)
  process.exit(USAGE_ERROR)
})

process.exitCode = await run(args, io)
