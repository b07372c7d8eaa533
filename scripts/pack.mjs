/**
 * Packs the built programs: `cuadra-<version>.tgz`, the engine, and `cuadra-server-<version>.tgz`, the server with the
 * engine inside, next to the folder `deploy`. The output is reproducible.
 *
 * `npm run pack` builds and packs into `packed/`; `node scripts/pack.mjs FOLDER` packs the last build into another folder.
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
    positionals: [folder = 'packed'],
  } = readOptions({ about: 'Packs the last build into packed/, or into FOLDER.', operands: '[FOLDER]' })
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  try {
    for (const { file, size, unpackedSize, files } of Object.values(packAll(resolve(folder)))) {
      const sum = createHash('sha256').update(readFileSync(file)).digest('hex')
      console.log(
        `${file}\n  ${megabytes(size)}, ${files} files, ${megabytes(unpackedSize)} unpacked\n  sha256 ${sum}`,
      )
    }
  } catch (error) {
    console.error(`pack: ${error.message}`)
    process.exitCode = 1
  }
}
