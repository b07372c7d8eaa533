import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { devPackagesResolved } from './scripts/dev-packages-resolved.mjs'
import { Sequencer } from './test/setup/sequencer.ts'

export default defineConfig({
  plugins: [devPackagesResolved()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 120_000,
    // Removing the packages that a file installed takes its time on a busy disk.
    hookTimeout: 120_000,
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts'],
    pool: 'threads',
    // Test files share their workers: what they import is loaded once for each worker, not once for each file.
    isolate: false,
    // The default leaves one core out, which of two is half; and many tests wait, for a server or a browser.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: Sequencer },
  },
})
