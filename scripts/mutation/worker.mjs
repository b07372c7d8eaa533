/**
 * Holds the sources of a part with all their changes, of which one is on, and runs tests to the first that fails. The
 * sources are loaded once: tests then run warm. A change that loading asks for needs a thread of its own.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { load } from './vitest.mjs'

let active = workerData.active
let asked = new Set()
globalThis.isChanged = (id) => {
  asked.add(id)
  return id === active
}
console.log = () => {}

/** What `work` asks for. */
const askedBy = async (work) => {
  asked = new Set()
  const result = await work()
  return [result, [...asked]]
}

let loads = 0
const tests = () => load(`${workerData.folder}tests.js?${loads++}`)
const told = (failed, error) => ({ failed, message: String(error?.message ?? error).split('\n')[0] })

/** The tests that came by `id`, those whose preparation did, and the preparation of each. */
function chosen(ids) {
  if (!ids) return declared
  const came = declared.filter((_, index) => ids.includes(index))
  const isOf = (list, test, before) => list.some((one) => one.block === test.block && one.before === before)
  const all = declared.filter((test) => came.includes(test) || isOf(came, test, true))
  return declared.filter((test) => all.includes(test) || (test.before && isOf(all, test, false)))
}

async function run({ only, fresh }) {
  const asks = { loading: [], declaring: [], tests: [] }
  let title = 'loading'
  try {
    if (loads === 0) asks.loading = (await askedBy(() => import(`${workerData.folder}sources.js`)))[1]
    if (fresh || loads === 0) [declared, asks.declaring] = await askedBy(tests)
    for (const test of chosen(only)) {
      title = test.title
      if (workerData.left.some((part) => title.includes(part))) continue
      parentPort.postMessage({ title })
      asks.tests[declared.indexOf(test)] = (await askedBy(test.run))[1]
    }
    return { failure: null, asks }
  } catch (error) {
    return { failure: told(title, error), asks }
  }
}

let declared = []
parentPort.on('message', async (task) => {
  active = task.id
  parentPort.postMessage({ done: await run(task) })
})
