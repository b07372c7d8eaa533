/**
 * `npm run check`: checks types, lint, layers, regular expressions and sizes. Lint, layers and regular expressions need `dev-packages/lint`, and are reported as
 * skipped without it. The sizes are those of `dist/`, which must be built.
 */
import { fileURLToPath } from 'node:url'
import { commandOf, hasSet, howToHave } from './dev-packages.mjs'
import { readOptions } from './options.mjs'
import { inTurn } from './steps.mjs'

const tsc = (config) => ['npx', 'tsc', '-p', config]

const STEPS = [
  ['types of the rest', ['node', 'scripts/types.mjs']],
  ['types of the engine, without Node', tsc('tsconfig.json')],
  ['types of the playground', tsc('tsconfig.playground.json')],
  ...(hasSet('lint')
    ? [
        ['lint', [commandOf('lint', 'biome'), 'check', '--error-on-warnings', '.']],
        ['layers', [commandOf('lint', 'depcruise'), '--config', '.dependency-cruiser.mjs', 'src', 'rules']],
        ['regular expressions', ['node', 'scripts/regex.mjs']],
      ]
    : []),
  ['terms', ['node', 'scripts/terms.mjs']],
  ['sizes', ['node', 'scripts/size.mjs']],
]

/** Runs every check and returns whether all of them passed. */
export async function check(options) {
  const passed = await inTurn(STEPS, options)
  if (!hasSet('lint')) console.log(`lint, layers and regular expressions: skipped (${howToHave('lint')})`)
  return passed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readOptions({
    about: 'Checks types, lint, layers, regular expressions, terms and sizes of the built files.',
  })
  process.exitCode = (await check()) ? 0 : 1
}
