/** Vitest's configuration while transmissions are recorded: `scripts/transmissions.mjs`. */
import { defineConfig } from 'vitest/config'
import { toolsResolved } from '../../../../scripts/tools-resolved.mjs'

export default defineConfig({
  plugins: [toolsResolved()],
  test: {
    testTimeout: 120_000,
    globalSetup: ['test/conformance/teardown.ts'],
    setupFiles: ['test/server/service/transmission/recording.setup.ts'],
    pool: 'threads',
    // Names and counters of a file begin anew, whatever ran before.
    isolate: true,
    maxWorkers: 1,
  },
})
