/** Starts a server and PostgreSQL, prints their process ids, and never ends. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { hasPostgres, ownPostgres } from '../../conformance/postgres.ts'
import { folderInMemory, pathAndFolder } from '../../folders.ts'
import { until } from '../../until.ts'

it('never ends', async () => {
  const server = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...pathAndFolder(), PORT: '0', CUADRA_DATA_DIR: folderInMemory(), CUADRA_AEAT_SIMULATOR: 'off' },
  })
  let output = ''
  server.stdout.on('data', (chunk) => {
    output += chunk
  })
  const postgres = hasPostgres()
    ? readFileSync(join(ownPostgres().folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]
    : ''
  await until(() => output.includes('cuadra serves'), 'the server has started', { seconds: 60 })
  process.stdout.write(`started ${server.pid} ${postgres}.\n`)
  await new Promise(() => {})
})
