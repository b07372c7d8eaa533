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
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('../tools/', import.meta.url))

/** The names of all tools, in the order of the alphabet. */
export const toolNames = () =>
  readdirSync(folder)
    .filter((name) => existsSync(`${folder}${name}/package.json`))
    .sort()

/** The folder of a tool. */
export const toolFolder = (name) => `${folder}${name}`

const manifestOf = (path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))

/** The packages of a tool and their versions. */
export const packagesOf = (name) => manifestOf(toolFolder(name)).dependencies ?? {}

/** The tool that has a package; undefined where none does. */
export const toolOf = (pkg) => toolNames().find((name) => Object.hasOwn(packagesOf(name), pkg))

/** Whether all that the tool asks for is installed, in the versions that it asks for. */
export const hasTool = (name) =>
  Object.entries(packagesOf(name)).every(([pkg, version]) => {
    const path = `${toolFolder(name)}/node_modules/${pkg}`
    return existsSync(`${path}/package.json`) && manifestOf(path).version === version
  })

/** A `require` that finds the packages of a tool. */
export const toolRequire = (name) => createRequire(`${toolFolder(name)}/package.json`)

/** Loads a package of a tool as an ES module. */
export async function toolImport(name, pkg) {
  const { resolve } = createRequire(`${toolFolder(name)}/package.json`)
  return import(pathToFileURL(resolve(pkg)).href)
}

/** A command of a tool, to run with Node or by itself; undefined where it is not installed. */
export const toolCommand = (name, command) => {
  const path = `${toolFolder(name)}/node_modules/.bin/${command}`
  return existsSync(path) ? path : undefined
}

/** What a tool is there for, as its manifest says. */
export const whatFor = (name) => manifestOf(toolFolder(name)).description.replace(/[.]$/, '')

/** What to say of a test that a missing tool leaves out. */
export const howToHave = (name) => `needs tools/${name}: npm run tools -- ${name}`

/** Undefined where the tool is installed, or what to say of what is left out without it. */
export const toolMissing = (name) => (hasTool(name) ? undefined : howToHave(name))

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
