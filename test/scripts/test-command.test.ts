/** What the test command counts, what it reads out of the README, and how it resolves packages. */
import { readFileSync } from 'node:fs'
import { createServer } from 'vite'
import { describe, expect, it } from 'vitest'
import { readmeCommands } from '../../scripts/bare-clone.mjs'
import { setOf } from '../../scripts/dev-packages.mjs'
import { devPackagesResolved } from '../../scripts/dev-packages-resolved.mjs'
import { countTests, failedTests, repeatable, skippedTests } from '../../scripts/test-counts.mjs'
import { ROOT } from '../docs/markdown.ts'

const test = (status: string, fullName = 'a test') => ({ status, fullName })
const file = (name: string, status: string, ...assertionResults: object[]) => ({
  name: `/clone/${name}`,
  status,
  message: status === 'failed' ? 'Error: no such module\n  at ...' : '',
  assertionResults,
})
const report = (passed: number, failed: number, skipped: number, ...testResults: object[]) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
  testResults,
})

describe('the closing line', () => {
  it('counts a file that does not load as a failed test and names it', () => {
    const counts = countTests(
      report(3, 0, 1, file('a.test.ts', 'passed'), file('b.test.ts', 'failed')),
      false,
    )
    expect(counts).toEqual({
      passed: 3,
      failed: 1,
      skipped: 1,
      faults: ['failed outside of its tests: /clone/b.test.ts: Error: no such module'],
    })
  })

  it('counts a file whose tests failed by its tests alone', () => {
    const failed = file('a.test.ts', 'failed', test('failed'), test('passed'))
    expect(countTests(report(1, 1, 0, failed), false)).toMatchObject({ failed: 1, faults: [] })
  })

  it('counts a failed setup, whose tests are skipped, as a failed test', () => {
    const setup = file('a.test.ts', 'failed', test('skipped'), test('skipped'))
    expect(countTests(report(0, 0, 2, setup), false)).toMatchObject({ failed: 1, skipped: 2 })
  })

  it('counts an error outside of any test file, a run of no test and a missing report as failures', () => {
    expect(countTests(report(5, 0, 0, file('a.test.ts', 'passed', test('passed'))), false).failed).toBe(1)
    expect(countTests(report(0, 0, 4), true).failed).toBe(1)
    expect(countTests(undefined, false).failed).toBe(1)
  })

  it('is clean where everything passed', () => {
    const passed = file('a.test.ts', 'passed', test('passed'))
    expect(countTests(report(1, 0, 0, passed), true)).toEqual({
      passed: 1,
      failed: 0,
      skipped: 0,
      faults: [],
    })
  })

  it('comes after a repetition of at most three failed tests, where all of them are of servers', () => {
    const timed = (count: number) =>
      file('packages/server/test/a.test.ts', 'failed', ...Array.from({ length: count }, () => test('failed')))
    expect(repeatable(report(0, 3, 0, timed(3)), '/clone/')).toEqual(
      Array.from({ length: 3 }, () => ({
        file: 'packages/server/test/a.test.ts',
        name: 'a test',
        message: '',
      })),
    )
    expect(repeatable(report(0, 4, 0, timed(4)), '/clone/')).toEqual([])
    const other = file('test/rules/b.test.ts', 'failed', test('failed'))
    expect(repeatable(report(0, 2, 0, timed(1), other), '/clone/')).toEqual([])
    const found = file('packages/server/test/b.test.ts', 'failed', {
      ...test('failed'),
      failureMessages: ['Error: Property failed after 96 tests'],
    })
    expect(repeatable(report(0, 2, 0, timed(1), found), '/clone/')).toEqual([])
    const unloaded = file('packages/server/test/b.test.ts', 'failed')
    expect(repeatable(report(0, 1, 0, timed(1), unloaded), '/clone/')).toEqual([])
    expect(repeatable(undefined, '/clone/')).toEqual([])
  })

  it('comes after the names of all failed tests, each with the first line of its message', () => {
    const some = file('test/a.test.ts', 'failed', test('passed'), {
      ...test('failed'),
      failureMessages: ['AssertionError: expected 1 to be 2\n    at line 3'],
    })
    expect(failedTests(report(1, 1, 0, some), '/clone/')).toMatchObject([
      { file: 'test/a.test.ts', name: 'a test', message: 'AssertionError: expected 1 to be 2' },
    ])
  })

  it('names the seed and the counterexample of a failed property', () => {
    const found = ['Error: Property failed after 2 tests', '{ seed: 7, path: "1" }', 'Counterexample: [0]']
    const some = file('test/a.test.ts', 'failed', {
      ...test('failed'),
      failureMessages: [[...found, 'Shrunk 0 time(s)'].join('\n')],
    })
    expect(failedTests(report(0, 1, 0, some), '/clone/')).toMatchObject([{ message: found.join(' / ') }])
  })

  it('comes after the names of all skipped tests', () => {
    const some = file(
      'a.test.ts',
      'passed',
      test('passed'),
      test('skipped', 'in Deno (needs dev-packages/runtimes)'),
    )
    expect(skippedTests(report(1, 0, 1, some), '/clone/')).toEqual([
      'a.test.ts: in Deno (needs dev-packages/runtimes)',
    ])
  })
})

