/** The groups of `.dependency-cruiser.mjs`: forbidden imports are rejected, and allowed ones are used. @slow */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { SOURCE_FOLDERS, GROUPS as TABLE } from '../../.dependency-cruiser.mjs'
import { commandOf } from '../../scripts/dev-packages.mjs'
import { GROUP_PAGES, ROOT, read } from '../docs/markdown.ts'
import { temporaryFolder } from '../folders.ts'
import { setMissing, suite } from '../needs.ts'
import { SOURCES } from '../sources.ts'

const GROUPS = TABLE as unknown as readonly (readonly [string, string, readonly string[]])[]
const lintMissing = setMissing('lint')

interface Cruised {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[]
  readonly summary: { readonly violations: readonly { from: string; rule: { name: string } }[] }
}

/** Returns the imports of all sources in a folder, and those that break a rule. */
function cruised(cwd: string): Cruised {
  const options = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json']
  const { stdout } = spawnSync(required(commandOf('lint', 'depcruise')), [...options, ...SOURCE_FOLDERS], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout)
}

/** An importing file, what it imports, and the rule that this breaks. */
const PLANTED = [
  ['src/core/money/a.ts', '../../engine/index.ts', 'imports of core'],
  ['src/core/json/a.ts', '#engine/index.ts', 'imports of core'],
  ['src/core/xml/a.ts', 'type #engine/index.ts', 'imports of core'],
  ['src/records/verifactu/a.ts', '#engine/index.ts', 'imports of records'],
  ['rules/a.ts', '#records/index.ts', 'imports of engine'],
  ['src/entry/cli/a.ts', 'cuadra-pdf/index.ts', 'imports of entry'],
  ['src/view/a.ts', '../../packages/pdf/src/index.ts', 'imports of view'],
  ['packages/pdf/src/a.ts', '#engine/index.ts', 'imports of pdf'],
  ['packages/pdf/src/b.ts', '../../../src/engine/index.ts', 'imports of pdf'],
  ['packages/authority/src/a.ts', 'cuadra-server/index.ts', 'imports of authority'],
  ['packages/web/parts/a.ts', 'cuadra', 'built files'],
  ['packages/pdf/src/c.ts', '#view/model.ts', 'entry files'],
  ['packages/server/src/a.ts', 'cuadra-pdf/model.ts', 'entry files'],
  ['packages/server/src/b.ts', 'lazy cuadra-pdf/model.ts', 'entry files'],
  ['packages/pdf/src/d.ts', 'lazy #engine/index.ts', 'imports of pdf'],
  ['packages/server/src/store/a.ts', '../service/model.ts', 'layers of the server'],
  ['packages/server/src/service/model.ts', '../http/model.ts', 'layers of the server'],
  ['packages/server/src/http/model.ts', '../../admin/model.ts', 'layers of the server'],
  ['packages/server/admin/model.ts', '../src/model.ts', ''],
  ['packages/recognition/src/fields/candidates/a.ts', '#core/index.ts', ''],
  ['packages/recognition/src/fields/cells/a.ts', '../candidates/a.ts', 'stages of recognition'],
  ['src/engine/a.ts', 'node:fs', 'no Node in the engine'],
  ['src/entry/wasm/a.ts', 'node:fs', 'no Node in the engine'],
  ['src/somewhere/a.ts', '#core/index.ts', 'no group'],
  ['packages/somewhere/src/a.ts', '#core/index.ts', 'no group'],
  ['src/core/errors/a.ts', 'type ./a.ts', 'no circles'],
  ['rules/b.ts', '#engine/model.ts', ''],
  ['src/view/b.ts', '#core/index.ts', ''],
  ['src/view/c.ts', '#catalogs/units.json', ''],
  ['src/entry/cli/b.ts', 'node:fs', ''],
  ['packages/server/admin/a.ts', '../src/model.ts', ''],
  ['packages/pdf/test/a.ts', 'cuadra-server/model.ts', ''],
] as const

