/**
 * Links the built commands, as installing the packages would, so that `npx` finds them: `cuadra`, and those of the
 * server's workspace.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = `${root}node_modules/.bin`
mkdirSync(bin, { recursive: true })

for (const folder of ['', 'src/server/']) {
  const { bin: commands } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'))
  for (const [name, path] of Object.entries(commands)) {
    const file = `${folder}${path.replace(/^\.\//, '')}`
    chmodSync(`${root}${file}`, 0o755)
    for (const link of [name, `${name}.cmd`]) rmSync(`${bin}/${link}`, { force: true })
    if (process.platform === 'win32')
      writeFileSync(`${bin}/${name}.cmd`, `@node "%~dp0\\..\\..\\${file.replaceAll('/', '\\')}" %*\r\n`)
    else symlinkSync(`../../${file}`, `${bin}/${name}`)
  }
}
