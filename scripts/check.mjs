/**
 * `npm run check`: checks types, lint, layers, regular expressions, terms and the sizes of the files in `dist/`, which
 * must be built. `npm run lint` checks only lint, layers and regular expressions. These three need `dev-packages/lint`
 * and are reported as skipped if it is not installed.
 */
import { fileURLToPath } from 'node:url'
import { SOURCE_FOLDERS } from '../.dependency-cruiser.mjs'
import { commandOf, hasSet, howToHave } from './dev-packages.mjs'
import { readOptions, wrongUsage } from './options.mjs'
import { inTurn } from './steps.mjs'

const tsc = (config) => ['npx', 'tsc', '-p', config]
const biome = (...args) => [commandOf('lint', 'biome'), 'check', '--error-on-warnings', ...args, '.']

const LINT = hasSet('lint')
  ? [
      ['lint', biome()],
      ['layers', [commandOf('lint', 'depcruise'), '--config', '.dependency-cruiser.mjs', ...SOURCE_FOLDERS]],
      ['regular expressions', ['node', 'scripts/regex.mjs']],
    ]
  : []
const STEPS = [
  ['types of the rest', ['node', 'scripts/types.mjs']],
  ['types of the engine, without Node', tsc('tsconfig.json')],
  ['types of the playground', tsc('tsconfig.playground.json')],
  ...LINT,
  ['terms', ['node', 'scripts/terms.mjs']],
  ['sizes', ['node', 'scripts/size.mjs']],
]

/** Runs every check and returns whether all of them passed. */
export async function check(options, steps = STEPS) {
  const passed = await inTurn(steps, options)
  if (!hasSet('lint')) console.log(`lint, layers and regular expressions: skipped (${howToHave('lint')})`)
  return passed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { lint, write } = readOptions({
    about: 'Checks types, lint, layers, regular expressions, terms and sizes of the built files.',
    options: {
      lint: { type: 'boolean', about: 'check only lint, layers and regular expressions' },
      write: { type: 'boolean', about: 'with --lint: only format, and fix what can be fixed' },
    },
  }).values
  if (lint && !hasSet('lint')) wrongUsage(`lint: ${howToHave('lint')}`)
  const steps = write ? LINT.slice(0, 1).map(([name]) => [name, biome('--write')]) : LINT
  process.exitCode = (await check({}, lint ? steps : STEPS)) ? 0 : 1
}
