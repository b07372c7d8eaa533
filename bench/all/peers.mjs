/**
 * Compares cuadra with other libraries on tasks that both can do. Calls of cuadra and of the library alternate. A
 * library that is not installed is listed as skipped.
 */
import { hasSet, howToHave, importFrom, packagesOf } from '../../scripts/dev-packages.mjs'
import { cpu, median } from '../measure.mjs'
import { goblReport } from '../peers/gobl.mjs'
import { TASKS } from '../peers/tasks.mjs'
import { hand, ROUNDS, scale } from './report.mjs'

/** Returns the microseconds of CPU per call of each task, `{ run, count }`; `run` may return a promise. */
async function inTurns(tasks) {
  const samples = tasks.map(() => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, { run, count }] of tasks.entries()) {
      const start = cpu()
      for (let call = 0; call < count; call++) {
        const answer = run()
        if (answer instanceof Promise) await answer
      }
      // The first round is a warm-up.
      if (round > 0) samples[at].push((cpu() - start) / count)
    }
  return samples.map(median)
}

const figures = []
const skipped = []
for (const { row, work, count, peers, differs, tasks } of TASKS) {
  if (!hasSet('peers')) {
    skipped.push({ row, name: work, why: howToHave('peers') })
    continue
  }
  const libraries = await Promise.all(peers.map(({ name }) => importFrom('peers', name)))
  const runs = await tasks(...libraries)
  const [value, ...theirs] = await inTurns(
    [count, ...peers.map((peer) => peer.count)].map((calls, at) => ({ run: runs[at], count: scale(calls) })),
  )
  const instead = peers.map(({ name, adds = '' }, at) => ({
    name: `\`${name}\` ${packagesOf('peers')[name]}${adds}`,
    value: theirs[at],
  }))
  figures.push({ row, what: work, value, unit: 'us', instead, differs })
}
const gobl = await goblReport(ROUNDS, scale)
hand({ rounds: ROUNDS, figures: [...figures, ...gobl.figures], skipped: [...skipped, ...gobl.skipped] })
