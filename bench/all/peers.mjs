/**
 * Compares cuadra with other libraries on tasks that both can do. The two alternate. A library that is not installed is
 * listed as skipped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cpu, median } from '../measure.mjs'
import { goblPeer } from '../peers/gobl.mjs'
import { peerOf, TASKS } from '../peers/tasks.mjs'
import { hand, isQuick, ROUNDS, scale } from './report.mjs'

// Modules are resolved from `bench/peers`, so that the libraries installed there take precedence over those of the
// tests.
const from = new URL('../peers/tasks.mjs', import.meta.url)
const versionOf = (name) => {
  const folders = createRequire(from).resolve.paths(name)
  const file = folders.map((path) => join(path, name, 'package.json')).find(existsSync)
  return file && JSON.parse(readFileSync(file, 'utf8')).version
}

/** Returns the microseconds of CPU per call of each of two tasks, which may return promises. */
async function inTurns(tasks, count) {
  const samples = tasks.map(() => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, task] of tasks.entries()) {
      const start = cpu()
      for (let call = 0; call < count; call++) {
        const answer = task()
        if (answer instanceof Promise) await answer
      }
      // The first round is a warm-up.
      if (round > 0) samples[at].push((cpu() - start) / count)
    }
  return samples.map(median)
}

const peers = []
const skipped = []
for (const { name, work, differs, count, tasks } of TASKS) {
  const version = versionOf(name)
  if (!version) {
    skipped.push({ name, why: 'it is not installed: `npm install --prefix bench/peers --no-package-lock`' })
    continue
  }
  const peer = await peerOf(name)
  const [ours, theirs] = await inTurns(await tasks(peer), scale(count))
  peers.push({ work, name, version, unit: 'us', ours, theirs, differs })
}
const gobl = await goblPeer(ROUNDS, isQuick ? 10 : 40)
hand({
  rounds: ROUNDS,
  rows: [],
  peers: [...peers, ...gobl.peers],
  skipped: [...skipped, ...gobl.skipped],
})
