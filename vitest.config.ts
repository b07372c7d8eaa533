import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { devPackagesResolved } from './scripts/dev-packages-resolved.mjs'
import { Sequencer } from './test/setup/sequencer.ts'

/** The time limit of a test in milliseconds, by the size of the run (`test/size.ts`). Busy machines need more time. */
const LIMITS: Readonly<Record<string, number>> = { sample: 120_000, all: 900_000, long: 3_600_000 }
const limit = LIMITS[process.env.CUADRA_TEST_SIZE ?? 'sample'] ?? 120_000

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const { imports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  imports: Readonly<Record<string, string>>
}
/** The groups of `imports`, such as `#core/*`. Node resolves these names only in files of the root's package. */
const alias = Object.entries(imports).map(([name, path]) => ({
  find: new RegExp(`^${name.slice(0, -1)}`),
  replacement: ROOT + path.slice(2, -1),
}))

export default defineConfig({
  resolve: { alias },
  plugins: [devPackagesResolved()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Runs the files that write reports only if CUADRA_REPORT is set: docs/reference/recognition-accuracy.md.
    include: [
      '{test,packages/*/test}/**/*.test.ts',
      ...(process.env.CUADRA_REPORT ? ['{test,packages/*/test}/**/*.run.ts'] : []),
    ],
    exclude: ['**/node_modules/**'],
    testTimeout: limit,
    hookTimeout: limit,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts'],
    pool: 'threads',
    // Test files share their workers, so that each worker loads imported modules only once.
    isolate: false,
    // The default leaves one core unused: half of a machine with two. Also, many tests wait for a server or a browser.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: Sequencer },
  },
})
