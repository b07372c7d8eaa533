import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { devPackagesResolved } from './scripts/dev-packages-resolved.mjs'
import { Sequencer } from './test/sequencer.ts'

/**
 * Test files share their workers: what they import is loaded once for each worker, not once for each file. These run in
 * a worker of their own, because they change something global or count what the whole file has met.
 */
const ALONE = [
  'test/conformance/server-*.test.ts',
  // Skipped in the sample, where a worker of its own would load everything for nothing.
  ...((process.env.CUADRA_TEST_SIZE ?? 'sample') === 'sample' ? [] : ['test/server/app/no-secrets.test.ts']),
  'test/recognition/recogniser.test.ts',
]
const ALL = ['test/**/*.test.ts']
const NONE = ['**/node_modules/**']

export default defineConfig({
  plugins: [devPackagesResolved()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    testTimeout: 120_000,
    globalSetup: ['test/conformance/teardown.ts'],
    pool: 'threads',
    // The default leaves one core out, which of two is half; and many tests wait, for a server or a browser.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          exclude: NONE,
        },
      },
      { extends: true, test: { name: 'shared', include: ALL, exclude: [...NONE, ...ALONE], isolate: false } },
    ],
  },
})
