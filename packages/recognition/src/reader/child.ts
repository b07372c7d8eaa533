/** Entry point of the reading process: handles one order at a time, until the server exits. */
import { Worker } from 'node:worker_threads'
import type { ChildMessage, ReadingRequest } from '../recognition-messages.ts'
import { readFile } from './read-file.ts'

/**
 * A worker that kills the process when the server is gone. Normally, the server kills a process whose file blocks the
 * main thread. If the server itself was killed, a blocked main thread would not notice it.
 */
const WATCHDOG = `
  const server = process.ppid
  setInterval(() => {
    if (process.ppid !== server) process.kill(process.pid, 'SIGKILL')
  }, 500)
`

const report = (message: ChildMessage): void => {
  process.send?.(message)
}

process.on('message', async ({ bytes, ...order }: ReadingRequest) => {
  // `bytes` arrives as a `Buffer`, which some libraries do not accept.
  report(await readFile({ bytes: new Uint8Array(bytes), ...order }))
})
process.once('disconnect', () => process.exit())
new Worker(WATCHDOG, { eval: true, execArgv: [] }).unref()
report({ ready: true })
