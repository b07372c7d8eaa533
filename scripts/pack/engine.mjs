/** Assembles the package of the engine: the files that `package.json` lists, and a manifest for installations. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyInto, demandBuilt, filesOf, readJson, writeInto, writeJson } from './files.mjs'
import { withPackedLinks } from './links.mjs'
import { manPage } from './man.mjs'

/** The fields of `package.json` that installations need. */
const PUBLISHED = [
  ...['name', 'version', 'description', 'keywords', 'homepage', 'repository', 'bugs', 'license', 'author'],
  ...[
    'type',
    'engines',
    'sideEffects',
    'main',
    'types',
    'bin',
    'man',
    'exports',
    'typesVersions',
    'dependencies',
  ],
]

export const published = (manifest) =>
  Object.fromEntries(PUBLISHED.filter((name) => name in manifest).map((name) => [name, manifest[name]]))

/** Returns dependencies as version ranges, so that an application can share them with other libraries and update. */
const ranges = ({ dependencies }) =>
  Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, `^${version}`]))

/** Returns the manifest fields for homepage, repository and bugs, from `src/core/site/site.json`. */
export function origin(root) {
  const { address, repository } = readJson(join(root, 'src/core/site/site.json'))
  return {
    ...(address && { homepage: address }),
    ...(repository && { repository, bugs: `${repository}/issues` }),
  }
}

/** Whether a set of files has a file or folder of this name. */
export const hasAmong = (files) => (path) =>
  files.includes(path) || files.some((file) => file.startsWith(`${path}/`))

const NEEDED = ['dist/index.d.ts', 'dist/cuadra.wasm', 'dist/cuadra.wasm.d.ts', 'dist/cli/main.js']

export function stageEngine(root, stage) {
  demandBuilt(root, NEEDED)
  const manifest = { ...readJson(join(root, 'package.json')), ...origin(root) }
  const files = filesOf(root)
  copyInto(stage, root, files)
  const man = 'man/cuadra.1'
  const summary = 'validate, explain and convert Spanish invoices'
  writeInto(stage, man, manPage('cuadra', join(root, 'dist/cli/main.js'), summary, manifest))
  writeJson(stage, 'package.json', { ...published({ ...manifest, man }), dependencies: ranges(manifest) })
  const where = { has: hasAmong(files), homepage: manifest.homepage }
  for (const page of files.filter((file) => /^[^/]+\.md$|^docs\/.*\.md$|^llms\.txt$/.test(file)))
    writeInto(stage, page, withPackedLinks(readFileSync(join(root, page), 'utf8'), page, where))
}
