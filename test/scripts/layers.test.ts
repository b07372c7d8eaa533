/** The layers of `docs/architecture.md`: forbidden imports are rejected, and allowed ones are used. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'
import configuration from '../../.dependency-cruiser.mjs'
import { filesOf, MODULES } from '../../scripts/layers.mjs'
import { required } from '../../src/errors/index.ts'
import { ROOT } from '../docs/markdown.ts'
import { temporaryFolder } from '../folders.ts'
import { setMissing, suite } from '../needs.ts'

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
    ['src/verifactu/record/a.ts', 'src/engine/b.ts', 'imports of src/verifactu/record'],
    ['src/verifactu/model/a.ts', 'src/normalise/b.ts', 'imports of src/verifactu/model'],
    ['rules/a.ts', 'src/web/b.ts', 'imports of rules'],
    ['src/fiscal/a.ts', 'rules/b.ts', 'imports of src/fiscal'],
    ['src/fiscal/a.ts', 'src/calculate/b.ts', 'imports of src/fiscal'],
    ['src/sii/record/a.ts', 'src/verifactu/record/b.ts', 'imports of src/sii/record'],
    ['src/server/store/a.ts', 'src/server/service/issued/b.ts', 'imports of src/server/store'],
    [
      'src/server/service/company/a.ts',
      'src/server/service/issued/b.ts',
      'imports of src/server/service/company',
    ],
    ['src/admin/doctor/a.ts', 'src/server/generated/texts/b.ts', 'imports of src/admin/doctor'],
    ['src/calculate/a.ts', 'node:fs', 'no Node in the engine'],
    ['src/somewhere/a.ts', 'src/money/b.ts', 'no module'],
    ['src/calculate/a.ts', 'src/money/b.ts', 'allowed'],
    ['src/cli/input/a.ts', 'node:fs', 'allowed'],
    ['src/admin/doctor/a.ts', 'src/admin/generated/texts/b.ts', 'allowed'],
  ])('of %s from %s: %s', async (from, to, rule) => {
    expect(await broken(from, to)).toEqual(rule === 'allowed' ? [] : [rule])
  })

  it('is rejected even for types alone', async () => {
    expect(await broken('src/money/a.ts', 'src/calculate/b.ts', 'import type { X } from')).toEqual([
      'imports of src/money',
    ])
  })

  it('may not be circular, even for types within one module', async () => {
    expect(await broken('src/money/a.ts', 'src/money/b.ts', 'import type { X } from', true)).toEqual([
      'no circles',
    ])
  })
})

describe('the rows', () => {
  it('refer only to rows above them', () => {
    MODULES.forEach(({ name, may }, index) => {
      const above = MODULES.slice(0, index).map((module) => module.name)
      expect(above, name).toEqual(expect.arrayContaining(may))
    })
  })
})

suite('each row', lintMissing, () => {
  it('allows only imports that some file uses', async () => {
    const { modules } = await cruiseFolders(ROOT, ['src', 'rules'])
    const moduleOf = (file: string) => MODULES.find((module) => new RegExp(filesOf(module)).test(file))?.name
    const used = new Set(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${moduleOf(source)} ${moduleOf(resolved)}`),
      ),
    )
    const unused = MODULES.flatMap(({ name, may }) => may.map((one: string) => `${name} ${one}`)).filter(
      (arrow) => !used.has(arrow),
    )
    expect(unused).toEqual([])
  })
})
