/**
 * `npm run lint`: checks format, lint, the layers of imports and that regular expressions are linear; with `--write` it formats and fixes what it can. Needs
 * `dev-packages/lint`.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { commandOf, hasSet, howToHave } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { write } = readOptions({
  about: 'Checks format, lint, the layers of imports and regular expressions.',
  options: { write: { type: 'boolean', about: 'format, and fix what can be fixed' } },
}).values

if (!hasSet('lint')) {
  console.error(`lint: ${howToHave('lint')}`)
  process.exit(2)
}
const run = (command, args) =>
  spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status === 0

const formatted = run(commandOf('lint', 'biome'), [
  'check',
  '--error-on-warnings',
  ...(write ? ['--write'] : []),
  '.',
])
const layers =
  write || run(commandOf('lint', 'depcruise'), ['--config', '.dependency-cruiser.mjs', 'src', 'rules'])
const linear = write || run('node', ['scripts/regex.mjs'])
process.exitCode = formatted && layers && linear ? 0 : 1
