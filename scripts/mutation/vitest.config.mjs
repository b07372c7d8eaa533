/** Runs the fast tests listed in `CUADRA_MUTATION_TESTS` in one worker, or each file in its own. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const isolate = process.env.CUADRA_MUTATION_ISOLATE === '1'

export default defineConfig({
  root: process.cwd(),
  plugins: [
    {
      name: 'fewer random cases',
      enforce: 'pre',
      resolveId: (id, importer = '') =>
        id === 'fast-check' && importer.includes('/test/')
          ? fileURLToPath(new URL('fast-check.mjs', import.meta.url))
          : undefined,
    },
  ],
  test: {
    include: [
      ...(process.env.CUADRA_MUTATION_TESTS ?? '').split(' '),
      ...(isolate ? ['scripts/mutation/loading.test.mjs'] : []),
    ],
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts'],
    isolate,
    testTimeout: 60_000,
  },
})
