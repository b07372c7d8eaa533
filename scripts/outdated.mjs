/**
 * `npm run outdated` writes docs/outdated.md: the dependencies that have a newer version, how old the used version is, and
 * why it is used. It asks the registry, so its result changes with time; no test depends on it.
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { folderOf, setNames } from './dev-packages.mjs'
import { readOptions } from './options.mjs'

readOptions({
  about: 'Asks the npm registry for newer versions of the dependencies, and writes docs/outdated.md.',
})

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)
const PARALLEL = 6
/** The oldest supported version of Node. */
const OLDEST = [20, 19]

/** Reasons that the registry does not state. */
const REASONS = {
  esbuild: 'the version that tsup requires',
  '@types/node': 'the types of the oldest supported Node, so that newer functions are not used by mistake',
  kysely: 'the last release line for Node 20',
  typescript: 'version 7 has no API in JavaScript, which declarations and docs/api.md need',
}

const manifestOf = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Returns each direct dependency with its exact version and the manifests that have it. */
function dependencies() {
  const { workspaces } = manifestOf(`${root}package.json`)
  const manifests = [
    ['root', `${root}package.json`],
    ...workspaces.map((folder) => [folder, `${root}${folder}/package.json`]),
    ...setNames().map((name) => [`dev-packages/${name}`, `${folderOf(name)}/package.json`]),
  ]
  const found = new Map()
  for (const [where, path] of manifests) {
    const { dependencies: own, devDependencies: dev, optionalDependencies: optional } = manifestOf(path)
    for (const [name, version] of Object.entries({ ...own, ...dev, ...optional })) {
      const key = `${name} ${version}`
      const entry = found.get(key) ?? { name, version, where: [] }
      entry.where.push(where)
      found.set(key, entry)
    }
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name))
}

const view = async (name, ...fields) =>
  JSON.parse((await run('npm', ['view', name, ...fields, '--json'], { maxBuffer: 1 << 26 })).stdout || '{}')

/** Whether `engines.node`, such as `^20.19 || >=22`, admits the oldest supported version. */
function runsOnOldest(range = '*') {
  return range.split('||').some((part) => {
    const [, operator = '', major = '0', minor = '0'] = /^\s*(\D*?)\s*v?(\d+)(?:\.(\d+|x))?/.exec(part) ?? []
    const lowest = [Number(major), Number(minor) || 0]
    const isBelow = lowest[0] < OLDEST[0] || (lowest[0] === OLDEST[0] && lowest[1] <= OLDEST[1])
    return operator.startsWith('>') || operator === '' ? isBelow : isBelow && lowest[0] === OLDEST[0]
  })
}

const isMajor = (used, latest) => used.split('.')[0] !== latest.split('.')[0]

function reasonOf({ name, version }, latest, engines) {
  if (REASONS[name]) return REASONS[name]
  if (!runsOnOldest(engines?.node)) return `${latest} needs Node ${engines.node}`
  return isMajor(version, latest) ? 'a new major version, not tried yet' : 'not updated yet'
}

async function rowOf(dependency) {
  const { name, version, where } = dependency
  const { version: latest, engines, time = {} } = await view(`${name}@latest`, 'version', 'engines', 'time')
  if (!latest || latest === version) return undefined
  const date = (one) => time[one]?.slice(0, 10) ?? '?'
  return [
    `\`${name}\``,
    `${version} (${date(version)})`,
    `${latest} (${date(latest)})`,
    reasonOf(dependency, latest, engines),
    where.join(', '),
  ]
}

const all = dependencies()
const queue = [...all]
const rows = new Map()
const failed = []
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      try {
        rows.set(next, await rowOf(next))
      } catch (error) {
        failed.push(next.name)
        console.error(`outdated: ${next.name}: ${String(error.message).split('\n')[0]}`)
      }
  }),
)
const behind = all.flatMap((dependency) => (rows.get(dependency) ? [rows.get(dependency)] : []))
const day = new Date().toISOString().slice(0, 10)
const table = [
  ['Package', 'Used', 'Newest', 'Why', 'Where'],
  ['---', '---', '---', '---', '---'],
  ...behind,
].map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)

writeFileSync(
  `${root}docs/outdated.md`,
  `<!-- Written by npm run outdated. Do not edit. -->

# Dependencies with newer versions

On ${day}, ${behind.length} of ${all.length} direct dependencies have a newer version in the npm registry. \`npm run outdated\` writes this page again. [Dependencies](dependencies.md) states why each package is used, and [Support](../SUPPORT.md) when support for Node 20 ends; most of these packages wait for that day.

${table.join('\n')}
${failed.length > 0 ? `\nThe registry did not answer for ${failed.sort().join(', ')}.\n` : ''}`,
)
console.log(
  `outdated: ${behind.length} of ${all.length} have a newer version; ${failed.length} without an answer`,
)
