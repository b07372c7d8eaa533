/**
 * Completes the lock files, of the root and of each set of `dev-packages/`, with the optional packages of other platforms. A registry
 * that serves only this platform's packages leaves them out, and `npm ci` then refuses the lock file. A package for
 * one C library of Linux that does not declare it gets it declared, so that nobody downloads the other one's binary.
 * Run after `npm install`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { folderOf, setNames } from './dev-packages.mjs'

const SYSTEMS = {
  win32: 'win32',
  windows: 'win32',
  darwin: 'darwin',
  linux: 'linux',
  android: 'android',
  androideabi: 'android',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  openharmony: 'openharmony',
}
const PROCESSORS = {
  arm64: 'arm64',
  aarch64: 'arm64',
  arm: 'arm',
  x64: 'x64',
  64: 'x64',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
}

const libraryOf = (words) => {
  if (words.some((word) => word.startsWith('musl'))) return ['musl']
  return words.some((word) => word === 'gnu' || word === 'glibc') ? ['glibc'] : undefined
}

/** Platform that a package is for, told by its name. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  // Android's are named after Linux, too, and told by the last word.
  const os = words.map((word) => SYSTEMS[word]).findLast((word) => word !== undefined)
  const cpu = words.map((word) => PROCESSORS[word]).find((word) => word !== undefined)
  const libc = os === 'linux' ? libraryOf(words) : undefined
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc } : {}), ...(os ? { os: [os] } : {}) }
}

/** Where Node would look for a package required from `from`. */
const isLocked = (packages, name, from) => {
  for (let base = from; ; base = base.slice(0, base.lastIndexOf('/node_modules/'))) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true
    if (!base.includes('/node_modules/')) return Boolean(packages[`node_modules/${name}`])
  }
}

/** Adds what other platforms would have. */
function addMissing(packages) {
  let added = 0
  for (const [from, { optionalDependencies, dev, optional }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
      if (isLocked(packages, name, from)) continue
      const place = packages[`node_modules/${name}`] ? `${from}/node_modules/${name}` : `node_modules/${name}`
      const platform = platformOf(name)
      if (!platform.os && !platform.cpu) continue
      packages[place] = {
        version: version.replace(/^[\^~]/, ''),
        ...(dev && !optional ? { dev } : {}),
        optional: true,
        ...platform,
      }
      added += 1
    }
  return added
}

/** Says which C library a package is for where its own manifest does not. */
function addLibraries(packages) {
  let said = 0
  for (const [place, entry] of Object.entries(packages)) {
    if (!entry.optional || !entry.os?.includes('linux') || entry.libc) continue
    const { libc } = platformOf(place.split('node_modules/').at(-1))
    if (!libc) continue
    entry.libc = libc
    said += 1
  }
  return said
}

const root = new URL('../package-lock.json', import.meta.url)
for (const path of [root, ...setNames().map((name) => `${folderOf(name)}/package-lock.json`)]) {
  if (!existsSync(path)) continue
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const added = addMissing(lock.packages)
  const said = addLibraries(lock.packages)
  if (added + said === 0) continue
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${lock.name}: ${added} packages of other platforms added, the C library of ${said} declared`)
}
