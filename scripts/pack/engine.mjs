/** The engine's package: the files that `package.json` names, without what only a clone needs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyInto, filesOf, readJson, writeInto } from './files.mjs'
import { withPackedLinks } from './links.mjs'

/** Members that say something to somebody who installs the package. */
const PUBLISHED = [
  ...['name', 'version', 'description', 'keywords', 'homepage', 'repository', 'bugs', 'license', 'author'],
  ...['type', 'engines', 'sideEffects', 'main', 'types', 'bin', 'exports', 'dependencies'],
]

export const published = (manifest) =>
  Object.fromEntries(PUBLISHED.filter((name) => name in manifest).map((name) => [name, manifest[name]]))

/** Whether a set of files has one of this name, or a folder. */
export const hasAmong = (files) => (path) =>
  files.includes(path) || files.some((file) => file.startsWith(`${path}/`))

const NEEDED = ['dist/index.d.ts', 'dist/cuadra.wasm', 'dist/cuadra.wasm.d.ts', 'dist/cli/main.js']

export function stageEngine(root, stage) {
  const missing = NEEDED.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not built: npm run pack builds it`)
  const manifest = readJson(join(root, 'package.json'))
  const files = filesOf(root)
  copyInto(stage, root, files)
  writeInto(stage, 'package.json', `${JSON.stringify(published(manifest), null, 2)}\n`)
  const where = { has: hasAmong(files), homepage: manifest.homepage }
  for (const page of files.filter((file) => /^[^/]+\.md$|^docs\/.*\.md$|^llms\.txt$/.test(file)))
    writeInto(stage, page, withPackedLinks(readFileSync(join(root, page), 'utf8'), page, where))
}
