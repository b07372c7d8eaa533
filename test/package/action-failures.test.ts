/** action.yml fails where nothing was checked, whatever `fail-on` says. cuadra is played by small programs. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { temporaryFolder } from '../folders.ts'
import { portOf } from '../narrow.ts'
import { runAction } from './action-steps.ts'

const folder = temporaryFolder()

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** A repository with an invoice, and with a folder that has none. */
const repository = join(folder, 'repository')
write('repository/invoices/one.json', '{}')
write('repository/empty/batch.ndjson', '\n \n')
write('repository/notes/README.md', 'Notes.')
spawnSync('git', ['init', '-q'], { cwd: repository })

/** A tarball of a package `cuadra` whose command is this program. */
function packageOf(name: string, program: string): string {
  write(`${name}/package.json`, JSON.stringify({ name: 'cuadra', version: '1.2.3', bin: 'main.cjs' }))
  write(`${name}/main.cjs`, `#!/usr/bin/env node\n${program}`)
  const { status, stdout } = spawnSync('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: join(folder, name),
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  return join(folder, name, JSON.parse(stdout)[0].filename)
}

const VERSION = "if (process.argv[2] === '--version') { console.log('1.2.3'); process.exit(0) }\n"
const ERROR = '::error file=invoices/one.json,line=1,col=1,title=schema.required::Missing.'
const FAIL_ON = ['error', 'warning', 'never']

/** A registry that knows cuadra 0.0.1 alone, and one that is down. */
let registry: Server
const addresses: Record<string, string> = { down: 'http://127.0.0.1:9/' }
beforeAll(async () => {
  registry = createServer(({ url }, response) => {
    response.writeHead(url === '/cuadra' ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(
      url === '/cuadra'
        ? JSON.stringify({
            name: 'cuadra',
            'dist-tags': { latest: '0.0.1' },
            versions: { '0.0.1': { name: 'cuadra', version: '0.0.1', dist: {} } },
          })
        : '{}',
    )
  })
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening))
  addresses.up = `http://127.0.0.1:${portOf(registry)}/`
})
afterAll(() => registry.close())

let runs = 0
const act = (inputs: Readonly<Record<string, string>>, address = 'down') =>
  runAction(
    repository,
    join(folder, `runner-${runs++}`),
    { files: 'invoices/*.json', ...inputs },
    {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|CUADRA_)/i.test(name))),
      npm_config_registry: addresses[address],
      npm_config_fetch_retries: '0',
      npm_config_cache: join(folder, 'cache'),
    },
  )

const yaml = hasSet('package')

describe.skipIf(!yaml)(`the action${yaml ? '' : ` (${howToHave('package')})`}`, () => {
  it.each([
    ['of a version that npm does not have', '99.99.99', 'up'],
    ['while the registry is down', '0.0.1', 'down'],
    ['of a tarball that is not there', './missing.tgz', 'down'],
  ])('fails in its installation %s, also with fail-on: never', async (_, version, address) => {
    const done = await act({ version, 'fail-on': 'never' }, address)
    expect(done).toMatchObject({ status: 2, step: 'Install cuadra', outputs: '', summary: '' })
    expect(done.annotations).toEqual([expect.stringMatching(/^::error title=cuadra::npm cannot install /)])
  })

  it('fails in its installation if the command of the package does not run', async () => {
    const version = packageOf('unable', "throw new Error('no such module')")
    const done = await act({ version, 'fail-on': 'never' })
    expect(done).toMatchObject({ status: 2, step: 'Install cuadra' })
    expect(done.annotations).toEqual([expect.stringContaining('its command cuadra does not run')])
  })

  it.each([
    ['throws', "throw new Error('crash')"],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
    ['cannot read a file', 'process.exit(2)'],
    ['throws after an error', `console.log(${JSON.stringify(ERROR)}); process.exit(2)`],
  ])('fails where cuadra %s, also with fail-on: never, and reports no numbers', async (name, program) => {
    const version = packageOf(name.replaceAll(' ', '-'), VERSION + program)
    const done = await act({ version, 'fail-on': 'never' })
    expect(done).toMatchObject({ status: 2, step: 'Check invoices', outputs: '', summary: '' })
    expect(done.annotations.at(-1)).toMatch(/^::error title=cuadra::cuadra ended .* are not checked/)
  })

  it('fails if there is no invoice to check, also with fail-on: never', async () => {
    const version = packageOf('unused', VERSION)
    const refusals = { 'notes/*.json': 'No file of this repository', 'empty/*': 'All files are empty' }
    for (const [files, message] of Object.entries(refusals)) {
      const done = await act({ version, files, 'fail-on': 'never' })
      expect([done.status, done.outputs, done.annotations]).toEqual([
        2,
        '',
        [expect.stringContaining(message)],
      ])
    }
  })

  it('fails or passes as fail-on says once the invoices were checked', async () => {
    const wrong = packageOf('wrong', `${VERSION}console.log(${JSON.stringify(ERROR)}); process.exitCode = 1`)
    const warned = packageOf('warned', `${VERSION}console.log('::warning file=a::b')`)
    const results = async (version: string) => {
      const all: [number | null, string][] = []
      for (const failOn of FAIL_ON) {
        const { status, outputs } = await act({ version, 'fail-on': failOn })
        all.push([status, outputs.replaceAll('\n', ' ').trim()])
      }
      return all
    }
    const one = 'files=1 errors=1 warnings=0'
    expect(await results(wrong)).toEqual([
      [1, one],
      [1, one],
      [0, one],
    ])
    const none = 'files=1 errors=0 warnings=1'
    expect(await results(warned)).toEqual([
      [0, none],
      [1, none],
      [0, none],
    ])
  })
})