describe('the commands of the README', () => {
  it('are the run command and the test command, as it prints them', () => {
    expect(readmeCommands(readFileSync(`${ROOT}README.md`, 'utf8'))).toEqual([
      'npm ci && npm run build && npx cuadra validate examples/*.json',
      'npm ci && npm test',
    ])
  })

  it('have to be there', () => {
    expect(() => readmeCommands('Run it:\n\nnpm start\n')).toThrow(
      'README.md has no sh block of one line after "Run it:"',
    )
  })
})

describe('packages that tests import', () => {
  /** Resolves as Vite would in a clone where these folders have the package. */
  const resolveWith = (found: readonly string[]) => (id: string) => {
    const { resolveId } = devPackagesResolved() as any
    const resolve = async (_id: string, from: string) => found.find((folder) => from.includes(folder)) ?? null
    return resolveId.call({ resolve }, id, '/clone/test/some.test.ts', {})
  }

  it('come from the root wherever the root has them', async () => {
    expect(await resolveWith(['/clone/test/', 'dev-packages/guides'])('hono')).toBe('/clone/test/')
  })

  it('come from the set that has them where the root does not', async () => {
    expect(await resolveWith(['dev-packages/guides'])('express')).toBe('dev-packages/guides')
  })

  it('are an empty module where nothing has them', async () => {
    expect(await resolveWith([])('express')).toBe('\0not installed')
  })

  it('come from nowhere else for the code of src/', async () => {
    const { resolveId } = devPackagesResolved() as any
    const context = { resolve: () => expect.unreachable() }
    expect(await resolveId.call(context, 'hono', '/clone/src/server/http/server.ts', {})).toBeNull()
  })

  it('are those of the root, every one that both the root and a set have', async () => {
    const shipped = ['', 'packages/server/'].flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(`${ROOT}${folder}package.json`, 'utf8'))
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    })
    const both = shipped.filter((name) => setOf(name))
    expect(both).toEqual(expect.arrayContaining(['hono', 'typescript']))
    const server = await createServer({
      configFile: false,
      root: ROOT,
      plugins: [devPackagesResolved()],
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
    })
    try {
      for (const name of both)
        for (const importer of [
          'packages/server/src/http/server.ts',
          'test/conformance/harness.ts',
          'scripts/types.mjs',
        ]) {
          const found = await server.environments.ssr.pluginContainer.resolveId(name, `${ROOT}${importer}`)
          expect(found?.id, `${name} for ${importer}`).toContain(`${ROOT}node_modules/${name}/`)
        }
    } finally {
      await server.close()
    }
  })

  it('are left to Vite where no set names them', async () => {
    expect(await resolveWith([])('vitest')).toBeNull()
  })
})
