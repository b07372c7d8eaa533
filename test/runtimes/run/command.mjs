/** A program that is started for every request: standard input to standard output. */
import { spawn } from 'node:child_process'

/** @returns {Promise<string>} What the program printed. */
export const commandAnswer = (program, args, text) =>
  new Promise((done, failed) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    })
    const printed = []
    const complaints = []
    child.stdout.on('data', (bytes) => printed.push(bytes))
    child.stderr.on('data', (bytes) => complaints.push(bytes))
    child.stdin.on('error', () => {})
    child.once('error', failed)
    child.once('close', (code, signal) => {
      if (code === 0) done(Buffer.concat(printed).toString('utf8'))
      else
        failed(
          new Error(`it ended (${signal ?? code}) ${Buffer.concat(complaints).toString('utf8').slice(-500)}`),
        )
    })
    child.stdin.end(text)
  })
