/**
 * A corpus of inputs that grows by coverage. V8 counts which blocks of `src/` and `rules/` run; an input that runs a block
 * for the first time stays in the corpus, and later inputs are derived from it. Seeded, so that a run can be repeated.
 */

import { Session } from 'node:inspector'
import { required } from '#core/errors/index.ts'
import { messageOf } from '../narrow.ts'

interface Ranges {
  result: {
    url: string
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
  }[]
}

/** Watches which blocks of the product's code run. */
class Coverage {
  readonly #session = new Session()

  constructor() {
    this.#session.connect()
    this.#session.post('Profiler.enable')
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Returns the blocks that ran since the last call. */
  take(): Set<string> {
    const ran = new Set<string>()
    this.#session.post('Profiler.takePreciseCoverage', (_, taken) => {
      for (const { url, functions } of (taken as Ranges).result) {
        if (!/\/(src|rules)\//.test(url)) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) ran.add(`${url} ${startOffset} ${endOffset}`)
      }
    })
    return ran
  }

  stop(): void {
    this.#session.post('Profiler.stopPreciseCoverage')
    this.#session.disconnect()
  }
}

export interface Growth<Input> {
  readonly seeds: readonly Input[]
  readonly count: number
  /** Returns a changed copy of an input. `other` returns another input of the corpus. */
  readonly change: (input: Input, next: () => number, other: () => Input) => Input
  /** Milliseconds that a check may take. */
  readonly longest: number
  /** Throws if something that must hold does not. */
  readonly check: (input: Input, next: () => number) => void
  readonly next: () => number
}

/** How many inputs run between two looks at the coverage, which take some milliseconds. */
const BATCH = 200

function timeOf(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

/**
 * Checks `count` inputs. Returns the number of inputs that the corpus grew by and of blocks that ran. The message of a
 * failed check ends with the input.
 */
export function grow<Input>({ seeds, count, longest, change, check, next }: Growth<Input>): {
  readonly kept: number
  readonly blocks: number
} {
  const corpus = [...seeds]
  const pick = (): Input => required(corpus[Math.floor(next() * corpus.length)])
  const coverage = new Coverage()
  const checked = (input: Input, at: number) => {
    try {
      // On a busy machine, one run may be slow by chance.
      for (let tries = 0; timeOf(() => check(input, next)) > longest; tries++)
        if (tries === 2) throw new Error(`took longer than ${longest} ms, three times`)
    } catch (error) {
      throw new Error(`input ${at}: ${messageOf(error)}\n${JSON.stringify(input)}`, { cause: error })
    }
  }
  /** Returns the inputs that run one of the blocks, by running smaller and smaller parts of the list again. */
  const ranAny = (inputs: readonly Input[], blocks: ReadonlySet<string>): Input[] => {
    for (const input of inputs) checked(input, 0)
    const ran = coverage.take()
    if (![...blocks].some((block) => ran.has(block))) return []
    if (inputs.length === 1) return [...inputs]
    const middle = Math.ceil(inputs.length / 2)
    return [inputs.slice(0, middle), inputs.slice(middle)].flatMap((part) => ranAny(part, blocks))
  }
  try {
    for (const [at, seed] of seeds.entries()) checked(seed, at - seeds.length)
    const known = coverage.take()
    for (let at = 0; at < count; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - at) }, () => change(pick(), next, pick))
      for (const [index, input] of batch.entries()) checked(input, at + index)
      const fresh = [...coverage.take()].filter((block) => !known.has(block))
      if (fresh.length === 0) continue
      for (const block of fresh) known.add(block)
      // No input follows the last batch.
      if (at + BATCH < count) corpus.push(...ranAny(batch, new Set(fresh)))
    }
    return { kept: corpus.length - seeds.length, blocks: known.size }
  } finally {
    coverage.stop()
  }
}
