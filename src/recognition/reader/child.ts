/** Where the process that reads begins: one order after the other, until the server goes. */
import { Worker } from 'node:worker_threads'
import type { Order, Report } from '../messages.ts'
import { readFile } from './read.ts'

/**
 * A file that keeps this thread busy for ever is ended by the server; where the server was killed in the meantime,
 * somebody else has to notice: this thread does not see anything before it is done.
 */
const WATCHMAN = `
  const server = process.ppid
  setInterval(() => {
    if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
  }, 500)
`

const report = (message: Report): void => {
  process.send?.(message)
}

process.on('message', async ({ bytes }: Order) => {
  // A `Buffer` comes as one, and not every library takes it.
  report(await readFile(new Uint8Array(bytes)))
})
process.once('disconnect', () => process.exit())
new Worker(WATCHMAN, { eval: true, execArgv: [] }).unref()
report({ ready: true })
