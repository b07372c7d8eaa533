/**
 * Sets of packages that a clone can do without: each folder of `dev-packages/` is a package of its own with its lock
 * file, which `npm ci` at the root leaves alone. `npm run dev-packages` installs all of them,
 * `npm run dev-packages -- site clients` some. Tests that need one that is absent are skipped, and say so with
 * {@link howToHave}.
 *
 * `requireFrom('clients')('openapi-typescript')` loads a package out of one.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('../dev-packages/', import.meta.url))

/** The names of all sets, in the order of the alphabet. */
export const setNames = () =>
  readdirSync(folder)
    .filter((name) => existsSync(`${folder}${name}/package.json`))
    .sort()

/** The folder of a set. */
export const folderOf = (name) => `${folder}${name}`

const manifestOf = (path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))

/** The packages of a set and their versions. */
export const packagesOf = (name) => manifestOf(folderOf(name)).dependencies ?? {}

/** The set that has a package; undefined where none does. */
export const setOf = (pkg) => setNames().find((name) => Object.hasOwn(packagesOf(name), pkg))

/** Whether all that the set asks for is installed, in the versions that it asks for. */
export const hasSet = (name) =>
  Object.entries(packagesOf(name)).every(([pkg, version]) => {
    const path = `${folderOf(name)}/node_modules/${pkg}`
    return existsSync(`${path}/package.json`) && manifestOf(path).version === version
  })

/** A `require` that finds the packages of a set. */
export const requireFrom = (name) => createRequire(`${folderOf(name)}/package.json`)

/** Loads a package of a set as an ES module. */
export async function importFrom(name, pkg) {
  const { resolve } = createRequire(`${folderOf(name)}/package.json`)
  return import(pathToFileURL(resolve(pkg)).href)
}

/** A command of a set, to run with Node or by itself; undefined where it is not installed. */
export const commandOf = (name, command) => {
  const path = `${folderOf(name)}/node_modules/.bin/${command}`
  return existsSync(path) ? path : undefined
}

/** What a set is there for, as its manifest says. */
export const whatFor = (name) => manifestOf(folderOf(name)).description.replace(/[.]$/, '')

/** What to say of a test that a missing set leaves out. */
export const howToHave = (name) => `needs dev-packages/${name}: npm run dev-packages -- ${name}`

/** Undefined where the set is installed, or what to say of what is left out without it. */
export const setMissing = (name) => (hasSet(name) ? undefined : howToHave(name))

/** Installs the sets as their lock files say. */
function install(names) {
  const unknown = names.find((name) => !setNames().includes(name))
  if (unknown !== undefined) {
    console.error(`dev-packages: there is no ${unknown}; there are ${setNames().join(', ')}`)
    return 2
  }
  for (const name of names) {
    console.log(`== dev-packages/${name}`)
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
  process.exitCode = install(asked.length > 0 ? asked : setNames())
}
