/** Where the process that reads begins: one order after the other, until the server goes. */
import type { Order, Report } from '../messages.ts'
import { readFile } from './read.ts'

const report = (message: Report): void => {
  process.send?.(message)
}

process.on('message', async ({ bytes }: Order) => {
  // A `Buffer` comes as one, and not every library takes it.
  report(await readFile(new Uint8Array(bytes)))
})
process.once('disconnect', () => process.exit())
report({ ready: true })
