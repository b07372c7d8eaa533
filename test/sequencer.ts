/**
 * The order of the test files. Those that take long, or wait for others, begin first, so that none of them is left over
 * at the end with the other workers idle. Then come those that share their worker: a worker is kept only for as long as
 * the next file in line may share it.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Longest first; each takes ten seconds and more. */
const LONG = [
  'test/docs/examples',
  'test/simulation/',
  'test/conformance/server-',
  'test/second/',
  'test/fuzz/',
  'test/cli/records',
  'test/runtimes/',
  'test/server/app/kill',
  'test/admin/backup/backup',
  'test/server/store/migrate',
  'test/server/app/from-start',
  'test/server/mail/sending',
  'test/recognition/',
  'test/server/app/chaos',
  'test/server/service/transmission/',
  'test/property/differential',
  'test/property/',
  'test/verifactu/qr',
  'test/playground/',
]

export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONG.findIndex((path) => moduleId.includes(`/${path}`))
      return (project.config.isolate ? 0 : LONG.length + 1) + (at < 0 ? LONG.length : at)
    }
    // The files that Vitest would begin with are the largest, or were the slowest last time.
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
