/** Runs one bundle after the other in a process that has started already; tells each test's title before it. */
import { parentPort } from 'node:worker_threads'
import { run } from './vitest.mjs'

console.log = () => {}
const progress = (title) => parentPort.postMessage({ title })
parentPort.on('message', async ({ bundle, left }) => {
  parentPort.postMessage({ done: true, failure: await run(bundle, { left, progress }) })
})
