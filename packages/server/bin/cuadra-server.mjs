#!/usr/bin/env node
// The command that npm links. An installed package contains the programs; a clone builds them if they are missing.
import { existsSync, readFileSync } from 'node:fs'

const USAGE = `cuadra-server                    starts the server; environment variables configure it: PORT, HOST, CUADRA_DATA_DIR...
cuadra-server health             checks the server of this environment: exits 0 if it is healthy
cuadra-server aeat-simulator     simulates the tax authority (see --help)
cuadra-server --version
`

/** The program of each command, in an installed package and in a clone. */
const PROGRAMS = {
  serve: ['main', '../../../scripts/start.mjs'],
  health: ['health', '../../../dist/server/health.js'],
  'aeat-simulator': ['simulator', '../../../scripts/simulator.mjs'],
}

const [command = 'serve', ...rest] = process.argv.slice(2)
if (command === '--help' || command === '-h') process.stdout.write(USAGE)
else if (command === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else if (!Object.hasOwn(PROGRAMS, command) || (command !== 'aeat-simulator' && rest.length > 0)) {
  const wrong = Object.hasOwn(PROGRAMS, command)
    ? `unexpected argument "${rest[0]}" of ${command}`
    : `unknown command "${command}"`
  process.stderr.write(`cuadra-server: ${wrong}. Usage:\n${USAGE}`)
  process.exitCode = 2
} else {
  const [name, inClone] = PROGRAMS[command]
  const installed = new URL(`../dist/server/${name}.js`, import.meta.url)
  process.argv.splice(2, 1)
  await import(existsSync(installed) ? installed.href : inClone)
}
