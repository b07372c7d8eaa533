/** Builds the programs of the server if one is missing, without types, which takes only seconds. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const STEPS = [['scripts/generate.mjs'], ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent']]

export function buildMissing(name, program, message = '') {
  if (existsSync(`${root}dist/server/${program}.js`)) return
  process.stdout.write(message)
  for (const args of STEPS) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status === 0) continue
    process.stderr.write(`${stdout}${stderr}${name}: ${args[0]} failed\n`)
    process.exit(1)
  }
}
