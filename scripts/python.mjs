/** Tests the installed Python package: its functions, its docstrings and README, and its types. Exits 1 on a failure. */
import { spawnSync } from 'node:child_process'
import { built, HOSTS, ROOT } from '../test/hosts/hosts.mjs'
import { readOptions } from './options.mjs'

readOptions({ about: 'Tests the installed Python package.' })

const [host] = HOSTS
const { command, missing, failed } = built(host)
if (!command) {
  console.log(`python: not tested: ${missing ?? failed}`)
  process.exitCode = failed ? 1 : 0
} else {
  const { status } = spawnSync(command[0], ['test/python/check.py', '-q'], { cwd: ROOT, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
