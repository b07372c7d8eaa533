/** Entry point of the reading process: handles one order at a time, until the server exits. */
import { Worker } from 'node:worker_threads'
import type { Order, Report } from '../messages.ts'
import { readFile } from './read.ts'

/**
 * A worker that kills the process when the server is gone. The server ends a file that blocks this thread forever. If
 * the server itself was killed, this thread would not notice before it is done.
 */
const WATCHDOG = `
  const server = process.ppid
  setInterval(() => {
    if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
  }, 500)
`

const report = (message: Report): void => {
  process.send?.(message)
}

process.on('message', async ({ bytes, ...order }: Order) => {
  // A `Buffer` arrives as such, which some libraries do not accept.
  report(await readFile({ bytes: new Uint8Array(bytes), ...order }))
})
process.once('disconnect', () => process.exit())
new Worker(WATCHDOG, { eval: true, execArgv: [] }).unref()
report({ ready: true })
