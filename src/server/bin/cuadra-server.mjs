#!/usr/bin/env node
// The command as npm links it: `cuadra-server` serves, `cuadra-server aeat-simulator` stands in for the tax authority.
const [command] = process.argv.slice(2)
if (command === 'aeat-simulator') {
  process.argv.splice(2, 1)
  await import('../../../scripts/simulator.mjs')
} else if (command === undefined) await import('../../../scripts/start.mjs')
else {
  process.stderr.write(`cuadra-server: there is no "${command}". Use it alone, or with aeat-simulator.\n`)
  process.exitCode = 2
}
