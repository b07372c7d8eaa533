/** Each package declares what its own source imports: nothing is there by chance, brought by another one. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../docs/markdown.ts'
import { sourcesWith } from '../sources.ts'

const STATIC = /^(?:import|export) (?!type )(?:[^'"`]*? from )?'([^'.][^']*)'/gm
/** Matches the names of groups. The build bundles what they name. */
const OF_THE_PROJECT = /^(?:#|cuadra-)/
const DYNAMIC = /\bimport\('([^'.][^']*)'\)/g

/** The packages that the files of a folder import at run time, each with the first file that does. */
function importedIn(files: readonly string[]): Map<string, string> {
  const imported = new Map<string, string>()
  for (const file of files) {
    const text = readFileSync(ROOT + file, 'utf8')
    for (const pattern of [STATIC, DYNAMIC])
      for (const [, id = ''] of text.matchAll(pattern)) {
        const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/')
        if (!isBuiltin(id) && !OF_THE_PROJECT.test(id) && !imported.has(name)) imported.set(name, file)
      }
  }
  return imported
}

const sources = sourcesWith('.ts', '.tsx', '.mjs')
const manifest = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))

const workspaces: readonly string[] = manifest('package.json').workspaces
const isIn = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

const undeclared = (path: string, files: readonly string[], kinds: readonly string[]) => {
  const declared = kinds.flatMap((kind) => Object.keys(manifest(path)[kind] ?? {}))
  const imported = importedIn(files)
  expect(imported.size).toBeGreaterThan(0)
  return [...imported].filter(([name]) => !declared.includes(name))
}

describe('every package that is imported is declared', () => {
  it.each(workspaces)('by %s', (folder) => {
    const kinds = ['dependencies', 'optionalDependencies']
    expect(undeclared(`${folder}/package.json`, sources.filter(isIn(folder)), kinds)).toEqual([])
  })

  it('by the engine and its pages', () => {
    const own = sources.filter((file) => !workspaces.some((folder) => isIn(folder)(file)))
    expect(undeclared('package.json', own, ['dependencies', 'devDependencies', 'peerDependencies'])).toEqual(
      [],
    )
  })
})
