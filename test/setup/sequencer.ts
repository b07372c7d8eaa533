import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Returns 0 for a file that declares `@slowest` in its first comment, 1 for `@slow`, 2 for others. */
function turnOf({ moduleId }: TestSpecification): number {
  const start = readFileSync(moduleId, 'utf8').slice(0, 1000)
  return start.includes('@slowest') ? 0 : start.includes('@slow') ? 1 : 2
}

/**
 * Starts the test files that declare `@slowest` in their first comment before all others, then those with `@slow`, so
 * that none of them still runs when the other workers have nothing left. Vitest orders the rest: those that were slow
 * last time first, or in a new clone the largest first.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
