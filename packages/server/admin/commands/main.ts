#!/usr/bin/env node
/** Entry point of the command `cuadra-admin`. */
import { run } from './admin-run.ts'

/** A reader such as `| head` may close the pipe early. This is not an error. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : 2)
  })

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  input: () => process.stdin,
})
