import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { toolsResolved } from './scripts/tools-resolved.mjs'
import { Sequencer } from './test/sequencer.ts'

/**
 * Tests of pure functions, and of parts of the server that keep nothing in a module. They share their workers: what
 * they import is loaded once for each worker, not once for each file. A file that changes something global, starts
 * servers that stay, or mocks a module does not belong here.
 */
const SHARED = [
  'test/{catalogs,engine,fiscal,formats,identifiers,money,request,rules,schemas,sii,verifactu,view,xml}/**/*.test.ts',
  'test/server/{connections,filed-returns,groups,lists,rate-limit}.test.ts',
  'test/server/aeat/*.test.ts',
  'test/server/mail/{address,message}.test.ts',
]
const ALL = ['test/**/*.test.ts']
const NONE = ['**/node_modules/**']

export default defineConfig({
  plugins: [toolsResolved()],
  test: {
    testTimeout: 120_000,
    pool: 'threads',
    // The default leaves one core out, which of two is half; and many tests wait, for a server or a browser.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALL,
          exclude: [...NONE, ...SHARED],
          globalSetup: ['test/conformance/teardown.ts'],
        },
      },
      { extends: true, test: { name: 'shared', include: SHARED, exclude: NONE, isolate: false } },
    ],
  },
})
