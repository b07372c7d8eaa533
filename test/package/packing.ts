/** The tarballs, packed once out of what is built, and projects that install them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packAll } from '../../scripts/pack.mjs'
import { temporaryFolder } from '../folders.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Everything that a test makes; other users may look into it. */
export const folder = temporaryFolder()

/** The packed build omits types while it runs, and if it was made without them. */
const BUILT = ['dist/index.d.ts', 'dist/cuadra.wasm', 'dist/playground/index.html', 'dist/server/main.js']
const missing = BUILT.filter((file) => !existsSync(`${ROOT}${file}`))
export const WHY_NOT_PACKED = missing.length === 0 ? '' : `needs ${missing.join(', ')}: npm run pack`

export const out = join(folder, 'packed')
export const packed = WHY_NOT_PACKED === '' ? packAll(out) : undefined

/** The environment of a person: nothing of the `npm run` that these tests may be part of. */
export const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|CUADRA_|PORT$|HOST$)/i.test(name)),
  ),
  // Versions that npm has are not asked for again.
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_ignore_scripts: 'true',
  ...extra,
})

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export function run(command: string, args: readonly string[], cwd: string, env = environment()): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return { status, stdout, stderr }
}

/** An empty project with these files. */
export function project(name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, name)
  for (const [file, text] of Object.entries({
    'package.json': '{ "private": true, "type": "module" }',
    ...files,
  })) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  return path
}

const AWAY = /ENOTFOUND|ECONN|ETIMEDOUT|ENOTCACHED|EAI_AGAIN|ERR_SOCKET|E40[13]|E50\d|network/

/** Why npm could not install: no registry, and not in its cache. Empty where it could; any other failure is thrown. */
export function whyAway({ status, stderr }: Ran): string {
  if (status === 0) return ''
  const [reason] = AWAY.exec(stderr) ?? []
  if (reason === undefined) throw new Error(`npm install failed:\n${stderr}`)
  return `needs npm's registry or its cache: ${reason}`
}

/** A project with the engine in it, as everybody would install it. */
export const engineProject = project('engine')
export const away = packed
  ? whyAway(run('npm', ['install', packed.engine.file], engineProject))
  : WHY_NOT_PACKED
/** Reasons for skipping tests, at the end of their names. */
export const unless = away === '' ? '' : ` (${away})`
