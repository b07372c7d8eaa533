/**
 * Adds the optional packages of other platforms to the lock files of the root and of each set of `dev-packages/`. If
 * the registry serves only packages for this platform, `npm install` omits the others, and `npm ci` then rejects the
 * lock file. Run this script after `npm install`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { folderOf, setNames } from './dev-packages.mjs'
import { readOptions } from './options.mjs'
import { placeOf } from './pack/lock.mjs'

readOptions({ about: 'Adds packages of other platforms to the lock files.' })

const SYSTEMS = 'win32 darwin linux android freebsd openbsd netbsd sunos aix openharmony'.split(' ')
const PROCESSORS = 'arm64 arm x64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32'.split(' ')
const ALIASES = { windows: 'win32', androideabi: 'android', aarch64: 'arm64', 64: 'x64', glibc: 'gnu' }

/** Returns the platform of a package, from its name. */
function platformOf(name) {
  const parts = name
    .split('/')
    .at(-1)
    .split('-')
    .map((part) => ALIASES[part] ?? part)
  // Names of Android packages also contain "linux", so the last part decides.
  const os = parts.findLast((part) => SYSTEMS.includes(part))
  const cpu = parts.find((part) => PROCESSORS.includes(part))
  const isMusl = parts.some((part) => part.startsWith('musl'))
  const libc = isMusl ? 'musl' : parts.includes('gnu') ? 'glibc' : undefined
  return {
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(os === 'linux' && libc ? { libc: [libc] } : {}),
    ...(os ? { os: [os] } : {}),
  }
}

/** Adds the packages of other platforms, and returns their number. */
function addMissing(packages) {
  let added = 0
  for (const [from, { optionalDependencies, dev, optional }] of Object.entries(packages))
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
      const platform = platformOf(name)
      if (placeOf(packages, from, name) || !(platform.os ?? platform.cpu)) continue
      const place = packages[`node_modules/${name}`] ? `${from}/node_modules/${name}` : `node_modules/${name}`
      const locked = version.replace(/^[\^~]/, '')
      packages[place] = { version: locked, ...(dev && !optional && { dev }), optional: true, ...platform }
      added += 1
    }
  return added
}

const root = new URL('../package-lock.json', import.meta.url)
for (const path of [root, ...setNames().map((name) => `${folderOf(name)}/package-lock.json`)]) {
  if (!existsSync(path)) continue
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const added = addMissing(lock.packages)
  if (added === 0) continue
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${lock.name}: ${added} packages of other platforms added`)
}
