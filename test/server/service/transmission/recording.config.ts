/** Vitest's configuration while transmissions are recorded: `scripts/transmissions.mjs`. */
import { defineConfig } from 'vitest/config'
import { devPackagesResolved } from '../../../../scripts/dev-packages-resolved.mjs'

export default defineConfig({
  plugins: [devPackagesResolved()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    testTimeout: 120_000,
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts', 'test/server/service/transmission/recording.setup.ts'],
    pool: 'threads',
    // Names and counters restart for each file.
    isolate: true,
    maxWorkers: 1,
  },
})
