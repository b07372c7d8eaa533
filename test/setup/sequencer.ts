import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isSlow = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').slice(0, 1000).includes('@slow')

/**
 * Starts the test files that declare `@slow` in their first comment before all others, so that none of them still runs
 * when the other workers have nothing left. Vitest orders the rest: those that were slow last time first, or in a new
 * clone the largest first.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
