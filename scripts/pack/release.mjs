/** Adds to the packages the other files of a release page: the WebAssembly module, the notes and the checksums. */
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { origin } from './engine.mjs'
import { readJson } from './files.mjs'
import { withPackedLinks } from './links.mjs'

/** Returns the part of the changelog about a version. Throws if there is none. */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  return `# cuadra ${section.trim()}\n`
}

export const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Writes the other files of a release beside the packed `files`. Returns the paths of all files of the release. */
export function addReleaseFiles(root, out, files) {
  const { version } = readJson(join(root, 'package.json'))
  const copies = [
    ['dist/cuadra.wasm', `cuadra-${version}.wasm`],
    ['dist/cuadra.wasm.NOTICES.txt', `cuadra-${version}.wasm.NOTICES.txt`],
  ].map(([from, name]) => {
    copyFileSync(join(root, from), join(out, name))
    return join(out, name)
  })
  const notes = join(out, 'RELEASE-NOTES.md')
  const text = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  const nothing = { has: () => false, homepage: origin(root).homepage }
  writeFileSync(notes, withPackedLinks(text, 'CHANGELOG.md', nothing))
  const listed = [...files, ...copies, notes]
  const sums = join(out, 'SHA256SUMS')
  writeFileSync(sums, listed.map((file) => `${sha256Of(file)}  ${basename(file)}\n`).join(''))
  return [...listed, sums]
}
