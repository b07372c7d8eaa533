/** The floors of `docs/architecture.md`: what must be refused is, and what a row allows is used. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, describe, expect, it } from 'vitest'
import configuration from '../../.dependency-cruiser.mjs'
import { filesOf, ROOMS } from '../../scripts/floors.mjs'
import { required } from '../../src/errors/index.ts'
import { ROOT } from '../docs/markdown.ts'
import { setMissing, suite } from '../needs.ts'

const { options, forbidden } = configuration as unknown as { options: ICruiseOptions; forbidden: object[] }

const lintMissing = setMissing('lint')

async function look(baseDir: string, folders: string[]): Promise<ICruiseResult> {
  const { tsConfig: _, ...rest } = options
  const { output } = await cruise(folders, {
    ...rest,
    baseDir,
    validate: true,
    ruleSet: { forbidden } as never,
  })
  return output as ICruiseResult
}

const folder = mkdtempSync(join(tmpdir(), 'cuadra-floors-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Names of the rules that a file which imports another one breaks. */
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
  const { summary } = await look(base, [required(dirname(from).split('/')[0])])
  return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort()
}

suite('an import', lintMissing, () => {
  it.each([
    ['src/verifactu/record/a.ts', 'src/engine/b.ts', 'floor of src/verifactu/record'],
    ['src/verifactu/model/a.ts', 'src/normalise/b.ts', 'floor of src/verifactu/model'],
    ['rules/a.ts', 'src/web/b.ts', 'floor of rules'],
    ['src/fiscal/a.ts', 'rules/b.ts', 'floor of src/fiscal'],
    ['src/fiscal/a.ts', 'src/calculate/b.ts', 'floor of src/fiscal'],
    ['src/sii/record/a.ts', 'src/verifactu/record/b.ts', 'floor of src/sii/record'],
    ['src/server/store/a.ts', 'src/server/service/issued/b.ts', 'floor of src/server/store'],
    [
      'src/server/service/company/a.ts',
      'src/server/service/issued/b.ts',
      'floor of src/server/service/company',
    ],
    ['src/calculate/a.ts', 'node:fs', 'no Node below the faces'],
    ['src/somewhere/a.ts', 'src/money/b.ts', 'no room'],
    ['src/calculate/a.ts', 'src/money/b.ts', 'allowed'],
    ['src/cli/input/a.ts', 'node:fs', 'allowed'],
  ])('of %s from %s: %s', async (from, to, rule) => {
    expect(await broken(from, to)).toEqual(rule === 'allowed' ? [] : [rule])
  })

  it('is refused for its type alone, too', async () => {
    expect(await broken('src/money/a.ts', 'src/calculate/b.ts', 'import type { X } from')).toEqual([
      'floor of src/money',
    ])
  })

  it('may not come back, even as a type within one room', async () => {
    expect(await broken('src/money/a.ts', 'src/money/b.ts', 'import type { X } from', true)).toEqual([
      'no circles',
    ])
  })
})

describe('the rows', () => {
  it('name only rows above them', () => {
    ROOMS.forEach(({ name, may }, index) => {
      const above = ROOMS.slice(0, index).map((room) => room.name)
      expect(above, name).toEqual(expect.arrayContaining(may))
    })
  })
})

suite('each row', lintMissing, () => {
  it('allows nothing that no file uses', async () => {
    const { modules } = await look(ROOT, ['src', 'rules'])
    const roomOf = (file: string) => ROOMS.find((room) => new RegExp(filesOf(room)).test(file))?.name
    const used = new Set(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => `${roomOf(source)} ${roomOf(resolved)}`),
      ),
    )
    const unused = ROOMS.flatMap(({ name, may }) => may.map((one: string) => `${name} ${one}`)).filter(
      (arrow) => !used.has(arrow),
    )
    expect(unused).toEqual([])
  })
})
