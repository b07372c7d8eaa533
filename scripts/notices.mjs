/**
 * Collects the licence notices of the packages in a bundle, which must be distributed with the bundle.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, setOf } from './dev-packages.mjs'

const LICENCE = /^(licen[cs]e|copying|notice)(\.\w+)?$/i

/**
 * Returns the packages among the inputs of a bundle (keys of esbuild's metafile) by name. A package inside another
 * package is returned as a path below `node_modules`.
 */
export const packagesIn = (inputs) => [
  ...new Set(
    Object.keys(inputs).flatMap(
      (path) => /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    ),
  ),
]

/** Returns the licence text of a package. Throws if there is none; in that case, add it to `scripts/notices/`. */
function licenceOf(root, path) {
  const own = join(root, 'node_modules', path)
  const folder = existsSync(own) ? own : join(folderOf(setOf(path)), 'node_modules', path)
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => LICENCE.test(file))
  const written = join(root, 'scripts/notices', `${name.replace('/', '__')}.txt`)
  const texts = [
    ...files.map((file) => readFileSync(join(folder, file), 'utf8')),
    ...(existsSync(written) ? [readFileSync(written, 'utf8')] : []),
  ]
  if (texts.length === 0) throw new Error(`${name} ships no licence text; write scripts/notices/${name}.txt`)
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')
}

/** Returns the notices of cuadra and of the packages, by name. */
export function noticesOf(root, packages) {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const parts = [`cuadra\n\n${own}`, ...[...packages].sort().map((name) => licenceOf(root, name))]
  return `${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}
