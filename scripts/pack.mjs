/**
 * Packs everything that a release page holds: the engine as `cuadra-<version>.tgz`; the server, which includes the
 * engine, as `cuadra-server-<version>.tgz`, with a copy of the folder `deploy`, whose lock file lists its dependencies;
 * the Python package; the WebAssembly module; the release notes; the checksums. The output is reproducible.
 *
 * `npm run pack` builds (also what `prepack` builds, which npm runs before it) and packs into `packed/`; `node scripts/pack.mjs FOLDER` packs the last build into another folder.
 * `--python` packs only the Python package.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'
import { stageEngine } from './pack/engine.mjs'
import { packFolder } from './pack/files.mjs'
import { addReleaseFiles, sha256Of } from './pack/release.mjs'
import { stageServer } from './pack/server.mjs'
import { packWheel } from './pack/wheel.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes both tarballs to a folder, and returns the path, size and number of files of each. */
export function packAll(out) {
  const stages = mkdtempSync(join(tmpdir(), 'cuadra-pack-'))
  try {
    mkdirSync(out, { recursive: true })
    const packed = (name, fill) => {
      const stage = join(stages, name)
      mkdirSync(stage)
      fill(root, stage)
      return packFolder(stage, out)
    }
    const both = { engine: packed('engine', stageEngine), server: packed('server', stageServer) }
    cpSync(join(root, 'deploy'), join(out, 'deploy'), { recursive: true })
    return both
  } finally {
    rmSync(stages, { recursive: true, force: true })
  }
}

/** Packs all files of a release into a folder, and returns their path, with size and number of files of a tarball. */
export function packRelease(out) {
  const tarballs = Object.values(packAll(out))
  const files = [...tarballs.map(({ file }) => file), packWheel(root, out)]
  return addReleaseFiles(root, out, files).map(
    (path) => tarballs.find(({ file }) => file === path) ?? { file: path },
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {
    values: { python },
    positionals: [folder = 'packed'],
  } = readOptions({
    about: 'Packs the files of a release from the last build into packed/, or into FOLDER.',
    options: { python: { type: 'boolean', about: 'pack only the Python package' } },
    operands: '[FOLDER]',
  })
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  try {
    const out = resolve(folder)
    const packed = python ? [{ file: packWheel(root, out) }] : packRelease(out)
    for (const { file, unpackedSize, files } of packed) {
      const content = files ? `, ${files} files, ${megabytes(unpackedSize)} unpacked` : ''
      console.log(`${file}\n  ${megabytes(statSync(file).size)}${content}\n  sha256 ${sha256Of(file)}`)
    }
  } catch (error) {
    console.error(`pack: ${error.message}`)
    process.exitCode = 1
  }
}
