/** `npm run simulator -- ...`: builds what is missing and runs the simulator of the tax authority. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!existsSync(`${root}dist/server/simulator.js`))
  for (const args of [
    ['scripts/generate.mjs'],
    ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent'],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    if (status === 0) continue
    process.stderr.write(`${stdout}${stderr}cuadra-server: ${args[0]} failed\n`)
    process.exit(1)
  }

await import('../dist/server/simulator.js')
