/** `npm start`: builds missing programs, starts the server, and builds the playground while the server runs. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildMissing } from './build.mjs'
import { readOptions } from './options.mjs'

readOptions({
  about:
    'Builds what is missing, and starts the server, which environment variables configure (docs/server.md).',
})

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

await buildMissing('main', 'building the server...\n')
if (!existsSync('dist/playground/index.html'))
  spawn(process.execPath, ['scripts/build.mjs', 'playground'], { stdio: 'ignore' })

await import('../dist/server/main.js')
