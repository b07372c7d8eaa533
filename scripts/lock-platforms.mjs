/**
 * Completes `package-lock.json` with the optional packages of other platforms. A registry that serves only this
 * platform's packages leaves them out, and `npm ci` then refuses the lock file. Run after `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))

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
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
]

/** Platform that a package is for, told by its name. */
const platformOf = (name) => {
  const words = name.split('/').at(-1).split('-')
  const os = words.map((word) => SYSTEMS[word]).find((word) => word !== undefined)
  const cpu = words.find((word) => PROCESSORS.includes(word))
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined
  return { ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc } : {}), ...(os ? { os: [os] } : {}) }
}

/** Where Node would look for a package required from `from`. */
const isLocked = (name, from) => {
  for (let base = from; ; base = base.slice(0, base.lastIndexOf('/node_modules/'))) {
    if (lock.packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true
    if (!base.includes('/node_modules/')) return Boolean(lock.packages[`node_modules/${name}`])
  }
}

let added = 0
for (const [from, { optionalDependencies, dev }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    if (isLocked(name, from)) continue
    const taken = lock.packages[`node_modules/${name}`]
    const place = taken ? `${from}/node_modules/${name}` : `node_modules/${name}`
    const platform = platformOf(name)
    if (!platform.os && !platform.cpu) continue
    lock.packages[place] = {
      version: version.replace(/^[\^~]/, ''),
      ...(dev ? { dev } : {}),
      optional: true,
      ...platform,
    }
    added += 1
  }
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`lock file: ${added} packages of other platforms added`)
