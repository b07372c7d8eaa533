/**
 * Turns of companies at the readers. Text goes before pixels, which take a hundred times as long. Of several companies,
 * the one with the fewest files being read goes first, then the one that has waited longest since its last turn.
 */

/** What a file needs: its text, or recognition of its pixels. */
export type Need = 'text' | 'pixels'

export interface Capacity {
  /** Number of files read in parallel. */
  readonly readers: number
  /** Maximum number of waiting files, of all companies and of one. */
  readonly waiting: number
  readonly waitingOfOne: number
}

interface Turn {
  readonly owner: string
  readonly need: Need
}

interface Waiting extends Turn {
  readonly start: (release: () => void) => void
}

export interface Turns {
  /** Resolves to the function that ends the turn; null if too many files wait. */
  readonly take: (owner: string, need: Need) => Promise<() => void> | null
  /** Resolves all that wait. */
  readonly releaseAll: () => void
}

export function createTurns({ readers, waiting: maximum, waitingOfOne }: Capacity): Turns {
  // One reader is kept free of pixels, and of the files of any one company.
  const shared = Math.max(1, readers - 1)
  const queue: Waiting[] = []
  const running = new Set<Turn>()
  /** Owners in the order of their last turns. */
  const served = new Map<string, number>()
  let turns = 0

  const countOf = (all: Iterable<Turn>, matches: (turn: Turn) => boolean) => [...all].filter(matches).length
  const runningOf = (owner: string) => countOf(running, (turn) => turn.owner === owner)
  const mayStart = ({ owner, need }: Turn) =>
    runningOf(owner) < shared &&
    (need === 'text' || countOf(running, (turn) => turn.need === 'pixels') < shared)
  const precedes = (one: Turn, other: Turn): boolean => {
    if (one.need !== other.need) return one.need === 'text'
    const difference = runningOf(one.owner) - runningOf(other.owner)
    return difference === 0 ? (served.get(one.owner) ?? 0) < (served.get(other.owner) ?? 0) : difference < 0
  }

  const begin = (turn: Turn): (() => void) => {
    running.add(turn)
    served.set(turn.owner, ++turns)
    return () => {
      running.delete(turn)
      startNext()
      if (running.size === 0) served.clear()
    }
  }
  const startNext = (): void => {
    if (running.size >= readers) return
    const first = queue
      .filter(mayStart)
      .reduce<Waiting | undefined>((best, one) => (best && !precedes(one, best) ? best : one), undefined)
    if (!first) return
    queue.splice(queue.indexOf(first), 1)
    first.start(begin(first))
    startNext()
  }

  return {
    take: (owner, need) => {
      const isFull = queue.length >= maximum || countOf(queue, (turn) => turn.owner === owner) >= waitingOfOne
      if (isFull && !(running.size < readers && mayStart({ owner, need }))) return null
      return new Promise((start) => {
        queue.push({ owner, need, start })
        startNext()
      })
    },
    releaseAll: () => {
      for (const { start } of queue.splice(0)) start(() => undefined)
    },
  }
}
