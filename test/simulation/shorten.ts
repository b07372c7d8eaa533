/** Shortens a failing story: removes steps, then kills and pauses, as long as it still fails in the same way. */
import { required } from '#core/errors/index.ts'
import type { Step } from './story.ts'

/**
 * Returns a shorter story for which `fails` holds: parts are removed, halves first, single steps last (delta
 * debugging). `fails` is called at most `most` times.
 */
export async function shorten(
  story: readonly Step[],
  fails: (story: readonly Step[]) => Promise<boolean>,
  most = 250,
): Promise<readonly Step[]> {
  let best = story
  let tries = 0
  const attempt = async (candidate: readonly Step[]): Promise<boolean> => {
    if (tries >= most) return false
    tries++
    if (!(await fails(candidate))) return false
    best = candidate
    return true
  }
  for (let size = Math.ceil(story.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let isShorter = true; isShorter; ) {
      isShorter = false
      for (let at = Math.max(0, best.length - size); at >= 0; at -= size) {
        if (await attempt([...best.slice(0, at), ...best.slice(at + size)])) isShorter = size === 1
        if (at === 0) break
        if (at < size) at = size
      }
    }
  }
  const simpler: readonly ((step: Step) => Step)[] = [
    (step) => (step.kill === null ? step : { ...step, kill: null }),
    (step) => (step.wait === 0 ? step : { ...step, wait: 0 }),
    (step) => (step.company === 0 ? step : { ...step, company: 0 }),
  ]
  for (const simplify of simpler)
    for (let at = 0; at < best.length; at++) {
      const step = required(best[at])
      const changed = simplify(step)
      if (changed !== step) await attempt(best.map((one, index) => (index === at ? changed : one)))
    }
  return best
}
