/**
 * Tools that a clone can do without: each folder of `tools/` is a package of its own with its lock file, which
 * `npm ci` at the root leaves alone. `npm run tools` installs all of them, `npm run tools -- site clients` some.
 * Tests that need one that is absent are skipped, and say so with {@link howToHave}.
 *
 * `toolRequire('clients')('openapi-typescript')` loads a package out of one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../tools/', import.meta.url))

/** The names of all tools, in the order of the alphabet. */
export const toolNames = () =>
  readdirSync(folder)
    .filter((name) => existsSync(`${folder}${name}/package.json`))
    .sort()

/** The folder of a tool. */
export const toolFolder = (name) => `${folder}${name}`

/** Whether all that the tool asks for is installed. */
export function hasTool(name) {
  const { dependencies = {} } = JSON.parse(readFileSync(`${folder}${name}/package.json`, 'utf8'))
  return Object.keys(dependencies).every((each) =>
    existsSync(`${folder}${name}/node_modules/${each}/package.json`),
  )
}

/** A `require` that finds the packages of a tool. */
export const toolRequire = (name) => createRequire(`${folder}${name}/package.json`)

/** What to say of a test that a missing tool leaves out. */
export const howToHave = (name) => `needs tools/${name}: npm run tools -- ${name}`

/** Installs the tools as their lock files say. */
function install(names) {
  const unknown = names.find((name) => !toolNames().includes(name))
  if (unknown !== undefined) {
    console.error(`tools: there is no ${unknown}; there are ${toolNames().join(', ')}`)
    return 2
  }
  for (const name of names) {
    console.log(`== tools/${name}`)
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: `${folder}${name}`,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status !== 0) return 1
  }
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2)
  process.exitCode = install(asked.length > 0 ? asked : toolNames())
}
