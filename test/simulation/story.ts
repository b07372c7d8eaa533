/** A story: steps as plain data, drawn from a seed, so that any of them can be removed. */
import { required } from '#core/errors/index.ts'
import { ACTIONS } from './actions.ts'
import { Chance } from './virtual.ts'
import type { Kill } from './world.ts'

/** Numbers below 1000 that decide the details. */
export type Dice = readonly [number, number, number, number, number, number]

export interface Step {
  readonly act: string
  readonly company: number
  /** Milliseconds before the step. */
  readonly wait: number
  readonly dice: Dice
  /** When the process is killed during the step; null if it is not. */
  readonly kill: Readonly<Kill> | null
  /** Determines the ids and pauses of the server during the step. */
  readonly seed: number
}

const DAY_MS = 86_400_000

/** Draws when a process is killed: at any operation, or where it meets the outside world. */
function killOf(chance: Chance, act: string): Kill | null {
  const die = chance.below(100)
  if (act === 'mail' && die < 25) return { at: 'mail', after: chance.below(4) }
  if (act === 'attach a file' && die < 25) return { at: 'disk', after: chance.below(3) }
  if (die < 6) return { at: 'network', after: chance.below(4) }
  if (die < 16) return { at: 'any', after: chance.below(required([12, 80, 300][chance.below(3)])) }
  if (die < 19) return { at: 'commit', after: chance.below(8), isPowerFailure: true }
  if (die < 21) return { at: 'any', after: chance.below(300), isPowerFailure: true }
  return null
}

/** Draws the steps of a seed. */
export function storyOf(seed: number, days: number, steps: number): readonly Step[] {
  const chance = new Chance(seed * 2_654_435_761)
  const names = [...ACTIONS].flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
  const die = () => chance.below(1000)
  const mean = (days * DAY_MS) / steps
  return Array.from({ length: steps }, () => {
    const kind = chance.below(10)
    // Most steps come in a group; the days pass between the groups.
    const wait =
      kind < 5
        ? chance.below(60_000)
        : kind < 7
          ? chance.below(3_600_000)
          : Math.floor(mean * 6.6 * chance.next())
    const act = required(names[chance.below(names.length)])
    return {
      act,
      company: chance.below(3),
      wait,
      dice: [die(), die(), die(), die(), die(), die()],
      kill: killOf(chance, act),
      seed: chance.below(4_294_967_296),
    }
  })
}
