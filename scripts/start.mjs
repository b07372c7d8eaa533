/** `npm start`: builds missing programs and starts the server; the playground is built meanwhile. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildMissing } from './built.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const PLAYGROUND = [
  'node_modules/vite/bin/vite.js',
  'build',
  '--config',
  'src/playground/vite.config.ts',
  '--logLevel',
  'warn',
]

buildMissing('cuadra-server', 'main', 'building the server...\n')
if (!existsSync('dist/playground/index.html')) spawn(process.execPath, PLAYGROUND, { stdio: 'ignore' })

await import('../dist/server/main.js')
