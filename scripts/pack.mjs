/**
 * Packs the built programs: the engine as `cuadra-<version>.tgz`, and the server, which includes the engine, as
 * `cuadra-server-<version>.tgz`, together with a copy of the folder `deploy`. The output is reproducible.
 *
 * `npm run pack` builds and packs into `packed/`; `node scripts/pack.mjs FOLDER` packs the last build into another folder.
 * `--python` packs the Python package instead.
 */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from './options.mjs'
import { stageEngine } from './pack/engine.mjs'
import { packFolder } from './pack/files.mjs'
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {
    values: { python },
    positionals: [folder = 'packed'],
  } = readOptions({
    about: 'Packs the last build into packed/, or into FOLDER.',
    options: { python: { type: 'boolean', about: 'pack the Python package instead' } },
    operands: '[FOLDER]',
  })
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  try {
    const out = resolve(folder)
    const packed = python ? [{ file: packWheel(root, out) }] : Object.values(packAll(out))
    for (const { file, unpackedSize, files } of packed) {
      const bytes = readFileSync(file)
      const content = files ? `, ${files} files, ${megabytes(unpackedSize)} unpacked` : ''
      const sum = createHash('sha256').update(bytes).digest('hex')
      console.log(`${file}\n  ${megabytes(bytes.length)}${content}\n  sha256 ${sum}`)
    }
  } catch (error) {
    console.error(`pack: ${error.message}`)
    process.exitCode = 1
  }
}
