/**
 * `npm run recognition:report`: recognises the corpus with the built server, prints the figures and writes them to
 * docs/recognition-accuracy.md. Details of wrong fields go to the terminal.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { devPackagesResolved } from './dev-packages-resolved.mjs'
import { readOptions } from './options.mjs'

readOptions({ about: 'Recognises the corpus, and writes docs/recognition-accuracy.md.' })

const root = fileURLToPath(new URL('../', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

// Vitest loads the TypeScript of the tests, and the packages of others as Node does.
const vitest = await startVitest(
  'test',
  [],
  {
    root,
    config: false,
    watch: false,
    include: ['test/recognition/report.run.ts'],
    globalSetup: ['test/setup/run.ts'],
    setupFiles: ['test/setup/file.ts'],
    testTimeout: 3_600_000,
    reporters: ['default'],
    env: {
      CUADRA_REPORT_STAMP: `${new Date().toISOString().slice(0, 10)}, cuadra ${version} (${commit}), Node ${process.versions.node}.`,
    },
  },
  { plugins: [devPackagesResolved()] },
)
await vitest.close()
