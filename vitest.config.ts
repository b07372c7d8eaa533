import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { toolsResolved } from './scripts/tools-resolved.mjs'

export default defineConfig({
  plugins: [toolsResolved()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/conformance/teardown.ts'],
    testTimeout: 120_000,
    pool: 'threads',
    // The default leaves one core out, which of two is half; and many tests wait, for a server or a browser.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
})
