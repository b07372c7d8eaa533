/**
 * `npm run simulate -- --seed N --days 400`: simulates a server and its environment (docs/simulation.md). Bundles the
 * simulation first, because it runs in a separate process without a test runner.
 */
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { readOptions } from './options.mjs'
import { startRun } from './run-folder.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Bundles the simulation into a folder, where Node must find its packages. Returns the path of the program. */
export async function bundleSimulation(folder) {
  const outfile = join(folder, 'simulate.mjs')
  await build({
    entryPoints: [join(root, 'test/simulation/run.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    absWorkingDir: root,
  })
  return outfile
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = (value, about) => ({ type: 'string', value, about })
  const flag = (about) => ({ type: 'boolean', about })
  readOptions({
    about: 'Simulates a server with its world in virtual time (docs/simulation.md).',
    options: {
      seed: text('N', 'the first seed (default: 1)'),
      seeds: text('N', 'how many seeds (default: 1)'),
      days: text('N', 'how many days (default: 400)'),
      steps: text('N', 'how many steps (default: 120)'),
      store: text('STORE', 'sqlite (default) or postgres'),
      sabotage: text('NAME', 'break the server, to test the simulation'),
      json: flag('print a line of JSON for each seed'),
      verbose: flag('print the steps'),
      'no-shorten': flag('do not shorten the story of a failure'),
    },
  })
  startRun()
  symlinkSync(join(root, 'node_modules'), join(tmpdir(), 'node_modules'), 'junction')
  const program = await bundleSimulation(tmpdir())
  const args = ['--enable-source-maps', program, ...process.argv.slice(2)]
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}
