/**
 * Writes the examples of the OpenAPI document anew: `src/server/http/recorded.json`, out of the answers of the
 * conformance suite on the embedded database. Build first.
 */
import { spawnSync } from 'node:child_process'

const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--maxWorkers=1', 'test/conformance/server-sqlite.test.ts'],
  { stdio: 'inherit', env: { ...process.env, CUADRA_RECORD: '1' }, shell: process.platform === 'win32' },
)
process.exitCode = status ?? 1
