/** The groups of `.dependency-cruiser.mjs`: forbidden imports are rejected, and allowed ones are used. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import configuration, { GROUPS as TABLE } from '../../.dependency-cruiser.mjs'
import { ROOT } from '../docs/markdown.ts'
import { temporaryFolder } from '../folders.ts'
import { setMissing, suite } from '../needs.ts'

const GROUPS = TABLE as unknown as readonly (readonly [string, string, readonly string[]])[]
const { options, forbidden } = configuration as unknown as { options: ICruiseOptions; forbidden: object[] }

const lintMissing = setMissing('lint')

async function cruiseFolders(baseDir: string, folders: string[]): Promise<ICruiseResult> {
  const { tsConfig: _, ...rest } = options
  const { output } = await cruise(folders, {
    ...rest,
    baseDir,
    validate: true,
    ruleSet: { forbidden } as never,
  })
  return output as ICruiseResult
}

const folder = temporaryFolder()

/** Returns the rules that an import from one file to another breaks. */
async function broken(from: string, to: string, how = 'import { x } from', back = false): Promise<string[]> {
  const base = mkdtempSync(join(folder, 'tree-'))
  const write = (file: string, text: string) => {
    mkdirSync(join(base, dirname(file)), { recursive: true })
    writeFileSync(join(base, file), text)
  }
  const path = (one: string, other: string) => {
    const way = relative(dirname(one), other)
    return way.startsWith('.') ? way : `./${way}`
  }
  const imports = (one: string, other: string) =>
    other.startsWith('node:') ? `${how} '${other}'` : `${how} '${path(one, other)}'`
  write(from, `${imports(from, to)}\nexport const x = 1\nexport type X = 1\n`)
  if (!to.startsWith('node:'))
    write(to, `${back ? imports(to, from) : ''}\nexport const x = 1\nexport type X = 1\n`)
  const { summary } = await cruiseFolders(base, [required(dirname(from).split('/')[0])])
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort()
}

suite('an import', lintMissing, () => {
  it.each([
    ['src/core/money/a.ts', 'src/engine/calculate/b.ts', 'imports of core'],
    ['src/records/verifactu/a.ts', 'src/engine/b.ts', 'imports of records'],
    ['rules/a.ts', 'src/records/fiscal/b.ts', 'imports of engine'],
    ['src/entry/cli/a.ts', 'packages/pdf/src/b.ts', 'imports of entry'],
    ['packages/pdf/src/a.ts', 'src/engine/b.ts', 'imports of pdf'],
    ['packages/authority/src/a.ts', 'packages/server/src/store/b.ts', 'imports of authority'],
    ['src/engine/calculate/a.ts', 'node:fs', 'no Node in the engine'],
    ['src/entry/wasm/a.ts', 'node:fs', 'no Node in the engine'],
    ['src/somewhere/a.ts', 'src/core/money/b.ts', 'no group'],
    ['packages/somewhere/src/a.ts', 'src/core/money/b.ts', 'no group'],
    ['rules/a.ts', 'src/engine/normalise/b.ts', 'allowed'],
    ['src/entry/cli/input/a.ts', 'node:fs', 'allowed'],
    ['packages/server/admin/a.ts', 'packages/server/src/store/b.ts', 'allowed'],
    ['packages/pdf/test/a.ts', 'packages/server/src/store/b.ts', 'allowed'],
  ])('of %s from %s: %s', async (from, to, rule) => {
    expect(await broken(from, to)).toEqual(rule === 'allowed' ? [] : [rule])
  })

  it('is rejected even for types alone', async () => {
    expect(
      await broken('src/core/money/a.ts', 'src/engine/calculate/b.ts', 'import type { X } from'),
    ).toEqual(['imports of core'])
  })

  it('may not be circular, even for types within one group', async () => {
    expect(
      await broken('src/core/money/a.ts', 'src/core/money/b.ts', 'import type { X } from', true),
    ).toEqual(['no circles'])
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

suite('each row', lintMissing, () => {
  it('allows only imports that some file uses', async () => {
    const { modules } = await cruiseFolders(ROOT, ['src', 'rules', 'packages'])
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
