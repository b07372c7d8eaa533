/**
 * Lets companies take turns on shared workers, such as threads or processes. The company with the fewest running jobs
 * of the same length is next; of several such companies, the one whose last turn was longest ago. Short jobs of a
 * company come first.
 */

/** A client whose work runs for a company. */
export interface Client {
  readonly company: string
  /** Whether the client has disconnected, so that its work is not needed. */
  readonly hasLeft?: (() => boolean) | undefined
}

export interface Turn extends Client {
  /** Long jobs never occupy all workers. */
  readonly isLong: boolean
  /** The weight that the job adds to the limits of the queue, for example its bytes. */
  readonly weight: number
}

export interface Capacity {
  /** Number of jobs that run in parallel. */
  readonly workers: number
  /** Maximum total weight of waiting jobs, of all companies and of one company. Further jobs are refused. */
  readonly waiting: number
  readonly waitingOfOne: number
}

/** Why a job cannot run: too many jobs are waiting, its client has disconnected, or the server is stopping. */
export type NoTurnReason = 'busy' | 'left' | 'closing'

interface Waiting extends Turn {
  readonly resolve: (result: (() => void) | NoTurnReason) => void
}

export interface Turns {
  /** Resolves to the function that ends the turn. */
  readonly take: (turn: Turn) => Promise<(() => void) | NoTurnReason>
  /** Refuses the waiting jobs whose clients have left. This also happens whenever a turn is taken or ends. */
  readonly skipAbandoned: () => void
  /** Refuses all waiting jobs, and all further jobs. */
  readonly close: () => void
}

const weightOf = (turns: readonly Turn[]): number => turns.reduce((sum, { weight }) => sum + weight, 0)

export function createTurns({ workers, waiting, waitingOfOne }: Capacity): Turns {
  /**
   * Maximum number of workers for long jobs, and for the short jobs of one company. One worker stays free for others.
   */
  const shared = Math.max(1, workers - 1)
  let queue: Waiting[] = []
  let isClosed = false
  const running = new Set<Turn>()
  /** Companies in the order of their last turns. */
  const served = new Map<string, number>()
  let turns = 0

  const runningWhere = (matches: (turn: Turn) => boolean) => [...running].filter(matches).length
  const runningLike = ({ company, isLong }: Turn) =>
    runningWhere((turn) => turn.company === company && turn.isLong === isLong)
  const mayStart = ({ company, isLong }: Turn) =>
    running.size < workers &&
    runningWhere((turn) => turn.isLong === isLong && (isLong || turn.company === company)) < shared
  const precedes = (one: Turn, other: Turn): boolean => {
    const difference = runningLike(one) - runningLike(other)
    if (difference !== 0) return difference < 0
    return (served.get(one.company) ?? 0) < (served.get(other.company) ?? 0)
  }

  const begin = (turn: Turn): (() => void) => {
    running.add(turn)
    served.set(turn.company, ++turns)
    return () => {
      running.delete(turn)
      startNext()
      if (running.size === 0) served.clear()
    }
  }
  const skipAbandoned = (): void => {
    const abandoned = queue.filter(({ hasLeft }) => hasLeft?.())
    queue = queue.filter((one) => !abandoned.includes(one))
    for (const { resolve } of abandoned) resolve('left')
  }
  const startNext = (): void => {
    skipAbandoned()
    const ready = queue.filter(mayStart)
    const short = new Set(ready.filter(({ isLong }) => !isLong).map(({ company }) => company))
    const first = ready
      .filter(({ isLong, company }) => !isLong || !short.has(company))
      .reduce<Waiting | undefined>((best, one) => (best && !precedes(one, best) ? best : one), undefined)
    if (!first) return
    queue.splice(queue.indexOf(first), 1)
    first.resolve(begin(first))
    startNext()
  }

  return {
    take: async (turn) => {
      if (isClosed) return 'closing'
      skipAbandoned()
      const isFull =
        weightOf(queue) >= waiting ||
        weightOf(queue.filter(({ company }) => company === turn.company)) >= waitingOfOne
      if (isFull && !mayStart(turn)) return 'busy'
      return new Promise((resolve) => {
        queue.push({ ...turn, resolve })
        startNext()
      })
    },
    skipAbandoned,
    close: () => {
      isClosed = true
      for (const { resolve } of queue.splice(0)) resolve('closing')
    },
  }
}
