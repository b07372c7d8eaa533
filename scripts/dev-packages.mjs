/**
 * Optional sets of packages: each folder of `dev-packages/` is a separate package with its own lock file, not installed
 * by `npm ci` at the root. `npm run dev-packages` installs all sets, `npm run dev-packages -- site clients` only the
 * named sets. Tests that need a missing set are skipped with the message of {@link howToHave}.
 *
 * `requireFrom('clients')('openapi-typescript')` loads a package of a set.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { namesIn, readOptions } from './options.mjs'

const folder = fileURLToPath(new URL('../dev-packages/', import.meta.url))

/** Returns the names of all sets in alphabetical order. */
export const setNames = () =>
  readdirSync(folder)
    .filter((name) => existsSync(`${folder}${name}/package.json`))
    .sort()

/** Returns the folder of a set. */
export const folderOf = (name) => `${folder}${name}`

const manifestOf = (path) => JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))

/** Returns the packages of a set with their versions. */
export const packagesOf = (name) => manifestOf(folderOf(name)).dependencies ?? {}

/** Returns the name of the set that has a package; undefined if no set has it. */
export const setOf = (pkg) => setNames().find((name) => Object.hasOwn(packagesOf(name), pkg))

/** Whether all packages of the set are installed in the required versions. */
export const hasSet = (name) =>
  Object.entries(packagesOf(name)).every(([pkg, version]) => {
    const path = `${folderOf(name)}/node_modules/${pkg}`
    return existsSync(`${path}/package.json`) && manifestOf(path).version === version
  })

/** Returns a `require` that finds the packages of a set. */
export const requireFrom = (name) => createRequire(`${folderOf(name)}/package.json`)

/** Loads a package of a set as an ES module. */
export const importFrom = (name, pkg) => import(pathToFileURL(requireFrom(name).resolve(pkg)).href)

/** Returns the path of a command of a set; undefined if it is not installed. */
export const commandOf = (name, command) => {
  const path = `${folderOf(name)}/node_modules/.bin/${command}`
  return existsSync(path) ? path : undefined
}

/** Returns the purpose of a set, from its manifest. */
export const whatFor = (name) => manifestOf(folderOf(name)).description.replace(/[.]$/, '')

/** Returns the reason for skipping a test without a set. */
export const howToHave = (name) => `needs dev-packages/${name}: npm run dev-packages -- ${name}`

/** Returns the reason for skipping tests if the set is missing; undefined if it is installed. */
export const setMissing = (name) => (hasSet(name) ? undefined : howToHave(name))

/** Installs sets from their lock files, until one fails. Returns the exit code. */
function install(names) {
  for (const name of names) {
    console.log(`== dev-packages/${name}`)
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folderOf(name),
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
    if (status !== 0) return 1
  }
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = readOptions({
    about: `Installs sets of optional packages, without a name all of them: ${setNames().join(', ')}.`,
    options: { missing: { type: 'boolean', about: 'only those that are not installed' } },
    operands: '[SET...]',
  })
  const names = namesIn(positionals.join(','), setNames())
  const wanted = names.length > 0 ? names : setNames()
  process.exitCode = install(values.missing ? wanted.filter((name) => !hasSet(name)) : wanted)
}
