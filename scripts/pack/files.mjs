/** Lists the files of a package like npm, copies them to a separate folder, and packs them. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const npm = (args, cwd) =>
  JSON.parse(
    execFileSync('npm', [...args, '--json', '--ignore-scripts'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
      shell: process.platform === 'win32',
    }),
  )

/** Returns the files that `npm pack` would put into the tarball of a folder. */
export const filesOf = (folder) => npm(['pack', '--dry-run'], folder)[0].files.map(({ path }) => path)

/** Copies files and folders to their names in the package. */
export function copyInto(stage, from, names) {
  for (const [source, name = source] of names.map((one) => [one].flat())) {
    mkdirSync(dirname(join(stage, name)), { recursive: true })
    cpSync(join(from, source), join(stage, name), { recursive: true })
  }
}

export function writeInto(stage, name, content) {
  mkdirSync(dirname(join(stage, name)), { recursive: true })
  writeFileSync(join(stage, name), content)
}

/** Writes a value as JSON. */
export const writeJson = (stage, name, value) => writeInto(stage, name, `${JSON.stringify(value, null, 2)}\n`)

export const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Packs a folder. The result is reproducible, because npm sets a fixed time and owner for all files. */
export function packFolder(stage, out) {
  const [{ filename, size, unpackedSize, entryCount }] = npm(['pack', '--pack-destination', out], stage)
  return { file: join(out, filename), size, unpackedSize, files: entryCount }
}

/** Throws unless these files are built. `command` builds them. */
export function demandBuilt(root, files, command = 'npm run pack') {
  const missing = files.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not built: ${command} builds it`)
}