suite('an import', lintMissing, () => {
  const base = temporaryFolder()
  const write = (file: string, text: string) => {
    mkdirSync(join(base, dirname(file)), { recursive: true })
    writeFileSync(join(base, file), text)
  }
  const broken: Cruised['summary']['violations'][number][] = []

  beforeAll(() => {
    for (const file of ['.dependency-cruiser.mjs', 'package.json', 'tsconfig.json', 'tsconfig.node.json'])
      copyFileSync(join(ROOT, file), join(base, file))
    for (const folders of GROUPS.slice(1).flatMap(([, all]) => all.split('|')))
      for (const source of folders.startsWith('packages/') && folders !== 'packages/web'
        ? [`${folders}/src`]
        : [folders])
        for (const name of ['index', 'model'])
          write(`${source}/${name}.ts`, 'export const x = 1\nexport type X = 1\n')
    write('catalogs/units.json', '{ "x": 1 }\n')
    for (const file of ['dist/index.js', 'dist/index.d.ts']) write(file, 'export const x = 1\n')
    for (const [from, to] of PLANTED) {
      const [path = '', how] = to.split(' ').reverse()
      const names = path.endsWith('.json') || path === 'node:fs' ? '* as x' : '{ x }'
      const statement =
        how === 'type'
          ? `import type { X } from '${path}'`
          : how === 'lazy'
            ? `export const lazy = () => import('${path}')`
            : `import ${names} from '${path}'`
      write(from, `${statement}\nexport const y = 1\nexport type X = 1\n`)
    }
    broken.push(...cruised(base).summary.violations)
  })

  it.each(PLANTED)('of %s from %s: %s', (from, _to, rule) => {
    const rules = broken.filter((one) => one.from === from).map((one) => one.rule.name)
    expect([...new Set(rules)]).toEqual(rule === '' ? [] : [rule])
  })
})

describe('the table of groups', () => {
  it('lists, for each group, only groups above it', () => {
    GROUPS.forEach(([name, , may], index) => {
      const above = GROUPS.slice(0, index).map(([other]) => other)
      expect(above, name).toEqual(expect.arrayContaining([...may]))
    })
  })

  it('is the one of the architecture page', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    const rows = [...page.matchAll(/^\| \*\*(\w+)\*\* \|.*\| ([^|]*) \|$/gm)].map(
      ([, name, may]) => `${name}: ${may}`,
    )
    expect(rows).toEqual(GROUPS.map(([name, , may]) => `${name}: ${may.join(' ') || '–'}`))
  })
})

describe('the page of each group', () => {
  it.each(GROUP_PAGES)('%s states what the group may import', (page) => {
    const group = GROUPS.find(([, folders]) => folders.split('|').includes(dirname(page)))
    const may = required(group)[2].join(', ') || 'nothing'
    expect(read(page)).toContain(`May import: ${may} (`)
  })
})

it('no two source files have the same name, except index.ts and main.ts', () => {
  const names = SOURCES.map((file) => basename(file).replace(/\.tsx?$/, ''))
  const twice = names.filter((name, at) => names.indexOf(name) !== at && !['index', 'main'].includes(name))
  expect(twice).toEqual([])
})

it('the built files import no group by name', () => {
  const built = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:js|d\.ts)$/.test(file),
  )
  expect(built.length).toBeGreaterThan(20)
  const external = /\b(?:from|import)\s*\(?\s*["'](?:#|cuadra-)/
  expect(built.filter((file) => external.test(readFileSync(join(ROOT, 'dist', file), 'utf8')))).toEqual([])
})

suite('each row', lintMissing, () => {
  it('allows only imports that some file uses', () => {
    const { modules } = cruised(ROOT)
    const groupOf = (file: string) =>
      GROUPS.find(([, folders]) => new RegExp(`^(?:${folders})/`).test(file))?.[0]
    const used = new Set(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${groupOf(source)} ${groupOf(resolved)}`),
      ),
    )
    const unused = GROUPS.flatMap(([name, , may]) => may.map((one) => `${name} ${one}`)).filter(
      (arrow) => !used.has(arrow),
    )
    expect(unused).toEqual([])
  })
})
