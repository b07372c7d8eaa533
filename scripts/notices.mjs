/**
 * The notices of what is inside a bundle, taken from the packages that it was made of: whoever ships the bundle
 * ships this file with it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, setOf } from './dev-packages.mjs'

const LICENCE = /^(licen[cs]e|copying|notice)(\.\w+)?$/i

/** Packages whose files are among the inputs of a bundle (keys of esbuild's metafile). */
export const packagesIn = (inputs) => [
  ...new Set(
    Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  ),
]

/** Text of a package's licence files. Throws where it has none: then the notice has to be written down. */
function licenceOf(root, name) {
  const own = join(root, 'node_modules', name)
  const folder = existsSync(own) ? own : join(folderOf(setOf(name)), 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => LICENCE.test(file))
  const written = join(root, 'scripts/notices', `${name.replace('/', '__')}.txt`)
  const texts = [
    ...files.map((file) => readFileSync(join(folder, file), 'utf8')),
    ...(existsSync(written) ? [readFileSync(written, 'utf8')] : []),
  ]
  if (texts.length === 0) throw new Error(`${name} ships no licence text; write scripts/notices/${name}.txt`)
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n')
}

/** The notices of cuadra and of the named packages, in the order of their names. */
export function noticesOf(root, packages) {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const parts = [`cuadra\n\n${own}`, ...[...packages].sort().map((name) => licenceOf(root, name))]
  return `${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}
