/**
 * Writes the examples of the OpenAPI document anew: `src/server/http/recorded.json`, out of the answers of the
 * conformance suite on the embedded database. Build first.
 */
import { spawnSync } from 'node:child_process'

const run = (...args) =>
  spawnSync('npx', args, {
    stdio: 'inherit',
    env: { ...process.env, CUADRA_RECORD: '1' },
    shell: process.platform === 'win32',
  }).status === 0

const isRecorded = run('vitest', 'run', '--maxWorkers=1', 'test/conformance/server-sqlite.test.ts')
const isWritten = run('biome', 'format', '--write', 'src/server/http/recorded.json')
process.exitCode = isRecorded && isWritten ? 0 : 1
