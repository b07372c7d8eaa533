/**
 * `npm start`: builds what is missing and serves. Types are left out, so that a fresh clone serves within seconds;
 * the playground is built while the server already answers.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const run = (command, args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${stdout}${stderr}cuadra-server: ${command} failed\n`)
  process.exit(1)
}

if (!existsSync('dist/server/main.js')) {
  process.stdout.write('building the server...\n')
  run('scripts/generate.mjs', [])
  run('node_modules/tsup/dist/cli-default.js', ['--no-dts', '--silent'])
}
if (!existsSync('dist/playground/index.html'))
  spawn(
    process.execPath,
    [
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      'src/playground/vite.config.ts',
      '--logLevel',
      'warn',
    ],
    { stdio: 'ignore' },
  )

await import('../dist/server/main.js')
