/** action.yml: its step, run as GitHub runs it, in a repository that was just made; and the release. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { hasSet, howToHave, requireFrom } from '../../scripts/dev-packages.mjs'
import { blocksOf } from '../docs/markdown.ts'
import { parsedYaml, runAction } from './action-steps.ts'
import { away, environment, folder, packed, project, ROOT, run, unless } from './packing.ts'

const yaml = hasSet('package')
const parse = (text: string) => requireFrom('package')('yaml').parse(text)
const example = (file: string): string => readFileSync(`${ROOT}examples/${file}`, 'utf8')

/** A workspace as actions/checkout leaves it. */
function workspace(): string {
  const path = project('workspace', {
    'invoices/2026/good.json': example('01-services-irpf.json'),
    'invoices/2026/wrong one.json': example('wrong/everything-wrong.json'),
    'invoices/ignored.json': '{}',
    '.gitignore': 'ignored.json\n',
    'other.json': '{}',
  })
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    expect(run('git', args, path).status).toBe(0)
  return path
}

/** Runs the action with inputs, the others as they are by default. */
const check = (path: string, inputs: Readonly<Record<string, string>>) =>
  runAction(path, folder, { version: required(packed).engine.file, ...inputs }, environment())

const needs = yaml ? unless : ` (${howToHave('package')})`

describe.skipIf(away !== '' || !yaml)(`the action${needs}`, () => {
  it('annotates the problems, counts them, and fails as configured', async () => {
    const path = workspace()
    const inputs = {
      files: 'invoices/**/*.json\n',
      operation: 'issue',
      locale: 'es',
      'company-tax-id': 'B23456783',
    }
    const { status, annotations, outputs, summary } = await check(path, inputs)
    expect(status).toBe(1)
    expect(annotations.length).toBeGreaterThan(10)
    for (const line of annotations)
      expect(line).toMatch(
        /^::(error|warning) file=invoices\/2026\/(good|wrong one)\.json,line=\d+,col=\d+,title=\w+::/,
      )
    expect(annotations.join('\n')).toContain('Corrija')
    const count = (severity: string) => annotations.filter((line) => line.startsWith(`::${severity} `)).length
    expect(outputs).toBe(`files=2\nerrors=${count('error')}\nwarnings=${count('warning')}\n`)
    expect(summary).toContain(`| 2 | ${count('error')} | ${count('warning')} |`)
    expect((await check(path, { ...inputs, 'fail-on': 'never' })).status).toBe(0)
  })

  it('passes with a valid invoice alone', async () => {
    const good = { files: 'invoices/*/good.json', 'fail-on': 'warning' }
    expect(await check(workspace(), good)).toMatchObject({
      status: 0,
      annotations: [],
      outputs: 'files=1\nerrors=0\nwarnings=0\n',
    })
  })

  it.each([
    [{ files: '' }, 'files is empty'],
    [{ files: 'nothing/*.json' }, 'No file of this repository matches nothing/*.json'],
    [{ files: '*.json', 'fail-on': 'always' }, 'fail-on is "always"'],
    [{ files: '*.json', company: 'c.json', 'company-tax-id': 'B23456783' }, 'not both'],
  ])('refuses %o with a message', async (inputs, message) => {
    const { status, annotations } = await check(workspace(), inputs as Record<string, string>)
    expect([status, annotations]).toEqual([2, [expect.stringContaining(message)]])
  })
})

describe.skipIf(!yaml)(`the declarations for GitHub${yaml ? '' : ` (${howToHave('package')})`}`, () => {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))

  it('the action runs the package of its own version, and its page shows inputs that it has', () => {
    const { inputs } = parsedYaml('action.yml')
    expect(inputs.version.default).toBe(version)
    const text = required(blocksOf('docs/install.md').find(({ language }) => language === 'yaml')).text
    const { uses, with: given } = parse(text).jobs.invoices.steps[1]
    expect(uses).toBe(`OWNER/cuadra@v${version}`)
    for (const name of Object.keys(given)) expect(Object.keys(inputs)).toContain(name)
  })

  it('a release passes the test command, and publishes the tarballs with provenance', () => {
    const { on, permissions, jobs } = parsedYaml('.github/workflows/release.yml')
    expect(on.push.tags).toEqual(['v*'])
    expect(permissions).toEqual({ contents: 'read' })
    const runs = (job: string): string[] => jobs[job].steps.flatMap(({ run: command = [] }) => command)
    expect(runs('pack').indexOf('.ci/run')).toBeGreaterThan(-1)
    expect(runs('pack').indexOf('npm run pack')).toBeGreaterThan(runs('pack').indexOf('.ci/run'))
    expect(jobs.publish).toMatchObject({
      needs: 'pack',
      permissions: { contents: 'read', 'id-token': 'write' },
    })
    expect(runs('publish')).toHaveLength(2)
    for (const command of runs('publish')) expect(command).toMatch(/^npm publish --provenance .*\.tgz$/)
    for (const { steps } of Object.values<any>(jobs))
      for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
  })
})
