/**
 * Vitest's configuration while transmissions are recorded; `diff -r` compares two folders:
 * CUADRA_TEST_SIZE=all CUADRA_RECORD_TRANSMISSIONS=FOLDER npx vitest run --config packages/server/test/service/transmission/recording.config.ts
 */
import { defineConfig } from 'vitest/config'
import { devPackagesResolved } from '../../../../../scripts/dev-packages-resolved.mjs'

export default defineConfig({
  plugins: [devPackagesResolved()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['service/transmission', 'sii-cash-basis', 'service/verifactu/export'].map(
      (folder) => `packages/server/test/${folder}/**/*.test.ts`,
    ),
    testTimeout: 120_000,
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts', 'packages/server/test/service/transmission/recording.setup.ts'],
    pool: 'threads',
    // Names and counters restart for each file.
    isolate: true,
    maxWorkers: 1,
  },
})
