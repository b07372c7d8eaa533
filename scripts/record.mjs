/**
 * Regenerates the examples of the OpenAPI document, `src/server/http/recorded.json`, from the responses in the
 * conformance suite on the embedded database. Build first.
 */
import { spawnSync } from 'node:child_process'
import { commandOf, hasSet, howToHave } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

readOptions({ about: 'Regenerates the examples of the OpenAPI document, src/server/http/recorded.json.' })

if (!hasSet('lint')) {
  console.error(`record: ${howToHave('lint')}`)
  process.exit(2)
}

const run = (command, ...args) =>
  spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, CUADRA_RECORD: '1' },
    shell: process.platform === 'win32',
  }).status === 0

const isRecorded = run('npx', 'vitest', 'run', '--maxWorkers=1', 'test/conformance/server-sqlite.test.ts')
const isWritten = run(commandOf('lint', 'biome'), 'format', '--write', 'src/server/http/recorded.json')
process.exitCode = isRecorded && isWritten ? 0 : 1
