/**
 * `npm run lint`: checks format, lint and the layers of imports; with `--write` it formats and fixes what it can. Needs
 * `dev-packages/lint`.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { commandOf, hasSet, howToHave } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { write } = readOptions({
  about: 'Checks format, lint and the layers of imports.',
  options: { write: { type: 'boolean', about: 'format, and fix what can be fixed' } },
}).values

if (!hasSet('lint')) {
  console.error(`lint: ${howToHave('lint')}`)
  process.exit(2)
}
const run = (name, args) =>
  spawnSync(commandOf('lint', name), args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status === 0

const formatted = run('biome', ['check', '--error-on-warnings', ...(write ? ['--write'] : []), '.'])
const layers = write || run('depcruise', ['--config', '.dependency-cruiser.mjs', 'src', 'rules'])
process.exitCode = formatted && layers ? 0 : 1
