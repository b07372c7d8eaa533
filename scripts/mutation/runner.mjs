/** Threads that run the tests of a bundle with one change switched on. */
import { Worker } from 'node:worker_threads'

/** Silence after which a test is taken to run for ever. */
const SILENCE = 60_000
const NONE = -1

/** `failureOf(id)`: the first test that fails with that change, or null. */
export async function runner(folder, left) {
  let worker = null
  let hear = () => {}
  const end = async () => {
    await worker?.terminate()
    worker = null
  }
  const start = (active) => {
    const workerData = { folder, left, active }
    worker = new Worker(new URL('worker.mjs', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 2000 },
    })
    worker.on('message', (message) => hear(message))
    worker.on('error', (error) => hear({ lost: String(error) }))
  }
  const run = async (task) => {
    if (!worker) start(task.id)
    const answer = await new Promise((resolve) => {
      let title = 'loading'
      let timer
      hear = (message) => {
        clearTimeout(timer)
        if (message.done) return resolve(message.done)
        if (message.lost) return resolve({ failure: { failed: title, message: message.lost }, lost: true })
        title = message.title ?? title
        timer = setTimeout(() => hear({ lost: 'does not end' }), SILENCE)
      }
      hear({})
      worker.postMessage(task)
    })
    if (answer.lost) await end()
    return answer
  }

  const { failure, asks } = await run({ id: NONE })
  if (failure)
    throw new Error(`A test fails before anything is changed: ${failure.failed}: ${failure.message}`)
  const loading = new Set(asks.loading)
  const declaring = new Set(asks.declaring)
  const failureOf = async (id) => {
    if (loading.has(id)) {
      await end()
      const answer = await run({ id })
      await end()
      return answer.failure
    }
    const only = asks.tests.flatMap((ids, index) => (ids?.includes(id) ? [index] : []))
    const fresh = declaring.has(id)
    if (only.length === 0 && !fresh) return null
    if (!worker) await run({ id: NONE, only: [] })
    return (await run({ id, only: fresh ? undefined : only, fresh })).failure
  }
  return { failureOf, end }
}
