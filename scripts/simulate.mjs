/**
 * `npm run simulate -- --seed N --days 400`: simulates a server with its world (docs/simulation.md). The simulation is
 * bundled first, because it runs in a process of its own without a test runner.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Bundles the simulation into a folder of the repository, from which its packages are found. Returns the program. */
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
  const folder = mkdtempSync(join(root, 'node_modules/.simulation-'))
  let status = 1
  try {
    const program = await bundleSimulation(folder)
    const args = ['--enable-source-maps', program, ...process.argv.slice(2)]
    status = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = status
}
