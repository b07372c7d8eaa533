#!/usr/bin/env node
// The command as npm links it. In a clone the programs are built first where they are missing; an installed package
// has them.
import { existsSync, readFileSync } from 'node:fs'

const USAGE = `cuadra-server                    serves; settings are environment variables: PORT, HOST, CUADRA_DATA_DIR...
cuadra-server health             asks the server of this environment how it is: exits 0 where it is well
cuadra-server aeat-simulator     stands in for the tax authority (--help says more)
cuadra-server --version
`

/** What each command runs, in an installed package and in a clone. */
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
    ? `${command} takes no "${rest[0]}"`
    : `there is no "${command}"`
  process.stderr.write(`cuadra-server: ${wrong}. Use it in one of these ways:\n${USAGE}`)
  process.exitCode = 2
} else {
  const [name, inClone] = PROGRAMS[command]
  const installed = new URL(`../dist/server/${name}.js`, import.meta.url)
  process.argv.splice(2, 1)
  await import(existsSync(installed) ? installed.href : inClone)
}
